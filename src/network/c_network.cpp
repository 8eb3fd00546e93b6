// SPDX-License-Identifier: BSD-3-Clause
// Networks in C: every exception becomes a status and a text.
#include <tessera/tessera_network.h>

#include <string>
#include <utility>
#include <vector>

#include <tessera/c_status.hpp>
#include <tessera/network.hpp>

#include "../c_operand.hpp"

struct tessera_network {
  tessera::network network;
  std::string description, brief_description;
};

namespace {

using namespace tessera;

std::vector<operand> network_operands(const char* operation, const tessera_operand* given, int count) {
  if (given == nullptr) throw error(std::string(operation) + ": null operands", status::null_pointer);
  if (count < 3 || count > max_network_inputs + 1)
    throw error(std::string(operation) + ": " + std::to_string(count) + " operands, not 3 to " +
                std::to_string(max_network_inputs + 1));
  std::vector<operand> all;
  all.reserve(std::size_t(count));
  for (int i = 0; i < count; ++i) all.push_back(detail::operand_from_c(operation, given[i]));
  return all;
}

}  // namespace

extern "C" {

tessera_status tessera_network_create(tessera_network** network, const char* einsum, const tessera_scaling* scaling,
                                      const tessera_operand* operands, int operand_count,
                                      const tessera_network_options* given) {
  if (network != nullptr) *network = nullptr;
  return c_status_of(__func__, [&] {
    if (network == nullptr || einsum == nullptr)
      throw error("network_create: null network or einsum", status::null_pointer);
    const auto [scale, sum] = detail::scaling_from_c("network_create", scaling);
    network_options options{.scale = scale, .sum = sum};
    if (given != nullptr) {
      options.plans = detail::plan_options_from_c(&given->plans);
      options.own_workspace = given->no_workspace == 0;
    }
    const std::vector<operand> all = network_operands("network_create", operands, operand_count);
    tessera::network made = make_network_of(einsum, all.data(), operand_count, options);
    std::string full = made.describe(), brief = made.describe(detail_level::brief);
    *network = new tessera_network{std::move(made), std::move(full), std::move(brief)};
  });
}

tessera_status tessera_network_run(const tessera_network* network, const tessera_operand* operands, int operand_count,
                                   void* stream) {
  return c_status_of(__func__, [&] {
    if (network == nullptr) throw error("network_run: null network", status::null_pointer);
    const std::vector<operand> all = network_operands("network_run", operands, operand_count);
    network->network.run_operands(all.data(), operand_count, stream_view(stream));
  });
}

tessera_status tessera_network_run_in(const tessera_network* network, const tessera_operand* operands,
                                      int operand_count, void* workspace, size_t bytes, void* stream) {
  return c_status_of(__func__, [&] {
    if (network == nullptr) throw error("network_run_in: null network", status::null_pointer);
    const std::vector<operand> all = network_operands("network_run_in", operands, operand_count);
    network->network.run_operands_in({workspace, bytes}, all.data(), operand_count, stream_view(stream));
  });
}

size_t tessera_network_workspace_bytes(const tessera_network* network) {
  return network == nullptr ? 0 : network->network.workspace_bytes();
}

double tessera_network_flops(const tessera_network* network) {
  return network == nullptr ? 0 : network->network.flops();
}

double tessera_network_flops_of_one_loop(const tessera_network* network) {
  return network == nullptr ? 0 : network->network.flops_of_one_loop();
}

const char* tessera_network_describe(const tessera_network* network) {
  return network == nullptr ? nullptr : network->description.c_str();
}

const char* tessera_network_describe_brief(const tessera_network* network) {
  return network == nullptr ? nullptr : network->brief_description.c_str();
}

void tessera_network_destroy(tessera_network* network) { delete network; }

}  // extern "C"
