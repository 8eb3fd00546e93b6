// SPDX-License-Identifier: BSD-3-Clause
// Paths between host memory and the GPUs of a node: which NUMA domain is how far from which GPU, and what that costs.
#pragma once

#include <vector>

#include "models/transfer.hpp"

namespace tessera::bench::models {

/// Domains are numbered socket by socket, and cores domain by domain.
struct node_topology {
  int domains = 0, domains_of_socket = 0, cores_of_domain = 0;
  std::vector<int> domain_of_gpu;  // where each GPU is attached
  int threads_of_core = 1;         // the second thread of core c is number c + all cores, and so on
  int links = 0;                   // between each two GPUs
  double link_bandwidth = 0;       // bytes/s of a link in one direction
};

/// JURECA-DC's: two sockets of four domains of 16 cores, four GPUs.
const node_topology& jureca_node();

enum class host_path { local, same_socket, cross_socket };

int socket_of_domain(const node_topology& node, int domain);
struct core_range {
  int first = 0, last = 0;
};
core_range cores_of_domain(const node_topology& node, int domain);

/// Threads number `thread` of these cores, from 0 on: 0 has the cores' own numbers.
core_range threads_of_domain(const node_topology& node, int domain, int thread);

/// Bytes/s from a GPU to another, by all links between them.
double bandwidth_between_gpus(const node_topology& node);

/// From memory of a domain to a GPU.
host_path path_between(const node_topology& node, int gpu, int domain);

/// Domains at the other end of such a path that have GPUs of their own: the threads of these GPUs are there.
std::vector<int> domains_by_path(const node_topology& node, int gpu, host_path path);

/// Segments of the interconnect beyond those of a local path: 0, 1 or 2.
int extra_segments(host_path path);

/// The local path's line with the latency of the further segments, `segment` seconds each, and the path's bandwidth.
transfer_line line_of_path(const transfer_line& local, host_path path, double segment, double bandwidth);

}  // namespace tessera::bench::models
