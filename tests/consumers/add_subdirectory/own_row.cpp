// SPDX-License-Identifier: BSD-3-Clause
// A user's program whose build had a tuning record: the plan runs the record's row, and says so.
#include <tessera/explain.hpp>
#include <tessera/tessera.hpp>

#include <iostream>
#include <string>

namespace {

// Whether the plan's description, which is printed, has all these words, and the product is right.
bool runs(tessera::target on, tessera::index_t count, std::initializer_list<const char*> words) {
  using namespace tessera;
  auto a = make_tensor<double>(of_size(5, 5));
  auto x = make_batch<double>(of_size(5, 5), count), y = make_batch<double>(of_size(5, 5), count);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) {
      a(i, j) = i == j ? 3 : 0;
      for (const index_t e : {index_t(0), count - 1}) x(e)(i, j) = i + 10 * j;
    }
  const plan p = make_plan(contraction("ij,jk->ik"), a, x, y, {.on = on});
  p.run(a, x, y);
  bool right = true;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i)
      for (const index_t e : {index_t(0), count - 1}) right = right && y(e)(i, j) == 3 * (i + 10 * j);
  std::cout << p.describe() << '\n' << (right ? "" : "wrong product\n");
  for (const std::string word : words)
    if (p.describe().find(word) == std::string::npos) {
      std::cout << "does not say: " << word << '\n';
      right = false;
    }
  return right;
}

}  // namespace

int main(int, char** arguments) try {
  const tessera::target on = tessera::target_from_name(arguments[1]);
  const bool small = runs(on, 7,
                          {"gemm f64 5x5x5", "tile of 2 vectors x 1 columns, k unrolled by 4", "record of Consumer CPU",
                           "operands in cache", "measured with an earlier version of the kernels"});
  // The same size with operands larger than the cache has a record and a row of its own.
  const std::string large = tessera::explain({.where = on, .m = 5, .n = 5, .k = 5, .bytes = 2, .cache_bytes = 1});
  std::cout << large;
  const bool streams =
      large.find("takes: 5x5x5 (tile of 1 vectors x 2 columns, k unrolled fully)") != std::string::npos;
  return small && streams ? 0 : 1;
} catch (const tessera::error& fault) {
  std::cerr << fault.what() << '\n';
  return 1;
}
