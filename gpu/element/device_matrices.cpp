// SPDX-License-Identifier: BSD-3-Clause
// Chooses and launches the kernels of element matrices on the GPU.
#include "device_matrices.hpp"

#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/upload.hpp>

namespace tessera::detail {

template <class T>
device_matrices<T>::device_matrices(const std::string& name, matrix_facts facts, const function_source& function,
                                    const device::direction_tables& tables, const gpu_limits& limits)
    : name_("matrices of " + name) {
  for (const matrix_storage how : {matrix_storage::full, matrix_storage::lower_packed}) {
    facts.packed = how == matrix_storage::lower_packed;
    launches_[std::size_t(how)] = matrix_launch_for<T>({facts, function.type, tables}, limits);
  }
}

template <class T>
const char* device_matrices<T>::why_not(matrix_storage how) const {
  return of(how).problem;
}

template <class T>
const device::loaded_code& device_matrices<T>::code_of(matrix_storage how, scalar_type stored) const {
  ready& r = ready_[2 * std::size_t(how) + std::size_t(stored != scalar_of<T>)];
  std::call_once(r.once, [&] {
    device::matrix_kernel kernel = of(how).kernel;
    kernel.stored = stored;
    r.code = device::ready_code(name_, device::source_of(kernel));
  });
  return *r.code;
}

template <class T>
auto device_matrices<T>::tables_of(matrix_storage how) const -> const tables_on_device& {
  tables_on_device& t = tables_[std::size_t(how)];
  std::call_once(t.once, [&] {
    t.places = device::uploaded(of(how).places.at);
    t.functions = device::uploaded(of(how).tables);
  });
  return t;
}

template <class T>
void device_matrices<T>::run(index_t first, index_t count, T* M, matrix_storage how, const void* D, scalar_type stored,
                             stream_view in) const {
  const matrix_launch<T>& launch = of(how);
  const matrix_tuning& t = launch.kernel.tuning;
  const tables_on_device& tables = tables_of(how);
  device::matrix_arguments<T> arguments{
      .D = D,
      .M = M,
      .first = first,
      .count = count,
      .places = {static_cast<const unsigned short*>(tables.places.data()), launch.places.pitch},
      .tables = static_cast<const T*>(tables.functions.data())};
  void* parameters[] = {&arguments, const_cast<T*>(launch.constants.data())};
  code_of(how, stored)
      .queue(0, (count + t.elements - 1) / t.elements * launch.parts, 1, t.threads, launch.bytes, parameters,
             in.handle());
}

template <class T>
std::string device_matrices<T>::describe(matrix_storage how) const {
  return "compiled at run time: " + of(how).text + " threads";
}

template class device_matrices<float>;
template class device_matrices<double>;

}  // namespace tessera::detail
