// SPDX-License-Identifier: BSD-3-Clause
// Counts the tuning records by device and kind, and marks those that this machine uses.
#include <tessera/compiled_targets.hpp>
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/embedded_records.hpp>
#include <tessera/error.hpp>
#include <tessera/overlay.hpp>
#include <tessera/target.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "facts.hpp"

namespace tessera::info {

namespace {

struct counts {
  long long gemm = 0, element = 0, matrix = 0, stale = 0;
};

template <class Records>
void count(const Records& records, long long counts::*kind, std::vector<counts>& by_origin) {
  for (const auto& r : records) {
    if (r.origin < 0) continue;
    counts& c = by_origin[std::size_t(r.origin)];
    ++(c.*kind);
    c.stale += r.stale ? 1 : 0;
  }
}

std::vector<counts> counts_by_origin() {
  std::vector<counts> all(record_origins.size());
  count(embedded_cpu_gemm, &counts::gemm, all);
  count(embedded_gpu_gemm, &counts::gemm, all);
  count(element_records(), &counts::element, all);
  count(element_run_records(), &counts::element, all);
  count(matrix_records(), &counts::matrix, all);
  return all;
}

bool is_of_same_device(const record_origin& a, const record_origin& b) {
  return std::string_view(a.device) == b.device && a.on == b.on && a.users == b.users;
}

// Plans prefer records of this device, then those of its architecture.
std::string use_of(const record_origin& o) {
  if (!is_available(o.on)) {
    const std::vector<target> built = compiled_cpu_targets();
    const bool lacks_kernels = o.on != target::cuda && std::find(built.begin(), built.end(), o.on) == built.end();
    return "not used: no " + std::string(name_of(o.on)) + (lacks_kernels ? " in this build" : " here");
  }
  if (device_name(o.on) == o.device) return "used: this device";
  if (o.on != target::cuda) return "used where this device has none: the same instruction set";
  return o.compute_capability == compute_capability(target::cuda)
             ? "used where this device has none: the same architecture"
             : "used where no closer device has a record";
}

std::string overlay_in_use() {
  const char* path = std::getenv("TESSERA_RECORDS");
  if (path == nullptr || *path == 0) return "none";
  try {
    overlay_records(path);
  } catch (const error& fault) {
    return fault.what();
  }
  return path;
}

}  // namespace

section record_facts() {
  const std::vector<counts> files = counts_by_origin();
  counts sum;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const record_origin& o = record_origins[i];
    counts c;
    bool is_listed = false;  // with an earlier file of the device
    for (std::size_t j = 0; j < files.size(); ++j) {
      if (!is_of_same_device(o, record_origins[j])) continue;
      c.gemm += files[j].gemm, c.element += files[j].element, c.matrix += files[j].matrix;
      c.stale += files[j].stale;
      is_listed = is_listed || j < i;
    }
    if (is_listed) continue;
    sum.gemm += c.gemm, sum.element += c.element, sum.matrix += c.matrix, sum.stale += c.stale;
    lines.push_back(std::string(o.device) + " " + name_of(o.on) + (o.users ? ", your own" : "") + ": " +
                    std::to_string(c.gemm) + " of products, " + std::to_string(c.element) + " of element operators, " +
                    std::to_string(c.matrix) + " of element matrices; " + use_of(o));
  }
  section s{"tuning_records",
            {{"products", sum.gemm},
             {"element_operators", sum.element},
             {"element_matrices", sum.matrix},
             {"measured_with_older_kernels", sum.stale},
             {"file_at_run_time", overlay_in_use()}}};
  s.facts.push_back({"built_in", lines});
  return s;
}

}  // namespace tessera::info
