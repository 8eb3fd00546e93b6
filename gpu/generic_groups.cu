// SPDX-License-Identifier: BSD-3-Clause
// The generic rows for all sizes and layouts, over any mixture of groups, batches and shared tensors.
#include "generic.cuh"

namespace tessera::device {

template <class T>
void launch_groups(const problem<T>& p, const problem_members<T>& from, const kernel_name& name, void* stream) {
  if (p.form == canonical::pointwise)
    launch_pointwise_as<grouped>(p, from, name, stream);
  else
    launch_generic_as<grouped>(p, from, name, stream);
}

template void launch_groups(const problem<float>&, const problem_members<float>&, const kernel_name&, void*);
template void launch_groups(const problem<double>&, const problem_members<double>&, const kernel_name&, void*);

}  // namespace tessera::device
