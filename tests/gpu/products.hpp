// SPDX-License-Identifier: BSD-3-Clause
// Batched products for GPU tests: from a description to a problem on host and device, its reference and its bound.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::testing {

/// What to multiply and how it lies in memory.
struct product {
  index_t m = 1, n = 1, k = 1, loops = 1, batch = 1;
  bool trans_left = false, trans_right = false, trans_out = false;  // stored with rows and columns exchanged
  index_t pad = 0;                                                  // added to leading dimensions
  index_t gap = 0;                                                  // entries between batch entries
  index_t shift = 0;                                                // entries by which every view is moved
  index_t lanes = 1;                                                // interleaved by this many
  bool shared_left = false, shared_right = false;
  bool tables = false;  // offsets shuffled, handed over as tables
  int left_factors = 1, right_factors = 1;
  double alpha = 1, beta = 0;
  bool integers = false;  // small integer entries: results are exact
  canonical form = canonical::general;
};

inline std::string text_of(const product& p) {
  return std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k) + " loops " +
         std::to_string(p.loops) + " batch " + std::to_string(p.batch) + (p.trans_left ? " t" : " n") +
         (p.trans_right ? "t" : "n") + (p.trans_out ? "t" : "n") + " pad " + std::to_string(p.pad) + " gap " +
         std::to_string(p.gap) + " shift " + std::to_string(p.shift) + " lanes " + std::to_string(p.lanes) +
         (p.shared_left ? " A shared" : "") + (p.shared_right ? " B shared" : "") + (p.tables ? " tables" : "") +
         " factors " + std::to_string(p.left_factors) + "," + std::to_string(p.right_factors) + " alpha " +
         std::to_string(p.alpha) + " beta " + std::to_string(p.beta);
}

/// Device memory of exactly these entries.
template <class T>
class device_entries {
 public:
  explicit device_entries(const std::vector<T>& host)
      : bytes_(host.size() * sizeof(T)), data_(static_cast<T*>(device::allocate(bytes_))) {
    write(host);
  }
  device_entries(const device_entries&) = delete;
  device_entries& operator=(const device_entries&) = delete;
  ~device_entries() { device::deallocate(data_); }
  T* data() const { return data_; }
  void write(const std::vector<T>& host) {
    device::copy(data_, host.data(), bytes_, device::direction::host_to_device);
  }
  std::vector<T> read() const {
    std::vector<T> host(bytes_ / sizeof(T));
    device::copy(host.data(), data_, bytes_, device::direction::device_to_host);
    return host;
  }

 private:
  std::size_t bytes_;
  T* data_;
};

inline constexpr index_t canary = 64;  // entries before and behind the output that must not change

/// One operand in host memory, with the map that finds its entries.
template <class T>
struct arranged_operand {
  std::vector<T> entries;
  std::vector<index_t> table;
  run_time_map map;
  index_t batch_stride = 0, lanes = 1, first = 0;

  factor<T> on(T* data) const { return {data + first, batch_stride, lanes, map}; }
};

template <class T>
T draw(std::mt19937& random, bool integer) {
  const double unit = double(random() % 4096) / 2048.0 - 1.0;
  return T(integer ? std::floor(unit * 8) : unit);
}

template <class T>
arranged_operand<T> arrange(const product& p, index_t rows, index_t cols, bool transposed, bool shared, index_t around,
                            std::mt19937& random) {
  arranged_operand<T> a;
  const index_t lanes = shared ? 1 : p.lanes;
  const index_t ld = (transposed ? cols : rows) + p.pad, matrix = ld * (transposed ? rows : cols);
  a.lanes = lanes;
  a.map.row = (transposed ? ld : 1) * lanes;
  a.map.col = (transposed ? 1 : ld) * lanes;
  a.map.rows = rows;
  a.map.cols = cols;
  if (p.loops > 1) {
    a.map.loop_rank = 1;
    a.map.loop_extent[0] = p.loops;
    a.map.loop_stride[0] = matrix * lanes;
  }
  const index_t span = matrix * p.loops * lanes;
  a.batch_stride = shared ? 0 : span + p.gap * lanes;
  const index_t blocks = shared ? 1 : (p.batch + lanes - 1) / lanes;
  a.first = p.shift + around;
  a.entries.resize(std::size_t(a.first + (blocks > 0 ? (blocks - 1) * a.batch_stride : 0) + span + around));
  for (T& x : a.entries) x = draw<T>(random, p.integers);
  if (p.tables) {
    // Rows change places: not affine any more, but a one to one map into the same entries.
    for (index_t l = 0; l < p.loops; ++l)
      for (index_t c = 0; c < cols; ++c)
        for (index_t r = 0; r < rows; ++r) a.table.push_back(a.map.offset((r * 7 + c) % rows, c, l));
    if (rows % 7 == 0)
      for (std::size_t i = 0; i < a.table.size(); ++i)
        a.table[i] = a.map.offset(index_t(i) % rows, index_t(i) / rows % cols, index_t(i) / (rows * cols));
  }
  return a;
}

/// A product in host and device memory.
template <class T>
class arranged_product {
 public:
  arranged_product(const product& p, unsigned seed) : description_(p), random_(seed) {
    for (int f = 0; f < 2; ++f) left_.push_back(arrange<T>(p, p.m, p.k, p.trans_left, p.shared_left, 0, random_));
    for (int f = 0; f < 2; ++f)
      right_.push_back(
          arrange<T>(p, p.form == canonical::pointwise ? p.m : p.k, p.n, p.trans_right, p.shared_right, 0, random_));
    out_ = arrange<T>(p, p.m, p.n, p.trans_out, false, canary, random_);
    if (p.beta == 0)
      for (T& x : out_.entries) x = std::numeric_limits<T>::quiet_NaN();
  }

  /// The problem over `entries` of each operand in turn: left 0, left 1, right 0, right 1, out.
  problem<T> on(T* const (&data)[5], bool device) {
    problem<T> p;
    const product& d = description_;
    p.form = d.form;
    p.m = d.m;
    p.n = d.n;
    p.k = d.k;
    p.loops = d.loops;
    p.batch = d.batch;
    p.left_factors = d.left_factors;
    p.right_factors = d.right_factors;
    p.alpha = T(d.alpha);
    p.beta = T(d.beta);
    const auto place = [&](auto& to, arranged_operand<T>& from, T* at) {
      const factor<T> f = from.on(at);
      to = {f.data, f.batch_stride, f.lanes, f.map};
      if (from.table.empty()) return;
      if (device) tables_.push_back(device::upload(from.table));
      to.map.table = device ? tables_.back().data() : from.table.data();
    };
    for (int f = 0; f < 2; ++f) place(p.left[f], left_[std::size_t(f)], data[f]);
    for (int f = 0; f < 2; ++f) place(p.right[f], right_[std::size_t(f)], data[2 + f]);
    place(p.out, out_, data[4]);
    return p;
  }

  const product& description() const { return description_; }
  std::vector<T>& entries(int operand) {
    return operand == 4  ? out_.entries
           : operand < 2 ? left_[std::size_t(operand)].entries
                         : right_[std::size_t(operand - 2)].entries;
  }

 private:
  product description_;
  std::mt19937 random_;
  std::vector<arranged_operand<T>> left_, right_;
  arranged_operand<T> out_;
  std::vector<device::table> tables_;
};

/// How a result compares with the reference: the largest error over its bound (at most 1 is right), and whether
/// anything else was written.
struct verdict {
  double error = 0;
  bool wrote_elsewhere = false;
};

/// gamma_{k+2} (|alpha| sum|a||b| + |beta c|); one more rounding for each side of two factors.
template <class T>
verdict judge(arranged_product<T>& a, const std::vector<T>& result) {
  using wide = long double;
  const product& d = a.description();
  T* const data[5] = {a.entries(0).data(), a.entries(1).data(), a.entries(2).data(), a.entries(3).data(),
                      a.entries(4).data()};
  const problem<T> p = a.on(data, false);
  const wide unit = wide(std::numeric_limits<T>::epsilon()) / 2;
  const wide steps = wide(d.k + 2 + (d.left_factors - 1) + (d.right_factors - 1));
  const wide gamma = steps * unit / (1 - steps * unit);
  std::vector<char> touched(result.size(), 0);
  verdict v;
  for (index_t b = 0; b < p.batch; ++b)
    for (index_t l = 0; l < p.loops; ++l)
      for (index_t c = 0; c < p.n; ++c)
        for (index_t r = 0; r < p.m; ++r) {
          wide sum = 0, size = 0;
          for (index_t k = 0; k < p.k; ++k) {
            const index_t row = d.form == canonical::pointwise ? 0 : k;
            const index_t col_of_left = d.form == canonical::pointwise ? 0 : k;
            const index_t row_of_right = d.form == canonical::pointwise ? r : row;
            wide x = p.left[0].start(b)[p.left[0].map.offset(r, col_of_left, l)];
            wide y = p.right[0].start(b)[p.right[0].map.offset(row_of_right, c, l)];
            if (p.left_factors == 2) x *= p.left[1].start(b)[p.left[1].map.offset(r, col_of_left, l)];
            if (p.right_factors == 2) y *= p.right[1].start(b)[p.right[1].map.offset(row_of_right, c, l)];
            sum += x * y;
            size += std::fabs(x * y);
          }
          const auto at = std::size_t(p.out.start(b) + p.out.map.offset(r, c, l) - a.entries(4).data());
          touched[at] = 1;
          wide want = wide(p.alpha) * sum, bound = std::fabs(wide(p.alpha)) * size;
          if (p.beta != T(0)) {
            const wide old = wide(p.beta) * wide(a.entries(4)[at]);
            want += old;
            bound += std::fabs(old);
          }
          const wide error = std::fabs(wide(result[at]) - want);
          const double ratio = error == 0 ? 0.0 : error <= gamma * bound ? double(error / (gamma * bound)) : 2.0;
          v.error = std::isfinite(result[at]) && v.error >= ratio ? v.error : std::isfinite(result[at]) ? ratio : 3.0;
        }
  for (std::size_t i = 0; i < result.size(); ++i)
    v.wrote_elsewhere = v.wrote_elsewhere || (!touched[i] && std::memcmp(&result[i], &a.entries(4)[i], sizeof(T)) != 0);
  return v;
}

/// Runs the product by the chosen row, or by the generic one, and returns the output's whole storage.
template <class T>
std::vector<T> run_product(arranged_product<T>& a, bool generic = false) {
  device_entries<T> l0(a.entries(0)), l1(a.entries(1)), r0(a.entries(2)), r1(a.entries(3)), out(a.entries(4));
  T* const data[5] = {l0.data(), l1.data(), r0.data(), r1.data(), out.data()};
  const problem<T> p = a.on(data, true);
  device::launch(p, generic ? device::gemm_choice{} : device::choose(p), nullptr);
  device::stream_synchronize(nullptr);
  return out.read();
}

}  // namespace tessera::testing
