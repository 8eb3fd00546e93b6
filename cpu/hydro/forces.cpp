// SPDX-License-Identifier: BSD-3-Clause
// Corner forces on a CPU: what zones have, interleaved by lanes; blocks of zones on all threads; sums of the nodes.
#include <algorithm>
#include <string>
#include <vector>

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/memory.hpp>

#include "../element/scratch.hpp"
#include "compiled_kernels.hpp"
#include "src/hydro/backend.hpp"

namespace tessera::detail {

namespace {

// Those of the target that plans use; where it has none, the narrowest.
const force_kernels& kernels_here() {
  const std::vector<const force_kernels*> all = all_force_kernels();
  const target wanted = default_cpu_target();
  const auto found = std::find_if(all.begin(), all.end(), [&](const force_kernels* k) { return k->isa == wanted; });
  return found == all.end() ? *all.front() : **found;
}

template <class T>
std::vector<T> copied(std::span<const T> from) {
  return {from.begin(), from.end()};
}

// Aligned.
buffer brought(const std::vector<double>& from) {
  buffer made(space_kind::cpu, from.size() * sizeof(double));
  std::copy(from.begin(), from.end(), static_cast<double*>(made.data()));
  return made;
}

// Where the terms of a number come from: those of number k of component 0 are terms [first[k], first[k + 1]), in the
// order of zones.
struct node_terms {
  std::vector<index_t> first, terms;  // entry + dim entries * zone
};

class host_forces final : public forces_backend {
 public:
  host_forces(const force_sizes& sizes, const corner_forces_spec& spec, const restriction& nodes)
      : forces_backend(sizes),
        kernels_(kernels_here()),
        lanes_(kernels_.lanes),
        blocks_((sizes.zones + lanes_ - 1) / lanes_),
        rules_(spec.rules),
        weights_(copied(spec.weights)),
        energy_values_(copied(spec.energy_values)),
        node_tables_(brought(node_pairs(spec))),
        mass_(interleaved(spec.density_times_det.data(), sizes.zone_points())),
        gamma_(interleaved(spec.gamma.data(), 1)),
        start_step_(sizes.has_inverse_of_zones(spec) ? 0 : sizes.dim * sizes.dim),
        start_inverse_(interleaved(spec.start_inverse.data(),
                                   sizes.dim * sizes.dim * (start_step_ == 0 ? 1 : sizes.zone_points()))),
        numbers_(space_kind::cpu, std::size_t(blocks_ * lanes_ * sizes.zone_nodes()) * sizeof(std::int64_t)),
        corner_forces_(space_kind::cpu, std::size_t(sizes.zones * sizes.zone_nodes() * sizes.dim) * sizeof(double)) {
    const index_t n = sizes.zone_nodes();
    auto* const numbers = static_cast<std::int64_t*>(numbers_.data());
    for (index_t b = 0; b < blocks_; ++b)
      for (index_t i = 0; i < n; ++i)
        for (index_t w = 0; w < lanes_; ++w)
          numbers[w + lanes_ * (i + n * b)] = std::int64_t(nodes.offset(i, zone_of(b, w)));
    set_terms(nodes);
  }

  space_kind space() const override { return space_kind::cpu; }
  std::string describe() const override {
    return std::string(name_of(kernels_.isa)) + ", " + std::to_string(lanes_) + " zones at once";
  }

  void run(const force_call& call) const override {
    const force_task task = task_of(call);
    const force_zone zone{.nodes = is.nodes, .energies = is.energies, .points = is.points};
    const int d = is.dim - 1;
    for_chunks_with_scratch<double>(blocks_, kernels_.scratch[d](zone, task), false,
                                    [&](index_t first, index_t last, double* scratch) {
                                      for (index_t b = first; b < last; ++b) run_block(call, task, zone, b, scratch);
                                    });
    if (call.forces != nullptr) add_up(call.forces);
  }

  highest_rate highest(const double* rates, stream_view) const override {
    highest_rate found{.rate = rates[0]};
    for (index_t z = 1; z < is.zones; ++z)
      if (rates[z] > found.rate) found = {rates[z], z};
    return found;
  }

 private:
  // Lanes of the last block that have no zone repeat its first one.
  index_t zone_of(index_t b, index_t w) const { return b * lanes_ + w < is.zones ? b * lanes_ + w : b * lanes_; }

  // `entries` numbers of each zone, those of a block side by side.
  buffer interleaved(const double* from, index_t entries) const {
    buffer made(space_kind::cpu, std::size_t(blocks_ * lanes_ * entries) * sizeof(double));
    auto* const to = static_cast<double*>(made.data());
    for_batch_chunks(blocks_, [&](index_t first, index_t last) {
      for (index_t b = first; b < last; ++b)
        for (index_t i = 0; i < entries; ++i)
          for (index_t w = 0; w < lanes_; ++w) to[w + lanes_ * (i + entries * b)] = from[i + entries * zone_of(b, w)];
    });
    return made;
  }

  void set_terms(const restriction& nodes) {
    const index_t n = is.zone_nodes();
    terms_.first.assign(std::size_t(is.size) + 1, 0);
    terms_.terms.resize(std::size_t(n * is.zones));
    for (index_t z = 0; z < is.zones; ++z)
      for (index_t i = 0; i < n; ++i) ++terms_.first[std::size_t(nodes.offset(i, z)) + 1];
    for (std::size_t k = 1; k < terms_.first.size(); ++k) terms_.first[k] += terms_.first[k - 1];
    std::vector<index_t> next(terms_.first.begin(), terms_.first.end() - 1);
    for (index_t z = 0; z < is.zones; ++z)
      for (index_t i = 0; i < n; ++i)
        terms_.terms[std::size_t(next[std::size_t(nodes.offset(i, z))]++)] = i + is.dim * n * z;
  }

  void run_block(const force_call& call, const force_task& task, const force_zone& zone, index_t b,
                 double* scratch) const {
    index_t zones[most_lanes];
    for (index_t w = 0; w < lanes_; ++w) zones[w] = zone_of(b, w);
    const index_t points = is.zone_points(), entries = lanes_ * b;
    const auto numbers_of = [](const buffer& from) { return static_cast<double*>(from.data()); };
    const force_block block{
        .of = zone,
        .task = task,
        .rules = rules_,
        .tables = {numbers_of(node_tables_), energy_values_.data(), weights_.data()},
        .numbers = static_cast<const std::int64_t*>(numbers_.data()) + entries * is.zone_nodes(),
        .mass = numbers_of(mass_) + entries * points,
        .gamma = numbers_of(gamma_) + entries,
        .start_inverse = numbers_of(start_inverse_) + entries * is.dim * is.dim * (start_step_ == 0 ? 1 : points),
        .start_step = start_step_,
        .zone = zones,
        .active = std::min(lanes_, is.zones - b * lanes_),
        .zone_nodes = is.zone_nodes(),
        .zone_energies = is.zone_energies(),
        .stride = is.stride,
        .fields = {call.x, call.v, call.w},
        .energies = call.e,
        .forces = numbers_of(corner_forces_),
        .power = call.power,
        .rates = call.rates,
        .highest_rates = call.highest_rates,
        .scratch = scratch};
    kernels_.run[is.dim - 1](block);
  }

  // Each number is summed in the order of zones.
  void add_up(double* forces) const {
    const index_t n = is.zone_nodes();
    const auto* const from = static_cast<const double*>(corner_forces_.data());
    std::fill(forces, forces + is.size, 0.0);
    for_batch_chunks(is.size, [&](index_t first, index_t last) {
      for (index_t k = first; k < last; ++k)
        for (index_t t = terms_.first[std::size_t(k)]; t < terms_.first[std::size_t(k) + 1]; ++t)
          for (index_t c = 0; c < is.dim; ++c) forces[k + c * is.stride] += from[terms_.terms[std::size_t(t)] + n * c];
    });
  }

  const force_kernels& kernels_;
  index_t lanes_, blocks_;
  hydro::gas_rules rules_;
  std::vector<double> weights_, energy_values_;
  buffer node_tables_, mass_, gamma_;
  index_t start_step_;
  buffer start_inverse_, numbers_, corner_forces_;
  node_terms terms_;
};

}  // namespace

std::shared_ptr<const forces_backend> cpu_forces(const force_sizes& sizes, const corner_forces_spec& spec,
                                                 const restriction& nodes) {
  return std::make_shared<host_forces>(sizes, spec, nodes);
}

}  // namespace tessera::detail
