// SPDX-License-Identifier: BSD-3-Clause
// Strategies that store D: evaluation through the 1-D tables (partial assembly) or through the dense table
// (decomposed).
#include "mass_form.hpp"

namespace tessera::fem::detail {

namespace {

operand flat(const operand& given, index_t size) {
  operand o = given;
  o.facts = operand_facts{.rank = 1, .extent = {size}, .stride = {1}};
  return o;
}

template <class T>
class evaluation_form : public mass_form<T> {
 public:
  explicit evaluation_form(const mass_parts<T>& parts)
      : is_dense_(parts.options.how == strategy::decomposed_evaluation),
        vector_(parts.vector()),
        plans_(parts.options.plans),
        tables_(parts.functions, parts.grid, parts.space()),
        dense_(is_dense_ ? field<T>(parts.space(), of_size(parts.points.size(), parts.element.size()), 1,
                                    dense_table<T>(parts.functions, parts.grid))
                         : field<T>()),
        D_(parts.point_data()),
        assembly_(parts, point_data(), parts.matrices()),
        evaluation_(evaluation_chain()),
        workspace_(parts.space(), evaluation_.workspace_bytes(parts.elements())) {}

  void apply(const operand& x, const operand& y, stream_view on) override {
    evaluation_.run(seen(x), seen(y), workspace_, on);
  }
  void assemble(const operand& M, stream_view on) override { assembly_.run(point_data(), M, on); }
  std::size_t stored_bytes() const override {
    return D_.bytes() + (is_dense_ ? dense_.bytes() : tables_.value_bytes());
  }
  std::string describe() const override { return evaluation_.describe(); }
  std::string describe_assembly() const override { return assembly_.describe(); }

 private:
  // The dense table has no directions.
  operand seen(const operand& vector) const { return is_dense_ ? flat(vector, vector.entries()) : vector; }
  operand point_data() const { return static_cast<const field<T>&>(D_).batch(); }
  chain evaluation_chain() const {
    if (is_dense_)
      return chain(dense_evaluation_steps(dense_.shared(), flat(point_data(), D_.sizes().size())), seen(vector_),
                   seen(vector_), plans_);
    return chain(evaluation_steps(tables_.operands(), point_data()), vector_, vector_, plans_);
  }

  bool is_dense_;
  operand vector_;  // the operand that the chain is made for
  plan_options plans_;
  grid_tables<T> tables_;
  field<T> dense_;  // (q,d) of the whole element
  field<T> D_;
  assembly_on_demand<T> assembly_;
  chain evaluation_;
  buffer workspace_;
};

}  // namespace

template <class T>
std::unique_ptr<mass_form<T>> make_evaluation_form(const mass_parts<T>& parts) {
  return std::make_unique<evaluation_form<T>>(parts);
}
template std::unique_ptr<mass_form<float>> make_evaluation_form(const mass_parts<float>&);
template std::unique_ptr<mass_form<double>> make_evaluation_form(const mass_parts<double>&);

}  // namespace tessera::fem::detail
