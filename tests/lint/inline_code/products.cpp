// SPDX-License-Identifier: BSD-3-Clause
// Products of small static sizes as a user's loop has them; only their machine code is read.
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

using namespace tessera;

namespace {

template <class T, int N>
[[gnu::always_inline]] inline void square(const T* a, const T* b, T* c) {
  contract<"ik,kj->ij">(view(a, of_size<N, N>()), view(b, of_size<N, N>()), view(c, of_size<N, N>()));
}

}  // namespace

extern "C" {

void inline_square_2(const double* a, const double* b, double* c) { square<double, 2>(a, b, c); }
void inline_square_3(const double* a, const double* b, double* c) { square<double, 3>(a, b, c); }
void inline_square_4(const double* a, const double* b, double* c) { square<double, 4>(a, b, c); }
void inline_square_8(const double* a, const double* b, double* c) { square<double, 8>(a, b, c); }
void inline_square_5_f32(const float* a, const float* b, float* c) { square<float, 5>(a, b, c); }

void inline_first(const double* table, const double* x, double* y) {
  contract<"kj,jbc->kbc">(view(table, of_size<4, 3>()), view(x, of_size<3, 3, 3>()), view(y, of_size<4, 3, 3>()));
}
void inline_middle(const double* table, const double* x, double* y) {
  contract<"kj,ajc->akc">(view(table, of_size<4, 3>()), view(x, of_size<3, 3, 3>()), view(y, of_size<3, 4, 3>()));
}
void inline_last(const double* table, const double* x, double* y) {
  contract<"kj,abj->abk">(view(table, of_size<4, 3>()), view(x, of_size<3, 3, 3>()), view(y, of_size<3, 3, 4>()));
}

void inline_loop(const double* a, const double* b, double* c, index_t count) {
  for (index_t e = 0; e < count; ++e) square<double, 4>(a + 16 * e, b + 16 * e, c + 16 * e);
}
}
