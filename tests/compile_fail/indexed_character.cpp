// SPDX-License-Identifier: BSD-3-Clause
// A character in index notation would be the number of its code.
// expect: tessera: index notation: a character is neither an index nor a number
#include <tessera/indexed.hpp>
#include <tessera/tessera.hpp>

int main() {
  using namespace tessera;
  using namespace tessera::index_names;
  auto a = make_tensor<double>(of_size(3, 3)), b = make_tensor<double>(of_size(3, 3)),
       c = make_tensor<double>(of_size(3, 3));
  const auto A = indexed(a), B = indexed(b), C = indexed(c);
  C(i, j) = A('i', k) * B(k, j);  // fails
  C(i, j) = A(i, k) * B(k, j);
}
