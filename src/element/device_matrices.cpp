// SPDX-License-Identifier: BSD-3-Clause
// Chooses and launches the kernels of element matrices on the GPU.
#include "device_matrices.hpp"

#include <tessera/error.hpp>
#include <tessera/gpu/element/matrix_arguments.hpp>
#include <tessera/gpu/loaded_code.hpp>
#include <tessera/gpu/runtime.hpp>

namespace tessera::detail {

template <class T>
device_matrices<T>::device_matrices(const std::string& name, operator_kind kind, const element_kernel_facts& facts,
                                    int components, const function_source& function,
                                    const device::direction_tables& tables, const gpu_limits& limits)
    : name_("matrices of " + name), limits_(limits) {
  // In halves from three functions on, as in the kernels that apply operators; of nodes that are the points, too.
  const bool mirrored = facts.mirrors && facts.trial >= 3 && facts.test >= 3;
  const bool own_test = tables.own_test();
  for (const matrix_storage how : {matrix_storage::full, matrix_storage::lower_packed}) {
    device::matrix_kernel& kernel = kernels_[std::size_t(how)];
    kernel.type = kernel.stored = scalar_of<T>;
    kernel.function = function.type;
    kernel.sizes =
        matrix_sizes_of(kind, facts.dim, facts.trial, facts.points, facts.test, components, int(sizeof(T)), how);
    kernel.own_test = own_test;
    kernel.mirrored = mirrored;
    kernel.tuning = default_matrix_tuning(kernel.sizes, limits);
  }
  element_kernel_facts interpolated = facts;
  interpolated.nodal = false;
  constants_ = device::constants_of<T>(interpolated, mirrored, own_test, facts.slopes(), tables);
}

template <class T>
const char* device_matrices<T>::why_not(matrix_storage how) const {
  const device::matrix_kernel& kernel = kernel_of(how);
  return why_unfit(kernel.sizes, kernel.tuning, limits_);
}

template <class T>
void device_matrices<T>::run(index_t first, index_t count, T* M, matrix_storage how, const void* D, scalar_type stored,
                             stream_view in) const {
  const device::matrix_kernel& kernel = kernel_of(how);
  ready& r = ready_[2 * std::size_t(how) + std::size_t(stored != kernel.type)];
  std::call_once(r.once, [&] {
    device::matrix_kernel of_stored = kernel;
    of_stored.stored = stored;
    r.code = &device::ready_code(name_, device::source_of(of_stored));
  });
  const matrix_room room{kernel.sizes, kernel.tuning};
  device::matrix_arguments<T> arguments{.D = D, .M = M, .first = first, .count = count};
  void* parameters[] = {&arguments, const_cast<T*>(constants_.data())};
  const index_t groups = (count + kernel.tuning.elements - 1) / kernel.tuning.elements;
  r.code->queue(0, groups * room.parts(), 1, kernel.tuning.threads, room.bytes(), parameters, in.handle());
}

template <class T>
std::string device_matrices<T>::describe(matrix_storage how) const {
  const device::matrix_kernel& kernel = kernel_of(how);
  const matrix_tuning& t = kernel.tuning;
  const bool whole = matrix_room{kernel.sizes, t}.whole();
  return std::string("compiled at run time: ") +
         (whole
              ? std::to_string(t.elements) + " matrices"
              : std::to_string(t.slices * t.strips) + " strips of " + std::to_string(kernel.sizes.trial) + " columns") +
         " by " + std::to_string(t.threads) + " threads";
}

template class device_matrices<float>;
template class device_matrices<double>;

}  // namespace tessera::detail
