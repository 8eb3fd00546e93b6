// SPDX-License-Identifier: BSD-3-Clause
// Chooses the kernels of batched_cholesky, and runs them on all threads.
#include <tessera/cpu/detail/cholesky.hpp>

#include <string>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

namespace tessera::detail {

template <class T>
const cholesky_kernels<T>& chosen_cholesky_kernels() {
  const target wanted = default_cpu_target();
  const std::vector<const cholesky_kernels<T>*> all = compiled_cholesky_kernels<T>();
  for (const cholesky_kernels<T>* one : all)
    if (one->isa == wanted || wanted == target::reference) return *one;
  throw error(std::string("batched_cholesky: this build has no kernels in ") + name_of(scalar_of<T>) + " for " +
                  name_of(wanted) + " (TESSERA_TYPES)",
              status::no_target);
}

template <class T>
cholesky_failure factor_cholesky(const cholesky_kernels<T>& by, int n, index_t count, const T* A, T* L) {
  // A chunk stops at its own first failure, so the first of all is among those.
  std::vector<cholesky_failure> found(std::size_t(batch_chunks(by.blocks(count))));
  const index_t chunks = index_t(found.size());
  for_batch_chunks(by.blocks(count), chunks, [&](index_t chunk, index_t first, index_t last) {
    found[std::size_t(chunk)] = by.factor(n, count, A, L, first, last);
  });
  for (const cholesky_failure& one : found)
    if (one.matrix >= 0) return one;
  return {};
}

template <class T>
void solve_cholesky(const cholesky_kernels<T>& by, int n, index_t count, const T* L, const T* b, T* x) {
  const auto some = [&](index_t first, index_t last) { by.solve(n, count, L, b, x, first, last); };
  if (2.0 * n * n * double(count) < serial_flops)
    some(0, by.blocks(count));
  else
    for_batch_chunks(by.blocks(count), some);
}

template const cholesky_kernels<float>& chosen_cholesky_kernels();
template const cholesky_kernels<double>& chosen_cholesky_kernels();
template cholesky_failure factor_cholesky(const cholesky_kernels<float>&, int, index_t, const float*, float*);
template cholesky_failure factor_cholesky(const cholesky_kernels<double>&, int, index_t, const double*, double*);
template void solve_cholesky(const cholesky_kernels<float>&, int, index_t, const float*, const float*, float*);
template void solve_cholesky(const cholesky_kernels<double>&, int, index_t, const double*, const double*, double*);

}  // namespace tessera::detail
