// SPDX-License-Identifier: BSD-3-Clause
// Suite two-site: the two-site update of tensor networks as one chain, called and in a CUDA graph, beside its stages,
// one loop nest and peers' two stages.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>

#include <tessera/error.hpp>

#include "gpu/launch_ways.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "models/two_site.hpp"
#include "peers/peer_stream.hpp"
#include "sizes.hpp"
#include "suites.hpp"
#include "two_site_case.hpp"
#include "two_site_figures.hpp"

namespace tessera::bench {

namespace {

constexpr index_t largest_dp = 1024, largest_chi = 8192, largest_count = 100000;

// Of a CPU the last-level cache, which may be that of several sockets.
double cache_of(const setting& s) {
  constexpr double least_of_a_cpu = 64 << 20;
  if (space_of(s) == space_kind::gpu) return double(device::this_device().l2_bytes);
  return std::max(least_of_a_cpu, double(this_machine().llc_bytes));
}

// Updates whose time is that of launches.
constexpr two_site_sizes smallest_updates{.dp = 2, .chi = 2, .count = 1, .copies = 64};

// Those that do a stage in one call: cuBLAS by strides, and cuTENSOR by its own choice.
std::vector<peer> two_site_peers() {
  std::vector<peer> all;
  for (auto* const family : {&cublas_peers, &cutensor_peers})
    for (peer& p : family())
      if (p.name == "cublas-strided" || p.name == "cutensor") all.push_back(std::move(p));
  return all;
}

// All updates, queued in a stream.
using launches = std::function<void(stream_view)>;

class update_ways {
 public:
  update_ways(const two_site_sizes& sizes, setting& s, workload& work)
      : sizes_(sizes), s_(s), updates_(updates_of(sizes, place(work, s))) {}

  std::vector<way> all() {
    const plan_options best = options_of_plans(s_);
    plan_options staged = best;
    staged.fuse = false;
    const std::vector<chain>& ours = chains(best);
    add("tessera", ours.front().describe(), by_chains(ours));
    is_fused_ = ours.front().is_fused();
    brief_ = ours.front().describe(detail_level::brief);
    if (is_fused_) {
      const std::vector<chain>& plain = chains(staged);
      add("staged", plain.front().describe(), by_chains(plain));
    }
    if (is_done_directly(sizes_)) add_direct(best);
    for (const peer& p : s_.peers)
      if (p.found && p.space == space_of(s_))
        for (const first_factor first : {first_factor::G, first_factor::M}) add_peer(p, first);
    return std::move(ways_);
  }
  const std::string& brief() const { return brief_; }
  bool is_fused() const { return is_fused_; }

 private:
  const std::vector<chain>& chains(const plan_options& with) {
    std::vector<chain>& made = chains_.emplace_back();
    for (const one_update& u : updates_) made.emplace_back(steps_of(u), u.X, u.Y, with);
    const std::size_t bytes = made.front().workspace_bytes(sizes_.count);
    if (!workspace_ || workspace_->bytes() < bytes) workspace_ = std::make_unique<buffer>(updates_[0].Y.space, bytes);
    return made;
  }
  launches by_chains(const std::vector<chain>& all) {
    return [this, &all](stream_view queue) {
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i].run_operands(updates_[i].X, updates_[i].Y, *workspace_, queue);
    };
  }
  void add(const std::string& name, const std::string& describe, const launches& queue) {
    ways_.push_back({name, [queue] { queue({}); }, describe});
    if (s_.on == target::cuda)
      ways_.push_back({graph_name(name), device::graph_of(queue), describe + "; in a CUDA graph of all updates"});
  }
  void add_direct(const plan_options& with) {
    for (const one_update& u : updates_) direct_operands_.push_back({u.G, u.X, u.M, u.Y});
    try {
      direct_.push_back(make_plan_of(direct_update(), direct_operands_.front().data(), 4, with));
    } catch (const error& e) {
      if (s_.progress) s_.progress("no way 'direct': " + std::string(e.what()));
      return;
    }
    const plan& made = direct_.back();
    add("direct", made.describe(), [this, &made](stream_view queue) {
      for (const std::vector<operand>& of : direct_operands_) made.run_operands(of.data(), 4, queue);
    });
  }
  void add_peer(const peer& p, first_factor first) {
    if (!between_) {
      T_ = updates_.front().Y;
      between_ = std::make_unique<buffer>(T_.space, std::size_t(T_.entries() * T_.count) * T_.entry_bytes);
      T_.data = between_->data();
    }
    std::vector<pass> passes;
    for (const one_update& u : updates_) {
      passes.push_back(two_stages_by(p, u, T_, s_, first));
      if (!passes.back()) return;
    }
    // Before a capture, in which nothing is allocated.
    for (const pass& one : passes) one();
    const bool by_m_first = first == first_factor::M;
    const std::string describe = p.version + (by_m_first ? ", two stages, X M first" : ", two stages, G X first");
    add(by_m_first ? p.name + ", M first" : p.name, describe, [passes](stream_view queue) {
      const peers_in_stream in(queue);
      for (const pass& one : passes) one();
    });
  }

  two_site_sizes sizes_;
  setting& s_;
  std::vector<one_update> updates_;
  std::deque<std::vector<chain>> chains_;
  std::deque<plan> direct_;
  std::vector<std::vector<operand>> direct_operands_;
  std::unique_ptr<buffer> workspace_, between_;
  operand T_;
  std::vector<way> ways_;
  bool is_fused_ = false;
  std::string brief_;
};

// Seconds of an update by each way's name, where it is all launches.
using latencies_of_ways = std::map<std::string, double>;

latencies_of_ways latencies_of_updates(setting& s) {
  workload work = two_site_workload(smallest_updates, s);
  update_ways made(smallest_updates, s, work);
  const std::vector<way> ways = made.all();
  std::vector<contender> all;
  for (const way& w : ways) all.push_back({w.name, w.run});
  const std::vector<timing> times = measure(all, protocol_for(s));
  latencies_of_ways latency;
  for (std::size_t i = 0; i < all.size(); ++i)
    latency[all[i].name] = times[i].seconds.median / double(smallest_updates.copies);
  return latency;
}

// Latency and the roofline of what a way does: one loop nest has more flops, stages in a GPU's memory have more bytes.
void predict_updates(case_results& c, const two_site_sizes& sizes, const latencies_of_ways& latency, bool is_fused,
                     setting& s) {
  const models::two_site_shape shape{sizes.count, sizes.dp, sizes.chi};
  const double updates = double(sizes.copies);
  const index_t entry = index_t(size_of(s.with.type.in));
  for (result& r : c.all) {
    const auto known = latency.find(r.impl);
    if (known == latency.end()) continue;
    const auto is_way = [&](const char* name) { return r.impl == name || r.impl == graph_name(name); };
    const bool is_direct = is_way("direct");
    // A chain on a CPU keeps the result between the stages in cache.
    const bool is_near = is_direct || (is_way("tessera") && (is_fused || space_of(s) == space_kind::cpu));
    const double bytes = updates * (is_near ? models::fused_bytes(shape, entry) : models::staged_bytes(shape, entry));
    const double flops = is_direct ? updates * 2 * models::direct_terms(shape) : c.flops;
    try {
      r.predicted = predict(s.memory->level_for(c.bytes), c.limit.peak, flops, bytes, updates * known->second);
    } catch (const error&) {
      return;  // no memory is left to measure the level in
    }
  }
  c.predicted = c.all.front().predicted;
}

// Microseconds of an update.
std::string table_line(const case_results& c, const two_site_sizes& sizes, const two_site_parts& parts) {
  char text[96];
  std::snprintf(text, sizeof text, "%-22s", c.label.c_str());
  std::string line = text;
  for (const result& r : c.all) {
    std::snprintf(text, sizeof text, "  %s %.2f", r.impl.c_str(), 1e6 * r.time.seconds.median / double(sizes.copies));
    line += text;
    if (r.predicted) {
      std::snprintf(text, sizeof text, " (%.2f)", 1e6 * r.predicted->seconds / double(sizes.copies));
      line += text;
    }
    if (!r.checked.correct()) line += " WRONG";
  }
  return line + comparison_text(parts) + mark_of(c.all.front()) + "  " + c.row;
}

void run_one(two_site_sizes sizes, const latencies_of_ways& latency, setting& s, two_site_figures& figures,
             report& to) {
  const double cache = cache_of(s);
  const std::size_t entry = size_of(s.with.type.in);
  sizes.copies = copies_for(sizes, entry, cache);
  workload work = two_site_workload(sizes, s);
  work.facts["beyond_cache"] = is_beyond_cache(sizes, entry, cache);
  update_ways made(sizes, s, work);
  const std::vector<way> ways = made.all();
  case_results results =
      measured(work, s, ways, name_of(s.on), made.brief(), [&] { return check_two_site(sizes, work); });
  predict_updates(results, sizes, latency, made.is_fused(), s);
  to.keep(results);
  const two_site_parts parts = parts_of(results);
  figures.add(parts);
  to.note(table_line(results, sizes, parts));
}

}  // namespace

int run_two_site(const options& o) {
  if (!o.type.is_real()) throw error(std::string("two-site: type ") + name_of(o.type) + ", not f32 or f64");
  const std::vector<int> dps = parse_numbers(o.two_site_dp, "--dp", largest_dp),
                         chis = parse_numbers(o.two_site_chi, "--chi", largest_chi),
                         counts = parse_numbers(o.two_site_counts, "--batches", largest_count);
  const std::vector<peer> peers = choose_peers(o.peers, two_site_peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  to.note("microseconds an update (predicted), one after the other over copies of all operands; by " +
          std::string(name_of(s.on)));
  to.note("model: time of updates of 2 x 2, and the roofline of each way's bytes and flops");
  latencies_of_ways latency;
  try {
    latency = latencies_of_updates(s);
  } catch (const error& e) {
    to.note(std::string("no latencies, predictions are those of copies: ") + e.what());
  }
  two_site_figures figures;
  for (const int dp : dps)
    for (const int chi : chis)
      for (const int count : counts) run_one({dp, chi, count}, latency, s, figures, to);
  for (const std::string& line : figures.lines()) to.note(line);
  to.attach("two_site", figures.to_json());
  return to.finish();
}

}  // namespace tessera::bench
