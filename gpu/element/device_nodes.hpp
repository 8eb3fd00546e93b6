// SPDX-License-Identifier: BSD-3-Clause
// D that the device computes at each application: the nodes in its memory, and the kernels that read them.
#pragma once

#include <memory>

#include <tessera/gpu/detail/upload.hpp>

#include "device_evaluation.hpp"
#include "device_points.hpp"
#include "src/element/checked_geometry.hpp"

namespace tessera::detail {

template <class T>
class device_nodes : public device_source<T> {
 public:
  /// Of an operator. D has been checked; of the coordinates `reach` entries are read. What is in device
  /// memory is used where it is, all else copied. Throws where no kernel can do it.
  device_nodes(const operator_sizes& s, std::shared_ptr<const device_operator<T>> of,
               const checked_geometry<T>& geometry, index_t reach);

  void set(index_t first, index_t count, const T* values) override;
  void get(index_t first, index_t count, T* values) const override;
  device_data<T> data() const override { return data_; }
  const device_operator<T>& kernels_of(const device_operator<T>& by) const override;

  bool is_stored() const override { return false; }
  std::array<caller_memory, 2> reads() const override { return reads_; }
  index_t elements() const override { return elements_; }
  index_t lanes() const override { return 1; }
  index_t block_entries() const override { return entries_; }
  std::size_t bytes() const override { return bytes_; }
  std::string describe() const override;

 private:
  index_t elements_, entries_;
  int nodes_;
  std::size_t bytes_ = 0;
  std::array<caller_memory, 2> reads_;  // those that are used where they are
  device::on_device<T> coordinates_, coefficients_;
  device_data<T> data_;
  std::shared_ptr<const device_operator<T>> of_;
  std::shared_ptr<const device_evaluation<T>> kernels_;  // of_'s, which compute D
};

}  // namespace tessera::detail
