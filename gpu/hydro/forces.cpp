// SPDX-License-Identifier: BSD-3-Clause
// Corner forces on a GPU: what zones have in device memory, and launches of kernels that NVRTC compiles for the sizes.
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tessera/detail/fits.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/hydro/force_source.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/upload.hpp>
#include <tessera/gpu/detail/vectors.hpp>

#include "src/hydro/backend.hpp"

namespace tessera::detail {

namespace {

const double* numbers_of(const buffer& from) { return static_cast<const double*>(from.data()); }

struct found_rate {
  double rate;
  index_t zone;
};

int shared_bytes_here() {
  const device::device_info gpu = device::info();
  return int(gpu_limits_of(10 * gpu.major + gpu.minor).shared_bytes);
}

buffer uploaded(std::span<const double> from) { return device::uploaded(from.data(), index_t(from.size())); }

class device_forces final : public forces_backend {
 public:
  device_forces(const force_sizes& sizes, const corner_forces_spec& spec, const restriction& nodes)
      : forces_backend(sizes),
        nodes_(nodes),
        rules_(spec.rules),
        of_zones_(sizes.has_inverse_of_zones(spec)),
        wide_(sizes.size > INT32_MAX),
        shared_bytes_(shared_bytes_here()),
        weights_(uploaded(spec.weights)),
        node_tables_(device::uploaded(node_pairs(spec))),
        energy_values_(uploaded(spec.energy_values)),
        gamma_(uploaded(spec.gamma)),
        mass_(uploaded(spec.density_times_det)),
        start_inverse_(uploaded(spec.start_inverse)),
        numbers_(wide_ ? uploaded_numbers<std::int64_t>() : uploaded_numbers<std::int32_t>()),
        corner_forces_(space_kind::gpu, std::size_t(sizes.zones * sizes.zone_nodes() * sizes.dim) * sizeof(double)),
        highest_(space_kind::gpu, sizeof(found_rate)) {
    for (const bool forces : {true, false})  // of the largest kernels: another velocity
      shape_of({.forces = forces, .power = true, .velocities = 2});
  }

  space_kind space() const override { return space_kind::gpu; }
  std::string describe() const override {
    const device::force_shape shape = shape_of({});
    return "cuda, " + std::to_string(shape.zones) + " zones a block of " + std::to_string(shape.threads) + " threads" +
           (shape.by_planes ? ", planes of points by warps" : "");
  }

  void run(const force_call& call) const override {
    if (wide_)
      run_as<std::int64_t>(call);
    else
      run_as<std::int32_t>(call);
  }

  highest_rate highest(const double* rates, stream_view in) const override {
    auto* const result = static_cast<found_rate*>(highest_.data());
    device::highest_rate_arguments arguments{
        .rates = rates, .zones = is.zones, .rate = &result->rate, .zone = &result->zone};
    void* parameters[] = {&arguments};
    device::ready_code("the highest rate", device::source_of_highest_rate())
        ->queue(0, 1, 1, device::threads_of_highest, 0, parameters, in.handle());
    in.synchronize();
    found_rate found;
    device::copy(&found, result, sizeof found, device::direction::device_to_host);
    return {found.rate, found.zone};
  }

 private:
  device::force_kernel kernel_of(const force_task& task) const {
    return {
        .dim = is.dim, .nodes = is.nodes, .energies = is.energies, .points = is.points, .task = task, .wide = wide_};
  }

  // Throws where not even one zone fits a block's shared memory.
  device::force_shape shape_of(const force_task& task) const {
    const device::force_kernel kernel = kernel_of(task);
    const device::force_shape shape = device::ruled_force_shape(kernel, shared_bytes_);
    const int bytes = device::bytes_of(kernel, shape);
    if (bytes > shared_bytes_)
      throw error("corner_forces: a zone of " + std::to_string(is.nodes) + " nodes and " + std::to_string(is.points) +
                      " points a direction takes " + std::to_string(bytes) +
                      " bytes of shared memory, and a block has " + std::to_string(shared_bytes_),
                  status::no_target);
    return shape;
  }

  template <class Index>
  buffer uploaded_numbers() const {
    const index_t n = is.zone_nodes();
    std::vector<Index> numbers(std::size_t(n * is.zones));
    for (index_t z = 0; z < is.zones; ++z)
      for (index_t i = 0; i < n; ++i) numbers[std::size_t(i + n * z)] = Index(nodes_.offset(i, z));
    return device::uploaded(numbers);
  }

  template <class Index>
  void run_as(const force_call& call) const {
    const device::force_kernel kernel = kernel_of(task_of(call));
    const device::force_shape shape = shape_of(kernel.task);
    auto* const corner = static_cast<double*>(corner_forces_.data());
    device::force_arguments<Index> arguments{.fields = {call.x, call.v, call.w},
                                             .energies = call.e,
                                             .numbers = static_cast<const Index*>(numbers_.data()),
                                             .stride = is.stride,
                                             .mass = numbers_of(mass_),
                                             .start_inverse = numbers_of(start_inverse_),
                                             .gamma = numbers_of(gamma_),
                                             .start_inverse_of_zones = of_zones_,
                                             .nodes = numbers_of(node_tables_),
                                             .energy_values = numbers_of(energy_values_),
                                             .weights = numbers_of(weights_),
                                             .forces = corner,
                                             .power = call.power,
                                             .rates = call.rates,
                                             .highest_rates = call.highest_rates,
                                             .zones = is.zones,
                                             .rules = rules_};
    void* parameters[] = {&arguments};
    code_of(kernel, shape)
        .queue(0, is.zones, shape.zones, shape.threads, device::bytes_of(kernel, shape), parameters, call.in.handle());
    if (call.forces == nullptr) return;
    device::set_zero(call.forces, std::size_t(is.size) * sizeof(double), call.in.handle());
    nodes_.add_from_elements(static_cast<const double*>(corner), call.forces, call.in);
  }

  // Compiled at its first use; kept by task.
  const device::loaded_code& code_of(const device::force_kernel& kernel, const device::force_shape& shape) const {
    const force_task& t = kernel.task;
    const int number = int(t.forces) + 2 * int(t.power) + 4 * (t.velocities - 1) + 8 * int(t.source);
    ready& r = ready_[std::size_t(number)];
    std::call_once(r.once, [&] { r.code = device::ready_code("corner forces", device::source_of(kernel, shape)); });
    return *r.code;
  }

  struct ready {
    std::once_flag once;
    std::shared_ptr<const device::loaded_code> code;
  };
  restriction nodes_;
  hydro::gas_rules rules_;
  bool of_zones_, wide_;
  int shared_bytes_;
  buffer weights_, node_tables_, energy_values_, gamma_, mass_, start_inverse_, numbers_, corner_forces_, highest_;
  mutable std::array<ready, 16> ready_;
};

}  // namespace

std::shared_ptr<const forces_backend> gpu_forces(const force_sizes& sizes, const corner_forces_spec& spec,
                                                 const restriction& nodes) {
  return std::make_shared<device_forces>(sizes, spec, nodes);
}

}  // namespace tessera::detail
