// SPDX-License-Identifier: BSD-3-Clause
// D from the geometry by the device: nodes, tables and coefficients in its memory, and the kernel that takes them.
#pragma once

#include <tessera/gpu/detail/element/set_up.hpp>
#include <tessera/gpu/detail/upload.hpp>

#include "src/element/checked_geometry.hpp"

namespace tessera::detail {

template <class T>
class device_set_up {
 public:
  /// Of geometry that stays meanwhile; of its coordinates `reach` entries are read.
  device_set_up(const checked_geometry<T>& geometry, index_t reach);

  /// Factor f of point k of element e to to[k + points (f + factors e)], in device memory. Throws naming the first
  /// element and point whose determinant is not positive, whose coefficients are no numbers, or whose D is none in
  /// `Stored`.
  template <class Stored>
  void run(Stored* to) const {
    const device::set_up_result found = device::set_up_points(geometry_.kind(), geometry_.dim(), what_, to);
    if (found.bad >= 0 || found.too_small) refuse(found, number_range<T>::template of<Stored>());
  }
  /// The same, and keeps nothing.
  void check() const { run<T>(nullptr); }

 private:
  [[noreturn]] void refuse(const device::set_up_result& found, const number_range<T>& range) const;

  const checked_geometry<T>& geometry_;
  device::node_set_up<T> what_;
  device::on_device<T> coordinates_, values_, slopes_, weights_, coefficients_;
};

}  // namespace tessera::detail
