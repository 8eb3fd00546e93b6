// SPDX-License-Identifier: BSD-3-Clause
// Record files given at run time, prepared for choosing.
#include "records_overlay.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include <tessera/detail/fits.hpp>
#include <tessera/detail/whole_file.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/overlay.hpp>
#include <tessera/tuning_records.hpp>

namespace tessera {

namespace detail {

namespace {

std::string_view hash_of_kernels(record_family f, target on) {
  switch (f) {
    case record_family::gemm: return kernel_source_hash(on);
    case record_family::element: return element_source_hash(on);
    case record_family::matrix: return matrix_source_hash();
    case record_family::general: break;
  }
  return general_source_hash();
}

bool is_stale(const tuning_records& file, const tuning_record& r) {
  return file.hash_of(r) != hash_of_kernels(r.family, file.on);
}

overlay_record product_of(const tuning_record& r, target on, bool stale, const gpu_limits& limits) {
  overlay_record one{
      .on = on, .type = r.type, .in = r.in, .m = r.m, .n = r.n, .k = r.k, .stale = stale, .layouts = r.layouts};
  if (on == target::cuda)
    one.gpu =
        canonical_tuning(tuning_from<gpu_gemm_tuning>(r.tuning), {r.type, r.m, r.n, r.k, r.in, r.layouts}, limits);
  else
    one.cpu = tuning_from<cpu_gemm_tuning>(r.tuning);
  return one;
}

void add_general(const tuning_record& r, bool stale, overlay& to) {
  const auto kept = [&](const std::string& text) -> std::string_view {
    return *to.texts.emplace_back(std::make_shared<const std::string>(text));
  };
  to.generals.push_back({kept(r.kind), kept(to.device), stale, r.form, r.tile});
}

overlay overlay_of(const tuning_records& file) {
  const int here = compute_capability(file.on);
  const gpu_limits limits = here == 0 ? gpu_limits{} : gpu_limits_of(here);
  overlay all;
  all.device = file.device;
  for (std::size_t i = 0; i < file.records.size(); ++i) {
    const tuning_record& r = file.records[i];
    if (const std::string why = why_impossible(r, file.on, limits); !why.empty())
      throw error("record " + std::to_string(i) + ": " + why);
    const bool stale = is_stale(file, r);
    if (r.family == record_family::gemm)
      all.records.push_back(product_of(r, file.on, stale, limits));
    else if (r.family == record_family::general)
      add_general(r, stale, all);
    else if (r.family == record_family::matrix)
      all.matrices.push_back({r.of_matrix, r.either, no_origin, stale, tuning_from<matrix_tuning>(r.tuning)});
    else if (file.on == target::cuda)
      all.elements.push_back({r.of, no_origin, stale, tuning_from<element_tuning>(r.tuning)});
    else
      all.runs.push_back({r.of, file.on, r.in, no_origin, stale, tuning_from<element_run>(r.tuning)});
  }
  return all;
}

struct overlay_in_force {
  std::mutex guard;
  bool decided = false;  // by overlay_records, or from the environment
  std::shared_ptr<const overlay> now;
};

overlay_in_force& in_force() {
  static overlay_in_force one;
  return one;
}

}  // namespace

overlay read_overlay(const std::string& path, const std::string& variable) {
  const std::string what = variable.empty() ? "tuning records" : variable + ": tuning records";
  const std::string content = whole_file(what, path);
  try {
    static std::atomic<int> read = 0;
    overlay all = overlay_of(read_tuning_records(content));
    all.number = ++read;
    all.path = path;
    return all;
  } catch (const error& wrong) {
    throw error(what + " " + path + ": " + wrong.what());
  }
}

const overlay_record* overlay::find(const choice_query& q) const {
  const overlay_record* best = nullptr;
  for (const overlay_record& r : records) {
    if (r.on != q.where || r.layouts != packed_layouts{} || r.type != q.type || r.m != q.m || r.n != q.n || r.k != q.k)
      continue;
    if (r.cpu.stream && regime_of(q) == memory_regime::cache) continue;  // as for records that are built in
    if (best == nullptr || r.in == regime_of(q)) best = &r;
  }
  return best;
}

std::shared_ptr<const overlay> current_overlay() {
  overlay_in_force& f = in_force();
  const std::lock_guard hold(f.guard);
  if (!f.decided) {
    // A faulty file stays undecided: every plan reports it until it is corrected.
    constexpr const char* variable = "TESSERA_RECORDS";
    const char* path = std::getenv(variable);
    if (path != nullptr && *path != 0) f.now = std::make_shared<const overlay>(read_overlay(path, variable));
    f.decided = true;
  }
  return f.now;
}

}  // namespace detail

void overlay_records(const std::string& path) {
  auto next = path.empty() ? nullptr : std::make_shared<const detail::overlay>(detail::read_overlay(path));
  detail::overlay_in_force& f = detail::in_force();
  const std::lock_guard hold(f.guard);
  f.now = std::move(next);
  f.decided = true;
}

}  // namespace tessera
