// SPDX-License-Identifier: BSD-3-Clause
// General contractions with everything at run time and sums in complex numbers or integers.
#include "any_kernel.cuh"

namespace tessera::device {

template void queue_any_of<complex<float>>(const any_work&, void*);
template void queue_any_of<complex<double>>(const any_work&, void*);
template void queue_any_of<int>(const any_work&, void*);
template void queue_any_of<index_t>(const any_work&, void*);

}  // namespace tessera::device
