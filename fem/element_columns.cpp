// SPDX-License-Identifier: BSD-3-Clause
// Matrices and diagonals of element operators column by column: applications to unit vectors.
#include "element_columns.hpp"

#include <tessera/copy.hpp>
#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/error.hpp>
#include <tessera/memory.hpp>
#include <tessera/view.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::fem {

namespace {

template <class T>
void to_device(const std::vector<T>& from, T* to) {
  const auto size = of_size(static_cast<index_t>(from.size()));
  copy(view(from.data(), size), view(gpu, to, size));
}
template <class T>
void from_device(const T* from, std::vector<T>& to) {
  const auto size = of_size(static_cast<index_t>(to.size()));
  copy(view(gpu, from, size), view(to.data(), size));
}

/// A vector of the host with a copy on the device, where kernels run there.
template <class T>
class vector_for {
 public:
  vector_for(space_kind space, index_t size)
      : host(static_cast<std::size_t>(size)),
        there_(space == space_kind::gpu ? space : space_kind::cpu, bytes_of(space)) {}

  std::vector<T> host;
  T* for_kernels() { return is_apart() ? static_cast<T*>(there_.data()) : host.data(); }
  void send() {
    if (is_apart()) to_device(host, for_kernels());
  }
  void fetch() {
    if (is_apart()) from_device(for_kernels(), host);
  }

 private:
  std::size_t bytes_of(space_kind space) const { return space == space_kind::gpu ? host.size() * sizeof(T) : 0; }
  bool is_apart() const { return there_.bytes() > 0; }
  buffer there_;
};

// What `fill` makes on the host, into memory of either side.
template <class T, class Fill>
void fill_in(space_kind space, T* to, index_t size, Fill fill) {
  if (space == space_kind::cpu) return fill(to);
  std::vector<T> host(static_cast<std::size_t>(size));
  fill(host.data());
  to_device(host, to);
}

/// The columns of matrices of some elements at a time: vectors for them, and the applications.
template <class T>
class matrix_columns {
 public:
  matrix_columns(const element_operator<T>& of, index_t at_once)
      : of_(of),
        nx_(of.trial_size() * of.components()),
        ny_(of.test_size() * of.test_components()),
        x_(of.kernel().space(), nx_ * at_once),
        y_(of.kernel().space(), ny_ * at_once) {}

  /// take(j, e, y) for every column j of the matrix of element e, y being that column.
  template <class Take>
  void run(index_t start, index_t stop, const Take& take) {
    for (index_t j = 0; j < nx_; ++j) {
      for (index_t e = 0; e < stop - start; ++e) x_.host[static_cast<std::size_t>(j + nx_ * e)] = 1;
      apply(start, stop);
      for (index_t e = 0; e < stop - start; ++e) x_.host[static_cast<std::size_t>(j + nx_ * e)] = 0;
      for (index_t e = 0; e < stop - start; ++e) take(j, start + e, y_.host.data() + ny_ * e);
    }
  }
  /// Allocates what the calling thread needs for run().
  void prepare(index_t start, index_t stop) { apply(start, stop); }

 private:
  void apply(index_t start, index_t stop) {
    x_.send();
    of_.apply(element_set::range(start, stop), {.x = x_.for_kernels(),
                                                .x_layout = of_.x_layout().from(start),
                                                .y = y_.for_kernels(),
                                                .y_layout = of_.y_layout().from(start)});
    y_.fetch();
  }

  const element_operator<T>& of_;
  index_t nx_, ny_;
  vector_for<T> x_, y_;
};

// take(j, e, y) for every column j of the matrix of element first + e, y being that column; on a CPU by all threads.
// Everything is allocated before the first column is taken.
template <class T, class Take>
void each_column(const element_operator<T>& of, index_t first, index_t count, const Take& take) {
  const index_t nx = of.trial_size() * of.components(), ny = of.test_size() * of.test_components(),
                last = first + count;
  // Many elements at a time are worth an application each column. On a CPU few elements in whole vectors leave work for
  // every thread.
  constexpr index_t lanes = 64 / sizeof(T);
  const bool on_gpu = of.kernel().space() == space_kind::gpu;
  const index_t most = std::clamp<index_t>((index_t{1} << 18) / std::max(nx, ny), 1, 64);
  const index_t share = lanes * std::clamp<index_t>(count / (16 * lanes), 1, 64 / lanes);
  const index_t at_once = on_gpu ? most : std::min(most, share);
  const index_t first_group = first / at_once, groups = (last + at_once - 1) / at_once - first_group;
  const bool serial = on_gpu || double(count) * double(nx) * double(ny) < serial_flops;
  const index_t chunks = serial ? 1 : batch_chunks(groups);
  std::vector<matrix_columns<T>> of_chunk;
  of_chunk.reserve(static_cast<std::size_t>(chunks));
  for (index_t chunk = 0; chunk < chunks; ++chunk) of_chunk.emplace_back(of, at_once);
  const auto start_of = [&](index_t group) { return std::max(first, group * at_once); };
  const auto stop_of = [&](index_t group) { return std::min(last, (group + 1) * at_once); };
  for_batch_chunks(groups, chunks, [&](index_t chunk, index_t begin, index_t) {
    const index_t group = first_group + begin;
    of_chunk[static_cast<std::size_t>(chunk)].prepare(start_of(group), stop_of(group));
  });
  for_batch_chunks(groups, chunks, [&](index_t chunk, index_t begin, index_t end) {
    for (index_t group = first_group + begin; group < first_group + end; ++group)
      of_chunk[static_cast<std::size_t>(chunk)].run(start_of(group), stop_of(group),
                                                    [&](index_t j, index_t e, const T* y) { take(j, e - first, y); });
  });
}

}  // namespace

namespace detail {

// A function of the user's has matrices only if it is linear: A (x + 2 z) = A x + 2 A z, which is tried with some
// numbers on the first elements.
template <class T>
void check_linear(const char* operation, const element_operator<T>& of, index_t first, index_t count) {
  if (of.kernel().is_built_in()) return;
  const index_t some = std::min<index_t>(count, 8), nx = of.trial_size() * of.components() * some,
                ny = of.test_size() * of.test_components() * some;
  vector_for<T> x(of.kernel().space(), nx), y(of.kernel().space(), ny);
  std::vector<T> difference(static_cast<std::size_t>(ny), T(0)), size = difference;
  const auto number = [](index_t i, index_t which) { return (T((i * 37 + which * 101) % 64) - T(31.5)) / T(32); };
  for (const int which : {0, 1, 2}) {
    for (index_t i = 0; i < nx; ++i)
      x.host[static_cast<std::size_t>(i)] = which < 2 ? number(i, which) : number(i, 0) + 2 * number(i, 1);
    x.send();
    of.apply(element_set::range(first, first + some), {.x = x.for_kernels(),
                                                       .x_layout = of.x_layout().from(first),
                                                       .y = y.for_kernels(),
                                                       .y_layout = of.y_layout().from(first)});
    y.fetch();
    const T by = T(which == 2 ? -1 : which + 1);
    for (std::size_t i = 0; i < y.host.size(); ++i) {
      difference[i] += by * y.host[i];
      size[i] += std::abs(by * y.host[i]);
    }
  }
  for (std::size_t i = 0; i < size.size(); ++i)
    if (!std::isfinite(size[i]))
      throw error(std::string(operation) + ": " + of.kernel().describe(detail_level::brief) +
                  ": the function, or D, gives no finite number in element " +
                  std::to_string(first + static_cast<index_t>(i) / (ny / some)));
  const T largest = *std::max_element(size.begin(), size.end());
  for (std::size_t i = 0; i < difference.size(); ++i)
    if (!(std::abs(difference[i]) <= 1000 * std::numeric_limits<T>::epsilon() * largest))
      throw error(std::string(operation) + ": " + of.kernel().describe(detail_level::brief) +
                  ": the function is not linear, so it has no matrix: A (x + 2 z) is not A x + 2 A z in element " +
                  std::to_string(first + static_cast<index_t>(i) / (ny / some)));
}

template <class T>
void assemble_columns(const element_operator<T>& of, index_t first, index_t count, T* M, matrix_storage how) {
  const index_t ny = of.test_size() * of.test_components(), size = of.matrix_entries(how);
  fill_in(of.kernel().space(), M, size * count, [&](T* to) {
    each_column(of, first, count, [&](index_t j, index_t e, const T* y) {
      const index_t top = how == matrix_storage::lower_packed ? j : 0;
      std::copy(y + top, y + ny, to + size * e + matrix_place(top, j, ny, how));
    });
  });
}

template <class T>
void diagonal_of_columns(const element_operator<T>& of, T* diagonal) {
  const index_t n = of.trial_size() * of.components();
  fill_in(of.kernel().space(), diagonal, n * of.elements(), [&](T* to) {
    each_column(of, 0, of.elements(), [&](index_t j, index_t e, const T* y) { to[j + n * e] = y[j]; });
  });
}

template void check_linear(const char*, const element_operator<float>&, index_t, index_t);
template void check_linear(const char*, const element_operator<double>&, index_t, index_t);
template void assemble_columns(const element_operator<float>&, index_t, index_t, float*, matrix_storage);
template void assemble_columns(const element_operator<double>&, index_t, index_t, double*, matrix_storage);
template void diagonal_of_columns(const element_operator<float>&, float*);
template void diagonal_of_columns(const element_operator<double>&, double*);

}  // namespace detail

}  // namespace tessera::fem
