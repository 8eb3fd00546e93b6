// SPDX-License-Identifier: BSD-3-Clause
// The nine items that a reader needs to judge or repeat a result, as one JSON object.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "options.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

/// The link of a GPU to the host as it is now, and at its best: "32.0 GT/s PCIe x16, at most 32.0 GT/s PCIe x16".
/// "unknown" where the system does not say; `bus` is the PCI bus id, `devices` the folder of the system's devices.
std::string link_of_gpu(std::string bus, const std::filesystem::path& devices = "/sys/bus/pci/devices");

/// Keys: platform, software, build, workloads, timing, profiling, statistics, correctness, artifacts.
nlohmann::json disclose(const options& o, const std::vector<peer>& peers);

}  // namespace tessera::bench
