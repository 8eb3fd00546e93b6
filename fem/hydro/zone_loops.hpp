// SPDX-License-Identifier: BSD-3-Clause
// Functions of a zone at its quadrature points, and sums over the points: a table along each direction.
#pragma once

#include <tessera/core/types.hpp>

#include <array>
#include <vector>

#include "dimensions.hpp"

namespace tessera::fem::detail {

/// One direction: `points` x `functions`, column-major.
struct line_table {
  int points = 0, functions = 0;
  const double* at = nullptr;
};

/// out(i, k, l) = sum_j T(k, j) in(i, j, l), i of `inner` and l of `outer`; += where `add`.
inline void to_points(const line_table& T, index_t inner, index_t outer, const double* in, double* out) {
  for (index_t l = 0; l < outer; ++l)
    for (index_t k = 0; k < T.points; ++k) {
      double* to = out + inner * (k + T.points * l);
      for (index_t i = 0; i < inner; ++i) to[i] = 0;
      for (index_t j = 0; j < T.functions; ++j) {
        const double factor = T.at[k + T.points * j];
        const double* from = in + inner * (j + T.functions * l);
        for (index_t i = 0; i < inner; ++i) to[i] += factor * from[i];
      }
    }
}
/// out(i, j, l) (+)= sum_k T(k, j) in(i, k, l).
inline void from_points(const line_table& T, index_t inner, index_t outer, const double* in, double* out, bool add) {
  for (index_t l = 0; l < outer; ++l)
    for (index_t j = 0; j < T.functions; ++j) {
      double* to = out + inner * (j + T.functions * l);
      if (!add)
        for (index_t i = 0; i < inner; ++i) to[i] = 0;
      for (index_t k = 0; k < T.points; ++k) {
        const double factor = T.at[k + T.points * j];
        const double* from = in + inner * (k + T.points * l);
        for (index_t i = 0; i < inner; ++i) to[i] += factor * from[i];
      }
    }
}

/// Between the functions of a zone of dim directions, of one component, and its points. Has memory of its own: one
/// for each thread.
template <int dim>
class zone_loops {
 public:
  /// Tables of values and of derivatives of `functions` functions at `points` points.
  zone_loops(int points, int functions, const std::vector<double>& B, const std::vector<double>& G)
      : B_{points, functions, B.data()}, G_{points, functions, G.data()} {
    index_t most = 1;
    for (int a = 0; a < dim; ++a) most *= points > functions ? points : functions;
    for (auto* memory : {&value_, &next_}) memory->resize(std::size_t(most));
    for (auto& slope : slope_) slope.resize(std::size_t(most));
  }

  index_t functions() const { return power(B_.functions, dim); }
  index_t points() const { return power(B_.points, dim); }

  /// At all points.
  void values(const double* u, double* out) {
    const double* from = u;
    for (int a = 0; a < dim; ++a) {
      double* to = a + 1 == dim ? out : a % 2 == 0 ? value_.data() : next_.data();
      to_points(B_, power(B_.points, a), power(B_.functions, dim - 1 - a), from, to);
      from = to;
    }
  }
  /// out[direction] + ... : the derivative in each direction.
  void gradients(const double* u, const std::array<double*, dim>& out) {
    const double* values = u;
    std::array<const double*, dim> slopes{};
    for (int a = 0; a < dim; ++a) {
      const bool last = a + 1 == dim;
      const index_t inner = power(B_.points, a), outer = power(B_.functions, dim - 1 - a);
      for (int g = 0; g < a; ++g) {
        double* to = last ? out[std::size_t(g)] : next_.data();
        to_points(B_, inner, outer, slopes[std::size_t(g)], to);
        if (!last) slope_[std::size_t(g)].swap(next_);
        slopes[std::size_t(g)] = last ? to : slope_[std::size_t(g)].data();
      }
      double* to = last ? out[std::size_t(a)] : slope_[std::size_t(a)].data();
      to_points(G_, inner, outer, values, to);
      slopes[std::size_t(a)] = to;
      if (last) break;
      to_points(B_, inner, outer, values, next_.data());
      value_.swap(next_);
      values = value_.data();
    }
  }
  /// out = sum over the points of `at` times the functions.
  void sums(const double* at, double* out) {
    const double* from = at;
    for (int a = dim - 1; a >= 0; --a) {
      double* to = a == 0 ? out : a % 2 == 0 ? value_.data() : next_.data();
      from_points(B_, power(B_.points, a), power(B_.functions, dim - 1 - a), from, to, false);
      from = to;
    }
  }
  /// out = sum over the points of `at` times the functions' gradients.
  void gradient_sums(const std::array<const double*, dim>& at, double* out) {
    std::array<const double*, dim> slopes = at;
    bool some = false;  // whether value_ has sums of directions beyond a
    for (int a = dim - 1; a >= 0; --a) {
      const index_t inner = power(B_.points, a), outer = power(B_.functions, dim - 1 - a);
      double* to = a == 0 ? out : next_.data();
      from_points(G_, inner, outer, slopes[std::size_t(a)], to, false);
      if (some) from_points(B_, inner, outer, value_.data(), to, true);
      if (a == 0) break;
      value_.swap(next_);
      some = true;
      for (int g = 0; g < a; ++g) {
        from_points(B_, inner, outer, slopes[std::size_t(g)], next_.data(), false);
        slope_[std::size_t(g)].swap(next_);
        slopes[std::size_t(g)] = slope_[std::size_t(g)].data();
      }
    }
  }

 private:
  line_table B_, G_;
  std::vector<double> value_, next_;
  std::array<std::vector<double>, dim> slope_;
};

}  // namespace tessera::fem::detail
