// SPDX-License-Identifier: BSD-3-Clause
// The commands that print information and tune nothing.
#include "command/look.hpp"

#include <cstdio>
#include <filesystem>

#include <tessera/device_facts.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/element/explain_element.hpp>
#include <tessera/error.hpp>
#include <tessera/explain.hpp>

#include "command/progress.hpp"
#include "command/report.hpp"
#include "command/tuned_device.hpp"
#include "search/simulate.hpp"
#include "space.hpp"
#include "space/as_config.hpp"
#include "space/element_run_space.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"
#include "work/element_check.hpp"

namespace tessera::tune {

namespace {

// The file's target determines the family of its tunings.
const family& family_of(const record_file& f) {
  const target on = target_from_name(f.target);
  if (f.family == "matrix") return matrix_family();
  return f.family != "element" ? gemm_family(on) : on == target::cuda ? element_family() : element_run_family();
}

// Without a GPU, of an H200.
void look_at_gpu_elements(const options& o) {
  const int here = compute_capability(target::cuda);
  const gpu_limits limits = here == 0 ? gpu_limits{} : gpu_limits_of(here);
  for (const scalar_type type : types_from(o.types))
    for (const element_case& e : element_cases_from(o)) {
      if (e.nodal) continue;
      const tuning_case c{.on = target::cuda, .type = type, .in = memory_regime::stream, .element = e};
      const element_tuning present = default_element_tuning(jit_element_of(c, {}).facts(), limits);
      const int most = candidates_of(o, target::cuda);
      std::printf("%s\n", space_text(element_space(c, present, limits, most), element_family()).c_str());
    }
}

int look_at_matrices(const options& o) {
  const int here = compute_capability(target::cuda);
  const gpu_limits limits = here == 0 ? gpu_limits{} : gpu_limits_of(here);
  for (const tuning_case& c : element_cases_on(target::cuda, o)) {
    const matrix_tuning present = choose_matrix_tuning(jit_matrix_of(c, {}).of, limits).tuning;
    std::printf("%s\n%s\n", key_of(c).c_str(),
                space_text(matrix_space(c, present, limits, candidates_of(o, target::cuda)), matrix_family()).c_str());
  }
  return 0;
}

int look_at_elements(const options& o) {
  const std::string gpu = name_of(target::cuda);
  if (o.targets == "all" || o.targets == gpu) look_at_gpu_elements(o);
  for (const target on : o.targets == gpu ? std::vector<target>{} : targets_from(o.targets))
    for (const scalar_type type : types_from(o.types))
      for (const memory_regime in : regimes_from(o.regimes))
        for (const element_case& e : element_cases_from(o)) {
          if (on == target::cuda) continue;
          const tuning_case c{.on = on, .type = type, .in = in, .element = e};
          const element_run present = choose_element_run(run_facts_of(c), on, in).run;
          std::printf("%s\n",
                      space_text(element_run_space(c, present, candidates_of(o, on)), element_run_family()).c_str());
        }
  return 0;
}

}  // namespace

int run_space(const options& o) {
  if (o.family == "matrix") return look_at_matrices(o);
  if (o.family == "element") return look_at_elements(o);
  for (const target on : targets_from(o.targets))
    for (const scalar_type type : types_from(o.types))
      for (const memory_regime in : regimes_from(o.regimes))
        for (const size3& s : sizes_from(o.sizes)) {
          const space all = make_space(gemm_family(on), {on, type, in, s.m, s.n, s.k}, {});
          std::printf("%s\n%s\n", key_of(all.of).c_str(), space_text(all, gemm_family(on)).c_str());
        }
  return 0;
}

namespace {

// The kernel that runs, or the reason why none does.
std::string kernel_text(const tuning_case& c) {
  try {
    return c.type == scalar_type::f64 ? evaluation<double>(spec_of(c)).describe(detail_level::brief)
                                      : evaluation<float>(spec_of(c)).describe(detail_level::brief);
  } catch (const error& e) {
    return std::string("none on this machine: ") + e.what();
  }
}

void explain_matrices(const tuning_case& c) {
  const int here = compute_capability(target::cuda);
  const matrix_choice chosen =
      choose_matrix_tuning(jit_matrix_of(c, {}).of, here == 0 ? gpu_limits{} : gpu_limits_of(here));
  std::printf("%s: %s, from %s\n", key_of(c).c_str(), text_of(matrix_family(), as_config(chosen.tuning)).c_str(),
              chosen.from.text().c_str());
}

void explain_element(const tuning_case& c) {
  const bool gpu = c.on == target::cuda;
  const element_kernel_facts f = gpu ? jit_element_of(c, {}).facts() : run_facts_of(c);
  std::printf("%s: %s  kernel: %s\n\n", key_of(c).c_str(), explain(f, c.on, c.in).c_str(), kernel_text(c).c_str());
}

// Explains a GPU that is not present, too, with the limits of an H200.
int explain_elements(const options& o) {
  const bool gpu = o.targets == name_of(target::cuda);
  for (const target on : gpu ? std::vector<target>{target::cuda} : targets_from(o.targets))
    for (const tuning_case& c : element_cases_on(on, o))
      o.family == "matrix" ? explain_matrices(c) : explain_element(c);
  return 0;
}

}  // namespace

int run_explain(const options& o) {
  if (o.family != "gemm") return explain_elements(o);
  for (const size3& s : sizes_from(o.size))
    for (const target on : targets_from(o.targets))
      for (const scalar_type type : types_from(o.types))
        for (const memory_regime in : regimes_from(o.regimes)) {
          choice_query q{.where = on, .type = type, .m = s.m, .n = s.n, .k = s.k};
          // Sizes larger or smaller than the cache select the regime, as in plans.
          q.cache_bytes = last_level_cache_bytes(on);
          q.bytes = in == memory_regime::stream ? q.cache_bytes + 1 : 1;
          std::printf("%s\n", explain(q).c_str());
        }
  return 0;
}

int run_simulate(const options& o) {
  for (const std::string& file : o.files) {
    const recording r = read_recording(file);
    search_options search;
    search.share = share_of(o, target::reference);
    std::printf("%s (%s), %zu spaces\n%s%s\nhow rare good candidates are, all spaces together:\n%s\n", file.c_str(),
                r.device.c_str(), r.spaces.size(), text_of(simulate(r, search)).c_str(),
                text_of(quality_of_model(r)).c_str(), text_of(rarity_in(r)).c_str());
  }
  return 0;
}

int run_report(const options& o) {
  const record_file f = read_records(o.files[0]);
  const recording timings = read_recording(o.files[1]);
  std::printf("%s\n", table_of(f, timings, family_of(f)).c_str());
  const std::filesystem::path folder = report_folder_for(std::filesystem::path(o.folder) / file_name_for(f));
  std::printf("%s\n", write_report(f, timings, family_of(f), folder).c_str());
  return 0;
}

int run_t4(const options& o) {
  write_t4(read_records(o.files[0]), o.files[1]);
  return 0;
}

}  // namespace tessera::tune
