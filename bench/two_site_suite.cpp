// SPDX-License-Identifier: BSD-3-Clause
// Suite two-site: the two-site update of tensor networks as one chain, called and in a CUDA graph, beside its stages
// and peers' two stages.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>

#include <tessera/error.hpp>

#include "gpu/launch_ways.hpp"
#include "measure/gpu/device.hpp"
#include "peers/peer_stream.hpp"
#include "sizes.hpp"
#include "suites.hpp"
#include "two_site_case.hpp"

namespace tessera::bench {

namespace {

constexpr double cache_of_a_cpu = 64 << 20;

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
    for (const peer& p : s_.peers)
      if (p.found && p.space == space_of(s_)) add_peer(p);
    return std::move(ways_);
  }
  const std::string& brief() const { return brief_; }

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
      ways_.push_back({name + " graph", device::graph_of(queue), describe + "; in a CUDA graph of all updates"});
  }
  void add_peer(const peer& p) {
    if (!between_) {
      T_ = updates_.front().Y;
      between_ = std::make_unique<buffer>(T_.space, std::size_t(T_.entries() * T_.count) * T_.entry_bytes);
      T_.data = between_->data();
    }
    std::vector<pass> passes;
    for (const one_update& u : updates_) {
      passes.push_back(two_stages_by(p, u, T_, s_));
      if (!passes.back()) return;
    }
    // Before a capture, in which nothing is allocated.
    for (const pass& one : passes) one();
    add(p.name, p.version + ", two stages", [passes](stream_view queue) {
      const peers_in_stream in(queue);
      for (const pass& one : passes) one();
    });
  }

  two_site_sizes sizes_;
  setting& s_;
  std::vector<one_update> updates_;
  std::deque<std::vector<chain>> chains_;
  std::unique_ptr<buffer> workspace_, between_;
  operand T_;
  std::vector<way> ways_;
  bool is_fused_ = false;
  std::string brief_;
};

// Microseconds of an update.
std::string table_line(const case_results& c, const two_site_sizes& sizes) {
  char text[96];
  std::snprintf(text, sizeof text, "%-22s", c.label.c_str());
  std::string line = text;
  for (const result& r : c.all) {
    std::snprintf(text, sizeof text, "  %s %.2f", r.impl.c_str(), 1e6 * r.time.seconds.median / double(sizes.copies));
    line += text;
    if (!r.checked.correct()) line += " WRONG";
  }
  return line + mark_of(c.all.front()) + "  " + c.row;
}

void run_one(two_site_sizes sizes, setting& s, report& to) {
  const double cache = space_of(s) == space_kind::gpu ? double(device::this_device().l2_bytes) : cache_of_a_cpu;
  sizes.copies = copies_for(sizes, size_of(s.with.type.in), cache);
  workload work = two_site_workload(sizes, s);
  update_ways made(sizes, s, work);
  const std::vector<way> ways = made.all();
  const case_results results =
      measured(work, s, ways, name_of(s.on), made.brief(), [&] { return check_two_site(sizes, work); });
  to.keep(results);
  to.note(table_line(results, sizes));
}

}  // namespace

int run_two_site(const options& o) {
  if (!o.type.is_real()) throw error(std::string("two-site: type ") + name_of(o.type) + ", not f32 or f64");
  const std::vector<int> dps = parse_orders(o.two_site_dp), chis = parse_orders(o.two_site_chi),
                         counts = parse_orders(o.two_site_counts);
  const std::vector<peer> peers = choose_peers(o.peers, two_site_peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  to.note("microseconds an update, one after the other over copies of all operands; by " + std::string(name_of(s.on)));
  for (const int dp : dps)
    for (const int chi : chis)
      for (const int count : counts) run_one({dp, chi, count}, s, to);
  return to.finish();
}

}  // namespace tessera::bench
