// SPDX-License-Identifier: BSD-3-Clause
// Classes of paths of a node.
#include "models/topology.hpp"

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

void require_domain(const node_topology& node, int domain) {
  if (domain < 0 || domain >= node.domains)
    throw error("node topology: NUMA domain " + std::to_string(domain) + " of a node with domains 0 to " +
                std::to_string(node.domains - 1));
}

int domain_of(const node_topology& node, int gpu) {
  if (gpu < 0 || gpu >= int(node.domain_of_gpu.size()))
    throw error("node topology: GPU " + std::to_string(gpu) + " of a node with GPUs 0 to " +
                std::to_string(int(node.domain_of_gpu.size()) - 1));
  return node.domain_of_gpu[std::size_t(gpu)];
}

}  // namespace

const node_topology& jureca_node() {
  static const node_topology node{.domains = 8,
                                  .domains_of_socket = 4,
                                  .cores_of_domain = 16,
                                  .domain_of_gpu = {3, 1, 7, 5},
                                  .threads_of_core = 2,
                                  .links = 4,
                                  .link_bandwidth = 25e9};
  return node;
}

int socket_of_domain(const node_topology& node, int domain) {
  require_domain(node, domain);
  return domain / node.domains_of_socket;
}

core_range cores_of_domain(const node_topology& node, int domain) {
  require_domain(node, domain);
  return {domain * node.cores_of_domain, (domain + 1) * node.cores_of_domain - 1};
}

core_range threads_of_domain(const node_topology& node, int domain, int thread) {
  if (thread < 0 || thread >= node.threads_of_core)
    throw error("node topology: thread " + std::to_string(thread) + " of cores with threads 0 to " +
                std::to_string(node.threads_of_core - 1));
  const core_range cores = cores_of_domain(node, domain);
  const int before = thread * node.domains * node.cores_of_domain;
  return {cores.first + before, cores.last + before};
}

double bandwidth_between_gpus(const node_topology& node) { return node.links * node.link_bandwidth; }

host_path path_between(const node_topology& node, int gpu, int domain) {
  const int own = domain_of(node, gpu), socket = socket_of_domain(node, domain);
  if (domain == own) return host_path::local;
  return socket == socket_of_domain(node, own) ? host_path::same_socket : host_path::cross_socket;
}

std::vector<int> domains_by_path(const node_topology& node, int gpu, host_path path) {
  std::vector<int> found;
  for (int domain = 0; domain < node.domains; ++domain)
    for (const int with_gpu : node.domain_of_gpu)
      if (with_gpu == domain && path_between(node, gpu, domain) == path) {
        found.push_back(domain);
        break;
      }
  return found;
}

int extra_segments(host_path path) { return path == host_path::local ? 0 : path == host_path::same_socket ? 1 : 2; }

transfer_line line_of_path(const transfer_line& local, host_path path, double segment, double bandwidth) {
  require_not_negative("node topology", "the latency in seconds", local.latency);
  require_not_negative("node topology", "the latency of a segment in seconds", segment);
  require_positive("node topology", "the bandwidth in bytes/s", bandwidth);
  return {.latency = local.latency + extra_segments(path) * segment, .bandwidth = bandwidth};
}

}  // namespace tessera::bench::models
