// SPDX-License-Identifier: BSD-3-Clause
// The products of a sweep by networks of Tessera.
#include <tessera/network.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contractions.hpp"

namespace tessera::spin_chain {

namespace {

// Kernels are compiled for results of so many entries.
constexpr index_t entries_to_compile = 4096;

class by_networks : public contractions {
 public:
  explicit by_networks(index_t full) : full_(full) {}

  void merge(const operand& first, const operand& second, const operand& theta) override {
    run("asm,mrb->asrb", {first, second, theta});
  }
  void apply(const operand& L, const operand& theta, const operand& pair, const operand& R,
             const operand& out) override {
    run("xaw,asrb,srvwtu,bvy->xtuy", {L, theta, pair, R, out});
  }
  void extend_left(const operand& L, const operand& A, const operand& left, const operand& out) override {
    run("xaw,asb,wstv,xty->ybv", {L, A, left, A, out});
  }
  void extend_right(const operand& R, const operand& A, const operand& right, const operand& out) override {
    run("asb,bvy,svwt,xty->awx", {A, R, right, A, out});
  }

  std::string describe() const override {
    const network* largest = nullptr;
    for (const auto& [of, made] : networks_)
      if (largest == nullptr || made.flops() > largest->flops()) largest = &made;
    return largest == nullptr ? "nothing was contracted" : largest->describe();
  }

 private:
  using shape = std::pair<std::string, std::vector<index_t>>;

  void run(const char* text, const std::vector<operand>& operands) {
    const network& made = network_for(text, operands);
    made.run_operands(operands.data(), int(operands.size()), stream_view{});
    count(made.flops());
  }

  const network& network_for(const char* text, const std::vector<operand>& operands) {
    shape key{text, {}};
    for (const operand& o : operands)
      key.second.insert(key.second.end(), o.facts.extent, o.facts.extent + o.facts.rank);
    const auto found = networks_.find(key);
    if (found != networks_.end()) return found->second;
    const bool is_full = std::find(key.second.begin(), key.second.end(), full_) != key.second.end();
    const network_options options{.plans = {.compile = is_full && operands.back().entries() >= entries_to_compile}};
    const auto start = std::chrono::steady_clock::now();
    const network made = make_network_of(text, operands.data(), int(operands.size()), options);
    count_planning(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return networks_.emplace(key, made).first->second;
  }

  index_t full_;
  std::map<shape, network> networks_;
};

}  // namespace

std::unique_ptr<contractions> tessera_contractions(index_t full) { return std::make_unique<by_networks>(full); }

}  // namespace tessera::spin_chain
