// SPDX-License-Identifier: BSD-3-Clause
// The threads of a GPU's blocks as fibres of one host thread: barriers of blocks and clusters, instructions of whole
// warps, asynchronous copies to shared memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fibre.hpp"

/// What CUDA says of a thread: of the one that runs.
struct emulated_index {
  unsigned x = 0;
};
inline emulated_index threadIdx, blockIdx, gridDim;

namespace tessera::testing {

/// What a GPU leaves open. Threads run in the order of their numbers or against it; copies are made when they are
/// queued or when a thread waits for them.
struct emulated_order {
  bool backwards = false, copies_late = false;
};

class emulated_cluster {
 public:
  static constexpr int warp_size = 32;

  emulated_cluster(int blocks, int threads, int shared_bytes, const emulated_order& order)
      : threads_(threads), shared_bytes_(shared_bytes), order_(order), blocks_(std::size_t(blocks)) {
    for (std::size_t n = 0; n < std::size_t(blocks * threads); ++n)
      all_.push_back(std::make_unique<one_thread>(entry{this, n}));
    warps_.resize(all_.size() / warp_size);
    // Shared memory begins at a multiple of 128.
    memory_.resize(std::size_t(blocks) * block_bytes() + 128);
    base_ = memory_.data() + (128 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 128) % 128;
  }

  /// What copies may read, from now on nothing else.
  void may_read(const char* from, std::size_t bytes) { readable_.emplace_back(from, from + bytes); }

  /// body(shared memory) by all threads of the blocks from number `first` on. Throws what a thread throws, and where
  /// some threads wait for others for ever.
  void run(int first, const std::function<void(char*)>& body) {
    body_ = &body;
    first_ = first;
    running() = this;
    std::memset(memory_.data(), 0xff, memory_.size());  // NaN
    cluster_ = {};
    for (group& block : blocks_) block = {};
    for (warp& w : warps_) w = {};
    for (auto& thread : all_) thread->waits_for = nullptr, thread->ended = false;
    for (std::size_t left = all_.size(); left > 0;) {
      bool any = false;
      for (std::size_t i = 0; i < all_.size(); ++i) {
        number_ = order_.backwards ? all_.size() - 1 - i : i;
        one_thread& thread = *all_[number_];
        if (thread.ended || (thread.waits_for != nullptr && *thread.waits_for == thread.waits_since)) continue;
        thread.waits_for = nullptr;
        threadIdx.x = unsigned(number_) % unsigned(threads_);
        blockIdx.x = unsigned(first_) + unsigned(number_) / unsigned(threads_);
        thread.body.resume();
        any = true;
        if (!thread.body.has_ended()) continue;
        thread.ended = true;
        --left;
      }
      if (!any) throw std::logic_error("threads wait for others for ever");
    }
  }

  // Of the thread that runs.
  static emulated_cluster& of_caller() { return *running(); }
  char* shared() { return shared_of(block()); }
  /// A place in shared memory as it is in another block's.
  const char* in_block(const char* mine, int other) { return shared_of(std::size_t(other)) + (mine - shared()); }
  /// What a warp's threads do together, once all have come: body(pointers that they brought).
  template <class Given, class Body>
  void as_warp(const char* what, Given& given, const Body& body) {
    warp& mine = warps_[number_ / warp_size];
    if (mine.arrived > 0 && mine.what != what)
      fail(std::string("lanes of a warp are at ") + mine.what + " and " + what);
    mine.what = what;
    mine.given[number_ % warp_size] = &given;
    if (++mine.arrived < warp_size) return wait_for(mine.times);
    Given* all[warp_size];
    for (int lane = 0; lane < warp_size; ++lane) all[lane] = static_cast<Given*>(mine.given[lane]);
    body(all);
    mine.arrived = 0;
    ++mine.times;
  }
  void block_barrier() { meet(blocks_[block()], threads_); }
  void cluster_barrier() { meet(cluster_, int(all_.size())); }

  /// Queues a copy to a byte of shared memory; `from` null: zeros.
  void copy(unsigned to, const char* from, int bytes) {
    check(to % unsigned(bytes) == 0 && reinterpret_cast<std::uintptr_t>(from) % unsigned(bytes) == 0,
          "a copy that is not aligned");
    if (from != nullptr) check_read(from, bytes);
    const one_copy made{shared_at(to, bytes), from, bytes};
    if (order_.copies_late)
      thread().queued.push_back(made);
    else
      make(made);
  }
  void commit_copies() {
    thread().committed.push_back(std::move(thread().queued));
    thread().queued.clear();
  }
  /// Until so many of the latest are under way.
  void wait_for_copies(std::size_t latest) {
    auto& committed = thread().committed;
    for (; committed.size() > latest; committed.pop_front())
      for (const one_copy& c : committed.front()) make(c);
  }
  char* shared_at(unsigned byte, int bytes) {
    check(int(byte) + bytes <= shared_bytes_, "an access beyond the end of shared memory");
    return shared() + byte;
  }
  unsigned address_of(const char* place) { return unsigned(place - shared()); }
  void check_read(const char* from, int bytes) const {
    const auto has = [&](const auto& range) { return from >= range.first && from + bytes <= range.second; };
    check(readable_.empty() || std::any_of(readable_.begin(), readable_.end(), has), "a copy from outside of a tensor");
  }
  static void check(bool is_right, const char* otherwise) {
    if (!is_right) fail(otherwise);
  }

 private:
  struct one_copy {
    char* to;
    const char* from;
    int bytes;
  };
  struct entry {
    emulated_cluster* cluster;
    std::size_t number;
    void operator()() const { cluster->begin(); }
  };
  struct one_thread {
    explicit one_thread(const entry& e) : body(e) {}
    fibre<entry> body;
    const unsigned* waits_for = nullptr;
    unsigned waits_since = 0;
    bool ended = false;
    std::vector<one_copy> queued;
    std::deque<std::vector<one_copy>> committed;
  };
  struct group {
    int arrived = 0;
    unsigned times = 0;
  };
  struct warp : group {
    const char* what = "";
    void* given[warp_size]{};
  };

  static emulated_cluster*& running() {
    thread_local emulated_cluster* now = nullptr;
    return now;
  }
  [[noreturn]] static void fail(const std::string& why) { throw std::logic_error(why); }
  static void make(const one_copy& c) {
    if (c.from != nullptr)
      std::memcpy(c.to, c.from, std::size_t(c.bytes));
    else
      std::memset(c.to, 0, std::size_t(c.bytes));
  }
  void begin() {
    thread().queued.clear();
    thread().committed.clear();
    (*body_)(shared());
  }
  one_thread& thread() { return *all_[number_]; }
  std::size_t block() const { return number_ / std::size_t(threads_); }
  std::size_t block_bytes() const { return (std::size_t(shared_bytes_) + 127) / 128 * 128; }
  char* shared_of(std::size_t block) { return base_ + block * block_bytes(); }
  void wait_for(const unsigned& times) {
    one_thread& mine = thread();
    mine.waits_for = &times;
    mine.waits_since = times;
    mine.body.pause();
  }
  void meet(group& all, int count) {
    if (++all.arrived < count) return wait_for(all.times);
    all.arrived = 0;
    ++all.times;
  }

  int threads_, shared_bytes_, first_ = 0;
  emulated_order order_;
  std::size_t number_ = 0;
  std::vector<group> blocks_;
  group cluster_;
  std::vector<warp> warps_;
  std::vector<std::unique_ptr<one_thread>> all_;
  std::vector<char> memory_;
  char* base_ = nullptr;
  std::vector<std::pair<const char*, const char*>> readable_;
  const std::function<void(char*)>* body_ = nullptr;
};

}  // namespace tessera::testing
