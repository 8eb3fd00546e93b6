// SPDX-License-Identifier: BSD-3-Clause
// Chooses and launches the kernels of element matrices on the GPU.
#include "device_matrices.hpp"

#include <tessera/gpu/loaded_code.hpp>
#include <tessera/gpu/upload.hpp>

namespace tessera::detail {

template <class T>
device_matrices<T>::device_matrices(const std::string& name, operator_kind kind, const element_kernel_facts& facts,
                                    int components, const function_source& function,
                                    const device::direction_tables& tables, const gpu_limits& limits)
    : name_("matrices of " + name) {
  for (const matrix_storage how : {matrix_storage::full, matrix_storage::lower_packed})
    ways_[std::size_t(how)] = matrix_way_for<T>({kind, facts, components, function.type, tables, limits, how});
}

template <class T>
const char* device_matrices<T>::why_not(matrix_storage how) const {
  return of(how).problem;
}

template <class T>
const device::loaded_code& device_matrices<T>::code_of(matrix_storage how, scalar_type stored) const {
  ready& r = ready_[2 * std::size_t(how) + std::size_t(stored != scalar_of<T>)];
  std::call_once(r.once, [&] { r.code = &device::ready_code(name_, of(how).source(stored)); });
  return *r.code;
}

template <class T>
auto device_matrices<T>::tables_of(matrix_storage how) const -> const tables_on_device& {
  tables_on_device& t = tables_[std::size_t(how)];
  std::call_once(t.once, [&] {
    t.places = device::uploaded(of(how).places.at);
    t.fragments = device::uploaded(of(how).fragments);
  });
  return t;
}

template <class T>
void device_matrices<T>::run(index_t first, index_t count, T* M, matrix_storage how, const void* D, scalar_type stored,
                             stream_view in) const {
  const matrix_way<T>& way = of(how);
  const device::loaded_code& code = code_of(how, stored);
  const tables_on_device& tables = tables_of(how);
  const matrix_job<T> job{.D = D,
                          .M = M,
                          .first = first,
                          .count = count,
                          .places = {static_cast<const unsigned short*>(tables.places.data()), way.places.pitch},
                          .fragments = static_cast<const T*>(tables.fragments.data())};
  way.launch_with(job, [&](void* arguments) {
    void* parameters[] = {arguments, const_cast<T*>(way.constants.data())};
    code.queue(0, (count + way.elements - 1) / way.elements * way.parts, 1, way.threads, way.bytes, parameters,
               in.handle());
  });
}

template <class T>
std::string device_matrices<T>::describe(matrix_storage how) const {
  return "compiled at run time: " + of(how).text + " threads";
}

template class device_matrices<float>;
template class device_matrices<double>;

}  // namespace tessera::detail
