// SPDX-License-Identifier: BSD-3-Clause
// The products of a sweep by products of matrices. In the order of letters that is chosen here each product finds what
// it sums over side by side, or in slices at a constant distance, so that nothing is transposed.
#include <array>

#include "blas.hpp"
#include "contractions.hpp"

namespace tessera::spin_chain {

namespace {

double* data_of(const operand& o) { return static_cast<double*>(const_cast<void*>(o.data)); }

class by_blas : public contractions {
 public:
  explicit by_blas(space_kind where) : where_(where), by_(where == space_kind::gpu ? device_blas() : host_blas()) {}

  void merge(const operand& first, const operand& second, const operand& theta) override {
    const auto [a, s, m] = extents<3>(first);
    const index_t columns = second.facts.extent[1] * second.facts.extent[2];
    multiply(a * s, columns, m, {data_of(first), a * s}, {data_of(second), m}, {data_of(theta), a * s});
  }

  void apply(const operand& L, const operand& theta, const operand& pair, const operand& R,
             const operand& out) override {
    const auto [a, s, r, b] = extents<4>(theta);
    const auto [x, t, u, y] = extents<4>(out);
    const index_t v = operator_bond, sites = s * r;
    double* const from_right = memory(0, a * sites * v * y);  // (a,s,r,v,y)
    double* const with_pair = memory(1, a * v * sites * y);   // (a,w,t,u,y)
    multiply(a * sites, v * y, b, {data_of(theta), a * sites}, {data_of(R), b}, {from_right, a * sites});
    multiply(a, v * sites, sites * v, {from_right, a, a * sites * v}, {data_of(pair), sites * v},
             {with_pair, a, a * v * sites}, y);
    multiply(x, sites * y, a * v, {data_of(L), x}, {with_pair, a * v}, {data_of(out), x});
  }

  void extend_left(const operand& L, const operand& A, const operand& left, const operand& out) override {
    const auto [x, a, w] = extents<3>(L);
    const auto [as, s, b] = extents<3>(A);
    double* const with_site = memory(0, x * w * s * b);      // (x,w,s,b)
    double* const with_operator = memory(1, x * s * w * b);  // (x,t,v,b)
    multiply(x, s * b, a, {data_of(L), x, x * a}, {data_of(A), a}, {with_site, x * w, x}, w);
    multiply(x, s * w, w * s, {with_site, x, x * w * s}, {data_of(left), w * s}, {with_operator, x, x * s * w}, b);
    multiply(b, b, x * s, {data_of(A), x * s, 0, 'T'}, {with_operator, x * s * w, x * s}, {data_of(out), b, b * b}, w);
  }

  void extend_right(const operand& R, const operand& A, const operand& right, const operand& out) override {
    const auto [b, v, y] = extents<3>(R);
    const auto [a, s, bs] = extents<3>(A);
    double* const with_site = memory(0, a * s * v * y);      // (a,s,v,y)
    double* const with_operator = memory(1, a * v * s * y);  // (a,w,t,y)
    multiply(a * s, v * y, b, {data_of(A), a * s}, {data_of(R), b}, {with_site, a * s});
    multiply(a, v * s, s * v, {with_site, a, a * s * v}, {data_of(right), s * v}, {with_operator, a, a * v * s}, y);
    multiply(a * v, a, s * y, {with_operator, a * v}, {data_of(A), a, 0, 'T'}, {data_of(out), a * v});
  }

  std::string describe() const override { return by_->name(); }

 private:
  template <std::size_t Rank>
  static std::array<index_t, Rank> extents(const operand& o) {
    std::array<index_t, Rank> all;
    for (std::size_t d = 0; d < Rank; ++d) all[d] = o.facts.extent[d];
    return all;
  }

  void multiply(index_t m, index_t n, index_t k, const blas_matrix& A, const blas_matrix& B, const blas_matrix& C,
                index_t times = 1) {
    by_->multiply(m, n, k, A, B, C, times);
    count(2.0 * double(m) * double(n) * double(k) * double(times));
  }

  double* memory(int which, index_t entries) {
    if (between_[which].size() < entries) between_[which] = packed_tensor(where_, {entries});
    return between_[which].data();
  }

  space_kind where_;
  std::unique_ptr<blas> by_;
  packed_tensor between_[2];  // as large as the largest so far
};

}  // namespace

std::unique_ptr<contractions> blas_contractions(space_kind where) { return std::make_unique<by_blas>(where); }

}  // namespace tessera::spin_chain
