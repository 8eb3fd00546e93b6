// SPDX-License-Identifier: BSD-3-Clause
// Suite assembly: the matrices of elements, by order, compared with a kernel that only reads and writes as much.
#include <omp.h>

#include <algorithm>
#include <cstdio>

#include <tessera/error.hpp>

#include "element_options.hpp"
#include "matrix_case.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "run_case.hpp"
#include "sizes.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

double bytes_of_element(const element_sizes& s, matrix_storage how, std::size_t entry) {
  const index_t rows = s.functions() * s.components;
  return double(entry) * double(s.points() * factors_of(s.kind, s.dim) + matrix_entries(rows, rows, how));
}

template <class T>
void run_one(const element_sizes& sizes, matrix_storage how, const setting& s, report& to) {
  matrix_case<T> c(sizes, how, batch_for(s, bytes_of_element(sizes, how, sizeof(T))), s.on);
  c.poison();
  run_for_profiler(s, "tessera", [&] { c.run(); });
  const verdict v = c.check();

  const double read = c.read_bytes(), written = c.written_bytes(), total = read + written;
  const bool gpu = s.on == target::cuda;
  std::vector<contender> all{{"tessera", [&] { c.run(); }}};
  if (gpu) {
    all.push_back({"mixed", device::mixed_pass(std::size_t(read), std::size_t(written))});
    all.push_back({"copy", device::copy_pass(std::size_t(total))});
  } else {
    arrays moved;
    moved.a = reinterpret_cast<const double*>(c.D.data());
    moved.na = std::size_t(read) / sizeof(double);
    moved.c = reinterpret_cast<double*>(c.M());
    moved.nc = std::size_t(written) / sizeof(double);
    const int threads = s.with.threads;
    for (const bool streaming : {false, true})
      all.push_back({"movement", [=] { move_once(moved, false, streaming, threads); }});
  }
  const measurement m = measure_until_trusted(all, 1, protocol_for(s), [&](const std::vector<timing>& t, bool) {
    const double ceiling = gpu ? t[1].seconds.median : std::min(t[1].seconds.median, t[2].seconds.median);
    return bound{.seconds = ceiling,
                 .bandwidth = total / ceiling,
                 .peak = s.peak,
                 .honest = honest_movement(space_of(s), total)};
  });
  const std::vector<timing>& times = m.times;
  const double ours = times[0].seconds.median, second = times[2].seconds.median;
  const std::string row = c.A->describe_assembly(how);
  const double dofs = double(sizes.functions()) * sizes.components * double(c.elements);
  char copy[64] = "";
  if (gpu) std::snprintf(copy, sizeof copy, "; %.1f%% of copy", 100 * second / ours);
  to.add(case_results{.label = label_of(sizes, false) + (how == matrix_storage::full ? "" : " lower"),
                      .facts = {{"operator", name_of(sizes.kind)},
                                {"dim", sizes.dim},
                                {"components", sizes.components},
                                {"p", sizes.p},
                                {"points", sizes.q},
                                {"rule", sizes.nodal ? "gauss_lobatto" : "gauss"},
                                {"storage", how == matrix_storage::full ? "full" : "lower"},
                                {"elements", c.elements},
                                {"read_bytes", read},
                                {"written_bytes", written},
                                {"ceiling_clock_mhz", times[1].clock_mhz},
                                {"fraction_of_copy", gpu ? nlohmann::json(second / ours) : nlohmann::json(nullptr)},
                                {"dofs_are", dofs_are},
                                {"joules_per_1e9_dofs", joules_per_billion(times[0], dofs)},
                                {"dofs_per_second", dofs / ours},
                                {"matrices_per_second", double(c.elements) / ours}},
                      .target = name_of(s.on),
                      .row = row + copy + words_of_dofs(times[0], dofs, s.with),
                      .flops = c.flops(),
                      .bytes = total,
                      .limit = m.limit,
                      .all = {{"tessera", times[0], v, row, m.suspect[0]}},
                      .measured = m.measured});
}

}  // namespace

int run_assembly(const options& o) {
  const std::vector<operator_kind> kinds = kinds_of(o.operators);
  const std::vector<int> orders = parse_orders(o.orders);
  const std::vector<matrix_storage> storages = storages_of(o.storage);
  if (!o.type.is_real()) throw error(std::string("assembly: type ") + name_of(o.type) + ", not f32 or f64");
  if (o.dim != 2 && o.dim != 3) throw error("--dim: " + std::to_string(o.dim) + " is neither 2 nor 3");
  omp_set_num_threads(o.threads);
  report to(o, {});
  const setting s = make_setting(o, {}, to);
  if (s.on == target::cuda)
    to.note("the bound is a kernel that reads and writes as many bytes, 32 KB written by a block");
  to.note(std::string("dofs are ") + dofs_are + " x: the columns of all matrices");
  for (const operator_kind kind : kinds)
    for (const matrix_storage how : storages) {
      if (how == matrix_storage::lower_packed && !is_symmetric(kind)) continue;
      for (const int p : orders) {
        const element_sizes sizes = sizes_of(kind, p, o);
        if (o.type.in == scalar_type::f32)
          run_one<float>(sizes, how, s, to);
        else
          run_one<double>(sizes, how, s, to);
      }
    }
  return to.finish();
}

}  // namespace tessera::bench
