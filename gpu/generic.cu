// SPDX-License-Identifier: BSD-3-Clause
// The generic rows for all sizes and layouts, over batches and shared tensors.
#include "generic.cuh"

namespace tessera::device {

template <class T>
void launch_generic(const problem<T>& p, const kernel_name& name, void* stream) {
  launch_generic_as<mapped>(p, problem_members<T>{}, name, stream);
}

template <class T>
void launch_pointwise(const problem<T>& p, const kernel_name& name, void* stream) {
  launch_pointwise_as<mapped>(p, problem_members<T>{}, name, stream);
}

template void launch_generic(const problem<float>&, const kernel_name&, void*);
template void launch_generic(const problem<double>&, const kernel_name&, void*);
template void launch_pointwise(const problem<float>&, const kernel_name&, void*);
template void launch_pointwise(const problem<double>&, const kernel_name&, void*);

}  // namespace tessera::device
