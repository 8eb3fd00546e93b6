// SPDX-License-Identifier: BSD-3-Clause
// General contractions with everything at run time and sums in real numbers; the choice among types of sums.
#include "any_kernel.cuh"

namespace tessera::device {

extern template void queue_any_of<complex<float>>(const any_work&, void*);
extern template void queue_any_of<complex<double>>(const any_work&, void*);
extern template void queue_any_of<int>(const any_work&, void*);
extern template void queue_any_of<index_t>(const any_work&, void*);

void queue_any(const any_work& work, void* stream) {
  require_device("a general contraction");
  switch (work.sum_type) {
    case any_type::f32: return queue_any_of<float>(work, stream);
    case any_type::c32: return queue_any_of<complex<float>>(work, stream);
    case any_type::c64: return queue_any_of<complex<double>>(work, stream);
    case any_type::i32: return queue_any_of<int>(work, stream);
    case any_type::i64: return queue_any_of<index_t>(work, stream);
    default: return queue_any_of<double>(work, stream);
  }
}

}  // namespace tessera::device
