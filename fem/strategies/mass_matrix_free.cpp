// SPDX-License-Identifier: BSD-3-Clause
// The matrix-free strategy: D of a block of elements is computed from their nodes, used, and discarded.
#include "determinant.hpp"
#include "mass_form.hpp"

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/fem/strategies/geometry.hpp>

#include <algorithm>

namespace tessera::fem::detail {

namespace {

// A block's determinants and derivatives stay in the caches of the CPU's threads, and fill a GPU.
constexpr index_t block_bytes_cpu_thread = index_t{1} << 20;
constexpr index_t block_bytes_gpu = index_t{256} << 20;

index_t block_bytes(space_kind space, const plan_options& options) {
  if (space == space_kind::gpu) return block_bytes_gpu;
  return block_bytes_cpu_thread * useful_threads(options.threads);
}

/// Tables and coefficient, common to all blocks.
template <class T>
struct shared_data {
  grid_tables<T> tables, geometry;
  field<T> weights;      // (q1,q2[,q3])
  field<T> rho;          // at points; empty where the coefficient is one number
  double scale = 1;      // that number
  field<T> coordinates;  // component c of element e is the (c + dim e)-th tensor of nodes
};

/// All data for `count` elements at a time.
template <class T>
class block_worker {
 public:
  block_worker(const mass_parts<T>& parts, const shared_data<T>& data, index_t count)
      : data_(data),
        count_(count),
        plans_(parts.options.plans),
        vector_(prototype(parts.space(), parts.element)),
        D_(parts.space(), parts.points, count),
        determinant_(data.geometry, cube(parts.domain.dim(), parts.domain.order() + 1), parts.points, parts.space(),
                     count, plans_),
        weigh_(make_plan(flat_product({data.scale, 0}), flat(data.weights.shared()), flat(D_.batch()), flat(D_.batch()),
                         plans_)),
        assembly_(parts, D_.batch(), prototype(parts.space(), parts.matrix)),
        evaluation_(evaluation_steps(data.tables.operands(), D_.batch()), vector_, vector_, plans_),
        workspace_(parts.space(), evaluation_.workspace_bytes(count)) {
    if (data.rho.count() > 0)
      vary_ = std::make_unique<plan>(
          make_plan(flat_product({1, 0}), flat(data.rho.batch()), flat(D_.batch()), flat(D_.batch()), plans_));
  }

  index_t count() const { return count_; }
  void apply(index_t first, const operand& x, const operand& y, stream_view on) {
    compute(first, on);
    evaluation_.run(slice(x, first, count_), slice(y, first, count_), workspace_, on);
  }
  void assemble(index_t first, const operand& M, stream_view on) {
    compute(first, on);
    assembly_.run(D_.batch(), slice(M, first, count_), on);
  }
  std::string describe() const { return determinant_.describe() + weigh_.describe() + "\n" + evaluation_.describe(); }
  std::string describe_assembly() const { return determinant_.describe() + assembly_.describe(); }

 private:
  operand prototype(space_kind space, const shape& sizes) const {
    return packed_operand(scalar_of<T>, space, sizes, count_, nullptr);
  }
  static contraction flat_product(const scaling& scale) { return contraction("k,k->k", scale); }
  static operand flat(const operand& given) {
    operand o = given;
    o.facts = operand_facts{.rank = 1, .extent = {given.entries()}, .stride = {1}};
    return o;
  }
  void compute(index_t first, stream_view on) {
    const index_t dim = data_.coordinates.sizes().rank();
    determinant_.run(slice(data_.coordinates.batch(), first * dim, count_ * dim), D_.batch(), on);
    weigh_.run_on(on, flat(data_.weights.shared()), flat(D_.batch()), flat(D_.batch()));
    if (vary_) vary_->run_on(on, flat(slice(data_.rho.batch(), first, count_)), flat(D_.batch()), flat(D_.batch()));
  }

  const shared_data<T>& data_;
  index_t count_;
  plan_options plans_;
  operand vector_;
  field<T> D_;
  determinant_block<T> determinant_;
  plan weigh_;
  std::unique_ptr<plan> vary_;
  assembly_on_demand<T> assembly_;
  chain evaluation_;
  buffer workspace_;
};

template <class T>
class matrix_free_form : public mass_form<T> {
 public:
  explicit matrix_free_form(const mass_parts<T>& parts) : elements_(parts.elements()), data_(data_of(parts)) {
    // Checks the determinants once, and releases them.
    jacobian_determinants(parts.domain, parts.grid, parts.options.plans);
    const auto bytes =
        static_cast<index_t>(determinant_block<T>::bytes_an_element(parts.domain.dim(), parts.points.size()));
    const index_t block = std::clamp<index_t>(block_bytes(parts.space(), parts.options.plans) / bytes, 1, elements_);
    blocks_ = std::make_unique<block_worker<T>>(parts, data_, block);
    if (const index_t rest = elements_ % block) tail_ = std::make_unique<block_worker<T>>(parts, data_, rest);
  }

  void apply(const operand& x, const operand& y, stream_view on) override {
    for_blocks([&](block_worker<T>& worker, index_t first) { worker.apply(first, x, y, on); });
  }
  void assemble(const operand& M, stream_view on) override {
    for_blocks([&](block_worker<T>& worker, index_t first) { worker.assemble(first, M, on); });
  }
  std::size_t stored_bytes() const override {
    return data_.weights.bytes() + data_.rho.bytes() + data_.coordinates.bytes() + data_.tables.value_bytes() +
           data_.geometry.value_bytes() + data_.geometry.slope_bytes();
  }
  std::string describe() const override { return blocks_->describe(); }
  std::string describe_assembly() const override { return blocks_->describe_assembly(); }

 private:
  static shared_data<T> data_of(const mass_parts<T>& parts) {
    const mesh& domain = parts.domain;
    const auto as_T = [](auto&& values) { return std::vector<T>(values.begin(), values.end()); };
    shared_data<T> data;
    data.tables = grid_tables<T>(parts.functions, parts.grid, parts.space());
    data.geometry = grid_tables<T>(basis(basis_kind::gauss_lobatto, domain.order()), parts.grid, parts.space());
    data.weights = field<T>(parts.space(), parts.points, 1, as_T(parts.grid.weights()));
    if (const double* number = std::get_if<double>(&parts.options.rho))
      data.scale = *number;
    else
      data.rho = field<T>(parts.space(), parts.points, parts.elements(),
                          as_T(values_at_points(parts.options.rho, domain, parts.grid, parts.options.plans)));
    data.coordinates = field<T>(parts.space(), cube(domain.dim(), domain.order() + 1), domain.dim() * domain.elements(),
                                as_T(domain.coordinates()));
    return data;
  }
  template <class Work>
  void for_blocks(Work work) {
    index_t first = 0;
    for (; first + blocks_->count() <= elements_; first += blocks_->count()) work(*blocks_, first);
    if (tail_) work(*tail_, first);
  }

  index_t elements_;
  shared_data<T> data_;
  std::unique_ptr<block_worker<T>> blocks_, tail_;
};

}  // namespace

template <class T>
std::unique_ptr<mass_form<T>> make_matrix_free_form(const mass_parts<T>& parts) {
  return std::make_unique<matrix_free_form<T>>(parts);
}
template std::unique_ptr<mass_form<float>> make_matrix_free_form(const mass_parts<float>&);
template std::unique_ptr<mass_form<double>> make_matrix_free_form(const mass_parts<double>&);

}  // namespace tessera::fem::detail
