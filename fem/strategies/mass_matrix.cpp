// SPDX-License-Identifier: BSD-3-Clause
// Strategies that store the element matrices: assembled once, densely or by the near-optimal chain, then y = M x.
#include "mass_form.hpp"

namespace tessera::fem::detail {

namespace {

template <class T>
class matrix_form : public mass_form<T> {
 public:
  explicit matrix_form(const mass_parts<T>& parts)
      : size_(parts.element.size()),
        matrices_(parts.space(), of_size(size_, size_), parts.elements()),
        product_(make_plan(contraction("ij,j->i"), matrices_, flat(parts.vector()), flat(parts.vector()),
                           parts.options.plans)) {
    const field<T> D = parts.point_data();
    if (parts.options.how == strategy::full_assembly) {
      const field<T> B(parts.space(), of_size(parts.points.size(), size_), 1,
                       dense_table<T>(parts.functions, parts.grid));
      const operand points = shaped("mass_operator", "D", D.batch(), of_size(parts.points.size()), D.count());
      const chain assembly(dense_assembly_steps(B.shared()), points, matrices_.batch(), parts.options.plans);
      buffer workspace(parts.space(), assembly.workspace_bytes(D.count()));
      assembly.run(points, matrices_, workspace);
      finish(assembly.describe());
    } else {
      const operand M = shaped("mass_operator", "M", matrices_.batch(), parts.matrix, D.count());
      near_optimal_assembly<T> assembly(parts.functions, parts.grid, D.batch(), M, parts.options.plans);
      assembly.run(D.batch(), M, {});
      finish(assembly.describe());
    }
  }

  void apply(const operand& x, const operand& y, stream_view on) override {
    product_.run_on(on, matrices_, flat(x), flat(y));
  }
  void assemble(const operand& M, stream_view on) override {
    const operand to = shaped("mass_operator::assemble", "M", M, of_size(size_, size_), matrices_.count());
    copy(matrices_, to, on);
  }
  std::size_t stored_bytes() const override { return matrices_.bytes(); }
  std::string describe() const override { return product_.describe() + "\n"; }
  std::string describe_assembly() const override { return assembly_; }

 private:
  operand flat(const operand& vector) const {
    operand o = vector;
    o.facts = operand_facts{.rank = 1, .extent = {size_}, .stride = {1}};
    return o;
  }
  // The tables, D and the workspace, which are released now, must not be in use any more.
  void finish(const std::string& assembly) {
    if (matrices_.space() == space_kind::gpu) stream_view{}.synchronize();
    assembly_ = assembly;
  }

  index_t size_;
  field<T> matrices_;
  plan product_;
  std::string assembly_;
};

}  // namespace

template <class T>
std::unique_ptr<mass_form<T>> make_matrix_form(const mass_parts<T>& parts) {
  return std::make_unique<matrix_form<T>>(parts);
}
template std::unique_ptr<mass_form<float>> make_matrix_form(const mass_parts<float>&);
template std::unique_ptr<mass_form<double>> make_matrix_form(const mass_parts<double>&);

}  // namespace tessera::fem::detail
