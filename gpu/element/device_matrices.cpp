// SPDX-License-Identifier: BSD-3-Clause
// Chooses and launches the kernels of element matrices on the GPU.
#include "device_matrices.hpp"

#include <tessera/element/operators.hpp>
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/element/halved_tables.hpp>
#include <tessera/gpu/element/matrix_arguments.hpp>
#include <tessera/gpu/element/parity_tables.hpp>
#include <tessera/gpu/element/product_arguments.hpp>
#include <tessera/gpu/element/product_tables.hpp>
#include <tessera/gpu/element/strip_arguments.hpp>
#include <tessera/gpu/element/strip_tables.hpp>
#include <tessera/gpu/loaded_code.hpp>
#include <tessera/gpu/runtime.hpp>
#include <tessera/gpu/upload.hpp>

namespace tessera::detail {

namespace {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

// Whether products of warps form its matrices.
template <class Function>
constexpr bool by_products() {
  return Function::symmetric && Function::dim > 1 && Function::trial.components == 1 && Function::trial.gradient;
}

std::string words_of(const device::matrix_kernel& k) {
  const matrix_tuning& t = k.tuning;
  if (matrix_room{k.sizes, t}.whole()) return std::to_string(t.elements) + " matrices";
  return std::to_string(t.slices * t.strips) + " strips of " + std::to_string(k.sizes.trial) + " columns";
}

}  // namespace

template <class T>
device_matrices<T>::device_matrices(const std::string& name, operator_kind kind, const element_kernel_facts& facts,
                                    int components, const function_source& function,
                                    const device::direction_tables& tables, const gpu_limits& limits)
    : name_("matrices of " + name) {
  for (const matrix_storage how : {matrix_storage::full, matrix_storage::lower_packed})
    choices_[std::size_t(how)] = chosen(kind, facts, components, function.type, tables, limits, how);
}

template <class T>
auto device_matrices<T>::chosen(operator_kind kind, const element_kernel_facts& facts, int components,
                                const std::string& function, const device::direction_tables& tables,
                                const gpu_limits& limits, matrix_storage how) const -> choice {
  choice c;
  const bool packed = how == matrix_storage::lower_packed, own_test = tables.own_test();
  const int dim = facts.dim, d = facts.trial, q = facts.points;
  const bool symmetric = !own_test && components == 1 && is_symmetric(kind);
  if (symmetric && !facts.slopes()) {
    const pair_sizes s{dim, d, q, int(sizeof(T)), packed, facts.mirrors};
    if (const auto tuning = pair_tuning_of(s, limits)) {
      const pair_room room{s, *tuning};
      c.kernel = device::pair_kernel{scalar_of<T>, scalar_of<T>, room};
      c.constants = device::constants_of_pairs<T>(room.units(), tables.interpolate);
      c.places = device::places_of_pairs(room);
      return c;
    }
  }
  if constexpr (sizeof(T) == sizeof(double))
    if (symmetric) {
      const bool found = with_function(kind, dim, [&]<class F>(const F&) {
        if constexpr (!by_products<F>()) return false;
        const std::vector<double> slopes = tables.gradients.empty()
                                               ? device::slopes_of(tables.differentiate, tables.interpolate, q, d)
                                               : tables.gradients;
        const halved_sizes halved{d, q, packed};
        if (const auto tuning = dim == 3 && facts.mirrors ? halved_tuning_of(halved, limits) : std::nullopt) {
          const halved_room room{halved, *tuning};
          c.kernel = device::halved_kernel{scalar_of<T>, function, room};
          c.constants = device::constants_of_halves(room.units(), tables.interpolate, slopes);
          c.places = device::places_of_halves(room);
          return true;
        }
        if (const auto tuning = dim == 3 ? strip_tuning_of(halved, limits) : std::nullopt) {
          const strip_room room{halved, *tuning};
          c.kernel = device::strip_kernel{scalar_of<T>, function, room};
          c.constants.resize(1);  // of a kernel that has none
          c.fragments = device::tables_of_strips(room, tables.interpolate, slopes);
          return true;
        }
        const parity_sizes parted{d, q, F::factors, packed};
        if (const auto tuning = dim == 2 && facts.mirrors ? parity_tuning_of(parted, limits) : std::nullopt) {
          const parity_room room{parted, *tuning};
          c.kernel = device::parity_kernel{scalar_of<T>, function, room};
          c.constants = device::constants_of_parities(room, tables.interpolate, slopes);
          c.places = device::places_of_parities(room);
          c.fragments = device::products_of_parities(d, q, tables.interpolate, slopes);
          return true;
        }
        const product_sizes s = device::product_sizes_of<F>(d, q, packed);
        const auto tuning = product_tuning_of(s, limits);
        if (!tuning) return false;
        const product_room room{s, *tuning};
        c.kernel = device::product_kernel{scalar_of<T>, function, room};
        c.constants = device::constants_of_products(room, tables.interpolate, slopes);
        c.places = device::places_of_products(room);
        c.fragments = device::product_fragments<F>(room, tables.interpolate, slopes).all();
        return true;
      });
      if (found) return c;
    }
  // In halves from three functions on, as in the kernels that apply operators; of nodes that are the points, too.
  const bool mirrored = facts.mirrors && d >= 3 && facts.test >= 3;
  device::matrix_kernel kernel{.type = scalar_of<T>, .stored = scalar_of<T>, .function = function};
  kernel.sizes = matrix_sizes_of(kind, dim, d, q, facts.test, components, int(sizeof(T)), how);
  kernel.own_test = own_test;
  kernel.mirrored = mirrored;
  kernel.tuning = default_matrix_tuning(kernel.sizes, limits);
  c.problem = why_unfit(kernel.sizes, kernel.tuning, limits);
  c.kernel = kernel;
  element_kernel_facts interpolated = facts;
  interpolated.nodal = false;
  c.constants = device::constants_of<T>(interpolated, mirrored, own_test, facts.slopes(), tables);
  return c;
}

template <class T>
const char* device_matrices<T>::why_not(matrix_storage how) const {
  return of(how).problem;
}

template <class T>
const device::loaded_code& device_matrices<T>::code_of(matrix_storage how, scalar_type stored) const {
  ready& r = ready_[2 * std::size_t(how) + std::size_t(stored != scalar_of<T>)];
  std::call_once(r.once, [&] {
    kernel_of_matrices kernel = of(how).kernel;
    std::visit(
        [&](auto& of_stored) {
          of_stored.stored = stored;
          r.code = &device::ready_code(name_, device::source_of(of_stored));
        },
        kernel);
  });
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
  const choice& c = of(how);
  const device::loaded_code& code = code_of(how, stored);
  const tables_on_device& tables = tables_of(how);
  const device::entry_places places{static_cast<const unsigned short*>(tables.places.data()), c.places.pitch};
  const auto* const fragments = static_cast<const T*>(tables.fragments.data());
  const auto queue = [&](auto arguments, int elements, index_t parts, int threads, int bytes) {
    void* parameters[] = {&arguments, const_cast<T*>(c.constants.data())};
    code.queue(0, (count + elements - 1) / elements * parts, 1, threads, bytes, parameters, in.handle());
  };
  const auto queue_products = [&](const auto& room) {
    queue(
        device::product_arguments<T>{
            .D = D, .M = M, .first = first, .count = count, .places = places, .fragments = fragments},
        room.by.elements, 1, room.by.threads, room.bytes());
  };
  std::visit(
      overloaded{[&](const device::matrix_kernel& k) {
                   const matrix_room room{k.sizes, k.tuning};
                   queue(device::matrix_arguments<T>{.D = D, .M = M, .first = first, .count = count}, k.tuning.elements,
                         room.parts(), k.tuning.threads, room.bytes());
                 },
                 [&](const device::pair_kernel& k) {
                   queue(device::pair_arguments<T>{.D = D, .M = M, .first = first, .count = count, .places = places},
                         k.room.by.elements, k.room.slices(), k.room.by.threads, k.room.bytes());
                 },
                 [&](const device::halved_kernel& k) {
                   queue(device::pair_arguments<T>{.D = D, .M = M, .first = first, .count = count, .places = places}, 1,
                         k.room.parts(), k.room.by.threads, k.room.bytes());
                 },
                 [&](const device::strip_kernel& k) {
                   queue(
                       device::strip_arguments<T>{.D = D, .M = M, .first = first, .count = count, .tables = fragments},
                       1, k.room.parts(), k.room.by.threads, k.room.bytes());
                 },
                 [&](const device::parity_kernel& k) { queue_products(k.room); },
                 [&](const device::product_kernel& k) { queue_products(k.room); }},
      c.kernel);
}

template <class T>
std::string device_matrices<T>::describe(matrix_storage how) const {
  const auto matrices = [](int elements) {
    return std::to_string(elements) + (elements == 1 ? " matrix" : " matrices");
  };
  return "compiled at run time: " +
         std::visit(overloaded{[](const device::matrix_kernel& k) {
                                 return words_of(k) + " by " + std::to_string(k.tuning.threads);
                               },
                               [&](const device::pair_kernel& k) {
                                 const pair_tuning& t = k.room.by;
                                 return "each distinct number once, " +
                                        (t.sliced ? "a slice of a matrix" : matrices(t.elements)) + " by " +
                                        std::to_string(t.threads);
                               },
                               [&](const device::halved_kernel& k) {
                                 const halved_tuning& t = k.room.by;
                                 const std::string what = t.sliced      ? "a slice of a matrix"
                                                          : t.tiled > 0 ? "tiles of a matrix"
                                                                        : matrices(1);
                                 return "pairs of the last direction, by lines in halves, " + what + " by " +
                                        std::to_string(t.threads);
                               },
                               [](const device::strip_kernel& k) {
                                 return "strips of columns on tensor cores by " + std::to_string(k.room.by.threads);
                               },
                               [&](const device::parity_kernel& k) {
                                 const parity_tuning& t = k.room.by;
                                 return "pairs of the last direction, by even and odd parts, " + matrices(t.elements) +
                                        " by " + std::to_string(t.threads);
                               },
                               [&](const device::product_kernel& k) {
                                 const product_tuning& t = k.room.by;
                                 return std::string("pairs of the last direction, ") +
                                        (t.way == product_way::alone ? "a thread each, " : "by products of warps, ") +
                                        matrices(t.elements) + " by " + std::to_string(t.threads);
                               }},
                    of(how).kernel) +
         " threads";
}

template class device_matrices<float>;
template class device_matrices<double>;

}  // namespace tessera::detail
