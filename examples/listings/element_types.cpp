// SPDX-License-Identifier: BSD-3-Clause
// Entries that are neither float nor double: complex, half, bfloat16; sums in a wider type.
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <complex>
#include <vector>

using namespace tessera;

int main() {
  // snippet types
  // Memory of std::complex, cuComplex and the like is viewed as it is; conj is a view too.
  std::vector<std::complex<double>> memory(8 * 3, {1, 1}), result(3 * 3);
  auto z = view(as_complex(memory.data()), of_size<8, 3>());
  auto w = view(as_complex(result.data()), of_size<3, 3>());
  contract<"ki,kj->ij">(conj(z), z, w, {{0, 0.5}, 0});  // W = i/2 Z^H Z

  // 16 bits in, float or 16 bits out, sums in float.
  auto h = make_batch<half>(of_size<4, 4>(), 100);
  auto y = make_batch<float>(of_size<4, 4>(), 100);
  std::fill(h.begin(), h.end(), half(1.5f));
  contract<"ik,kj->ij">(h, h, y);

  // Float data; sums, alpha and beta in double: the same words in a plan.
  auto t = make_batch<float>(of_size<4, 4>(), 100);
  contract<"ik,kj->ij">(y, y, t, sums_in<double>());
  const plan p = make_plan(contraction("ik,kj->ij", sums_in<double>(add)), y, y, t);
  p.run(y, y, t);
  // end snippet
  const bool good = result[4] == std::complex<double>(0, 8) && y(99)(3, 3) == 9 && t(99)(3, 3) == 648;
  return good ? 0 : 1;
}
