// SPDX-License-Identifier: BSD-3-Clause
// Derivatives by chains over B and G, then determinants by pointwise products.
#include "determinant.hpp"

#include <algorithm>

namespace tessera::fem::detail {

namespace {

enum product { assign_product, subtract_product, add_product };
constexpr scaling scale_of[] = {{1, 0}, {-1, 1}, {1, 1}};

}  // namespace

template <class T>
determinant_block<T>::determinant_block(const grid_tables<T>& tables, const shape& nodes, const shape& points,
                                        space_kind space, index_t count, const plan_options& options)
    : dim_(points.rank()), points_(points.size()), count_(count), minor_(space, of_size(points.size()), count) {
  const operand in = packed_operand(scalar_of<T>, space, nodes, dim_ * count, nullptr);
  std::size_t bytes = 0;
  for (int a = 0; a < dim_; ++a) {
    jacobian_.emplace_back(space, points, dim_ * count);
    derivative_.emplace_back(interpolation_steps(tables.operands(a)), in, jacobian_.back().batch(), options);
    bytes = std::max(bytes, derivative_.back().workspace_bytes(dim_ * count));
  }
  workspace_ = buffer(space, bytes);
  const operand any = component(0, 0);
  for (const scaling& scale : scale_of)
    products_.push_back(make_plan(contraction("k,k->k", scale), any, any, minor_, options));
}

template <class T>
operand determinant_block<T>::component(int c, int direction) const {
  const field<T>& all = jacobian_[static_cast<std::size_t>(direction)];
  operand o = packed_operand(scalar_of<T>, all.space(), of_size(points_), count_, all.data() + c * points_);
  o.stride = dim_ * points_;
  return o;
}

template <class T>
void determinant_block<T>::run(const operand& coordinates, const operand& det, stream_view on) {
  for (std::size_t a = 0; a < derivative_.size(); ++a) derivative_[a].run(coordinates, jacobian_[a], workspace_, on);
  operand result = packed_operand(scalar_of<T>, det.space, of_size(points_), det.count, det.data);
  result.stride = det.stride;
  const operand minor = minor_.batch();
  operand minor_out = minor;
  minor_out.writable = true;
  const auto multiply = [&](product how, const operand& a, const operand& b, const operand& out) {
    products_[static_cast<std::size_t>(how)].run_on(on, a, b, out);
  };
  if (dim_ == 2) {
    multiply(assign_product, component(0, 0), component(1, 1), result);
    multiply(subtract_product, component(1, 0), component(0, 1), result);
    return;
  }
  // Along the first column: J(c,1) times its minor, with the components in cyclic order, so that no sign changes.
  for (int c = 0; c < 3; ++c) {
    const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    multiply(assign_product, component(c1, 1), component(c2, 2), minor_out);
    multiply(subtract_product, component(c2, 1), component(c1, 2), minor_out);
    multiply(c == 0 ? assign_product : add_product, component(c, 0), minor, result);
  }
}

template <class T>
std::string determinant_block<T>::describe() const {
  std::string text;
  for (const chain& c : derivative_) text += c.describe();
  for (const plan& p : products_) text += p.describe() + "\n";
  return text;
}

template class determinant_block<float>;
template class determinant_block<double>;

}  // namespace tessera::fem::detail
