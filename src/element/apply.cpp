// SPDX-License-Identifier: BSD-3-Clause
// Applications: checks what is given, then runs the loop over elements, or queues the kernel of the GPU.
#include <tessera/element/evaluation.hpp>

#include "application_check.hpp"
#include "device_points.hpp"
#include "element_loop.hpp"

namespace tessera {

template <class T>
void evaluation<T>::apply(const element_set& which, const application<T>& given, const point_data<T>& D) const {
  const application<T> a = detail::checked_application(*state_, which, given, *D.source_);
  if (which.size() == 0) return;
  if (state_->device != nullptr) {
    const auto& source = static_cast<const detail::device_source<T>&>(*D.source_);
    return source.apply(*state_->device, which, a, state_->repeats());
  }
  const detail::element_loop<T> loop(*state_, which, a, static_cast<const detail::block_source<T>&>(*D.source_));
  const double flops = double(loop.blocks()) * double(state_->lanes()) * state_->flops() * a.sides;
  detail::for_chunks_with_scratch<T>(loop.blocks(), loop.scratch(), flops < serial_flops,
                                     [&](index_t first, index_t last, T* memory) { loop.run(first, last, memory); });
}

template void evaluation<float>::apply(const element_set&, const application<float>&, const point_data<float>&) const;
template void evaluation<double>::apply(const element_set&, const application<double>&,
                                        const point_data<double>&) const;

}  // namespace tessera
