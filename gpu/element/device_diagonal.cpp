// SPDX-License-Identifier: BSD-3-Clause
// Multiplies the tables of diagonals, and launches their kernels.
#include "device_diagonal.hpp"

#include <tessera/gpu/detail/element/diagonal_arguments.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/upload.hpp>

#include "device_operator.hpp"
#include "src/element/function_facts.hpp"

namespace tessera::detail {

namespace {

std::size_t at(index_t i) { return std::size_t(i); }

// test(k,i) trial(k,i) of tables (q,d) from `v` and `u` on, to [i + d k]; nothing where one of them is not given.
template <class T>
void multiply(const std::vector<double>& test, index_t v, const std::vector<double>& trial, index_t u, index_t q,
              index_t d, T* to) {
  if (index_t(test.size()) < v + q * d || index_t(trial.size()) < u + q * d) return;
  for (index_t i = 0; i < d; ++i)
    for (index_t k = 0; k < q; ++k) to[i + d * k] = T(test[at(v + k + q * i)] * trial[at(u + k + q * i)]);
}

}  // namespace

template <class T>
device_diagonal<T>::device_diagonal(const std::string& name, const operator_sizes& s, bool dense)
    : name_("diagonals of " + name),
      layout_(element_layout::conventional(s.test_size(), s.components)),
      repeats_(s.repeats()) {
  const gpu_limits limits = device_operator<T>::limits_here();
  kernel_.type = kernel_.stored = scalar_of<T>;
  kernel_.function = facts_of(*s.kind, s.dim).source.type;
  kernel_.sizes = {.directions = dense ? 1 : s.dim,
                   .functions = int(s.d),
                   .points = int(dense ? s.points() : s.q),
                   .entry_bytes = int(sizeof(T))};
  kernel_.dense = dense;
  kernel_.tuning = ruled_diagonal_tuning(kernel_.sizes, limits.shared_bytes);
  fits_ = diagonal_layout{kernel_.sizes, kernel_.tuning}.entries() * kernel_.sizes.entry_bytes <= limits.shared_bytes;
}

template <class T>
device_diagonal<T>::device_diagonal(const std::string& name, const operator_sizes& s,
                                    const device::direction_tables& of)
    : device_diagonal(name, s, false) {
  const auto slopes = [&](const std::vector<double>& given, const std::vector<double>& values) {
    if (!given.empty() || of.differentiate.empty()) return given;
    return device::slopes_of(of.differentiate, values, int(s.q), int(s.d));
  };
  const std::vector<double> test[2] = {of.test_functions, slopes(of.test_gradients, of.test_functions)};
  const std::vector<double> trial[2] = {of.interpolate, slopes(of.gradients, of.interpolate)};
  std::vector<T> tables(at(4 * s.q * s.d));
  for (index_t n = 0; n < 4; ++n) multiply(test[n / 2], 0, trial[n % 2], 0, s.q, s.d, tables.data() + n * s.q * s.d);
  tables_ = device::uploaded(tables);
}

template <class T>
device_diagonal<T>::device_diagonal(const std::string& name, const operator_sizes& s, const dense_basis& trial,
                                    const dense_basis& test)
    : device_diagonal(name, s, true) {
  const index_t slots = s.dim + 1, table = s.points() * s.d;
  std::vector<T> tables(at(slots * slots * table));
  const auto of = [&](const dense_basis& basis, index_t slot) -> const std::vector<double>& {
    return slot < s.dim ? basis.gradients : basis.values;
  };
  for (index_t o = 0; o < slots; ++o)
    for (index_t i = 0; i < slots; ++i)
      multiply(of(test, o), o < s.dim ? o * table : 0, of(trial, i), i < s.dim ? i * table : 0, s.points(), s.d,
               tables.data() + (i + slots * o) * table);
  tables_ = device::uploaded(tables);
}

template <class T>
void device_diagonal<T>::run(index_t first, index_t count, T* y, const void* D, scalar_type stored) const {
  ready& r = ready_[std::size_t(stored != kernel_.type)];
  std::call_once(r.once, [&] {
    device::diagonal_kernel of_stored = kernel_;
    of_stored.stored = stored;
    r.code = device::ready_code(name_, device::source_of(of_stored));
  });
  device::diagonal_arguments<T> arguments{.D = D,
                                          .y = y,
                                          .tables = static_cast<const T*>(tables_.data()),
                                          .first = first,
                                          .count = count,
                                          .repeats = repeats_,
                                          .y_layout = layout_.from(first)};
  void* parameters[] = {&arguments};
  const int bytes = diagonal_layout{kernel_.sizes, kernel_.tuning}.entries() * kernel_.sizes.entry_bytes;
  r.code->queue(0, count, kernel_.tuning.elements, kernel_.tuning.threads, bytes, parameters, nullptr);
}

template class device_diagonal<float>;
template class device_diagonal<double>;

}  // namespace tessera::detail
