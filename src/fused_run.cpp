// SPDX-License-Identifier: BSD-3-Clause
// Fused chains: from a form to a loaded kernel, and runs of it.
#include "fused_run.hpp"

#include <algorithm>

#include <tessera/core/lower.hpp>
#include <tessera/device_facts.hpp>

#include "general/two_tables.hpp"
#include "loaded_once.hpp"

namespace tessera::detail {

namespace {

std::string kib(int bytes) {
  const int tenths = (10 * bytes + 512) / 1024;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " KiB";
}

std::string blocks_text(const device::chain_blocks& b) {
  return std::to_string(b.elements) + (b.elements == 1 ? " element" : " elements") + " per block of " +
         std::to_string(b.threads) + " threads and " + kib(b.shared_bytes) + " of shared memory";
}

std::string why_not_here(const plan_options& options, const operand& out) {
  if (!options.fuse) return "plan_options::fuse is off";
  if (out.space != space_kind::gpu)
    return "on a CPU only the steps of a mass operator are, by tables that mirror themselves and kernels of their "
           "sizes";
  if (!options.compile) return "plan_options::compile is off";
  return why_nothing_is_compiled();
}

// Null if the chain is something else, or small, or no such kernel can be had, with that reason in `why_not`.
std::shared_ptr<const two_tables_run> make_two_tables(const std::vector<chain_step>& steps, const operand& in,
                                                      const operand& out, std::string& why_not) try {
  const two_tables_attempt attempt = as_two_tables(steps, in, out);
  if (!attempt.why_not.empty() || !is_for_tiles(attempt.made) || out.count == 0) return nullptr;
  return std::make_shared<const two_tables_run>(attempt.made, out.count);
} catch (const error& e) {
  why_not = std::string("by tiles: ") + e.what();
  return nullptr;
}

}  // namespace

std::shared_ptr<const fused_run> make_fused(const std::vector<chain_step>& steps, const operand& in, const operand& out,
                                            const plan_options& options, std::string& why_not) {
  why_not = why_not_here(options, out);
  if (!why_not.empty()) return nullptr;
  fusible f = fuse(steps, in, out);
  why_not = f.why_not;
  if (!why_not.empty()) return nullptr;
  for (const auto* addresses : {&f.tables, &f.streams})
    if (!std::ranges::all_of(*addresses, device::is_device_pointer)) {
      why_not = "an input of a step is not in device memory";
      return nullptr;
    }
  auto made = std::make_shared<fused_run>();
  std::string why_no_tiles;
  made->tables = make_two_tables(steps, in, out, why_no_tiles);
  if (made->tables != nullptr) return made;
  const gpu_limits limits = gpu_limits_of(compute_capability(target::cuda));
  device::spread_results(f.form, limits);
  made->blocks = device::choose_blocks(f.form, limits);
  if (made->blocks.elements == 0) {
    why_not = "one element takes " + kib(int(device::shared_bytes_of(f.form, 1))) + " of shared memory, a block has " +
              kib(limits.shared_bytes) + (why_no_tiles.empty() ? "" : "; " + why_no_tiles);
    return nullptr;
  }
  made->kernel = loaded_once<device::chain_kernel>(
      device::kernel_text(f.form, made->blocks),
      [&] { return device::compile_chain(f.form, made->blocks, default_cache_folder()); },
      [&](const jit_code& code) { return device::chain_kernel(f.form, made->blocks, code); }, why_not);
  if (made->kernel == nullptr) return nullptr;
  made->call.tables = std::move(f.tables);
  made->call.streams = std::move(f.streams);
  for (const chain_step& step : steps) made->call.alpha *= step.what.scale().alpha.re;
  made->call.beta = steps.back().what.scale().beta.re;
  made->form = std::move(f.form);
  return made;
}

void check_made_for(const operand& now, const operand& then, const char* which) {
  const bool same_shape = now.facts.rank == then.facts.rank &&
                          std::equal(now.facts.extent, now.facts.extent + now.facts.rank, then.facts.extent);
  if (!same_shape || now.grouped != then.grouped || now.lanes != then.lanes || bool(now.offsets) ||
      now.batched != then.batched || now.conjugated != then.conjugated ||
      !std::equal(now.facts.stride, now.facts.stride + now.facts.rank, then.facts.stride))
    throw error(std::string("chain: the ") + which + " " + tessera::text_of(now) + " has another " +
                    (same_shape ? "layout" : "shape") + " than " + tessera::text_of(then) +
                    ", which the chain was made for",
                status::shape_mismatch);
  if (now.type != then.type)
    throw error(std::string("chain: the ") + which + " " + tessera::text_of(now) + " is of another type than " +
                    tessera::text_of(then) + ", which the chain was made for",
                status::wrong_type);
  if (now.space != then.space)
    throw error(std::string("chain: the ") + which + " " + tessera::text_of(now) + " is not where " +
                    tessera::text_of(then) + " was, which the chain was made for",
                status::wrong_space);
}

void run_fused(const fused_run& f, const operand& in, const operand& out, stream_view on) {
  if (out.count == 0) return;
  if (f.tables != nullptr) {
    if (in.data == out.data)
      throw error(
          "chain: the output " + text_of(out) +
              " is the input, which blocks read while others write; a chain that is made with such operands, or "
              "with plan_options::fuse off, takes them",
          status::overlap);
    return f.tables->run(in, out, on);
  }
  device::chain_call call = f.call;
  call.in = in.data;
  call.out = const_cast<void*>(out.data);
  call.in_apart = in.stride;
  call.out_apart = out.stride;
  call.elements = out.count;
  f.kernel->run(call, on.handle());
}

std::string describe_fused(const fused_run& f, detail_level how) {
  if (f.tables != nullptr) return f.tables->describe(how);
  std::string text = "fused, one launch, compiled at run time: " + blocks_text(f.blocks) + "; tuning: default";
  if (how == detail_level::brief) return text;
  text += "\n";
  for (std::size_t i = 0; i < f.form.steps.size(); ++i) {
    const device::fused_step& s = f.form.steps[i];
    const lowered form = device::lowered_step(f.form, i, f.blocks.elements);
    text += "\"" + s.text + "\" (" + name_of(form.form) + "), tile " + std::to_string(f.blocks.tiles[i].rows) + "x" +
            std::to_string(f.blocks.tiles[i].cols) + "\n";
  }
  return text;
}

}  // namespace tessera::detail
