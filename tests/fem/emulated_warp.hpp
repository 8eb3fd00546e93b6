// SPDX-License-Identifier: BSD-3-Clause
// The lanes of a GPU's warp as coroutines of one host thread, and the products that they compute together.
#pragma once

#include <ucontext.h>

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

namespace tessera::testing {

inline constexpr int warp_size = 32;

/// Lanes run one after the other, each until it meets the others: threads with a barrier took fifty times as long.
class emulated_warp {
 public:
  /// What the lanes hand to each other. They alternate between two of these: a lane may be one product ahead of others.
  struct exchange {
    std::array<double, warp_size> a{}, b{};
  };

  /// body(lane) by all lanes. Throws what a lane throws, and where some end while others wait for them, which would
  /// hang a GPU; what the other lanes have on their stacks is then never destroyed.
  void run(const std::function<void(int)>& body) {
    body_ = &body;
    here() = this;
    for (one_lane& lane : lanes_) {
      // A stack that no lane has used yet, or that still has frames of a run that failed, is made anew.
      if (!std::exchange(lane.ended, false)) lane.stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
      lane.products = 0;
      getcontext(&lane.place);
      lane.place.uc_stack.ss_sp = lane.stack.get();
      lane.place.uc_stack.ss_size = stack_bytes;
      lane.place.uc_link = &scheduler_;
      makecontext(&lane.place, &start, 0);
    }
    for (int ended = 0; ended == 0;) {
      for (number_ = 0; number_ < warp_size; ++number_) {
        swapcontext(&scheduler_, &lane().place);
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
      }
      for (const one_lane& lane : lanes_) ended += int(lane.ended);
      if (ended > 0 && ended < warp_size) throw std::logic_error("lanes of a warp wait for others that have ended");
    }
  }

  /// The warp whose lane calls.
  static emulated_warp& of_caller() { return *here(); }
  std::size_t caller() const { return std::size_t(number_); }
  exchange& next_exchange() { return exchanges_[lane().products++ % 2]; }
  /// Returns when all lanes have come here.
  void meet() {
    one_lane& caller = lane();
    swapcontext(&caller.place, &scheduler_);
  }

 private:
  static constexpr std::size_t stack_bytes = std::size_t(512) << 10;
  struct one_lane {
    ucontext_t place{};
    std::unique_ptr<char[]> stack;
    bool ended = false;
    unsigned products = 0;
  };

  static emulated_warp*& here() {
    thread_local emulated_warp* warp = nullptr;
    return warp;
  }
  static void start() {
    emulated_warp& warp = *here();
    try {
      (*warp.body_)(warp.number_);
      warp.lane().ended = true;
    } catch (...) {  // cannot leave the lane's stack
      warp.thrown_ = std::current_exception();
    }
  }
  one_lane& lane() { return lanes_[caller()]; }

  std::array<one_lane, warp_size> lanes_;
  std::array<exchange, 2> exchanges_;
  ucontext_t scheduler_{};
  const std::function<void(int)>* body_ = nullptr;
  std::exception_ptr thrown_;
  int number_ = 0;
};

/// As device::tensor_core.
struct emulated_products {
  static constexpr int square = 8;

  static void multiply(double (&c)[2], double a, double b) {
    constexpr int depth = 4;
    emulated_warp& warp = emulated_warp::of_caller();
    const std::size_t lane = warp.caller(), row = lane / depth, first = lane % depth * 2;
    emulated_warp::exchange& given = warp.next_exchange();
    given.a[lane] = a;
    given.b[lane] = b;
    warp.meet();
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t k = 0; k < depth; ++k) c[s] += given.a[row * depth + k] * given.b[(first + s) * depth + k];
  }
  static void multiply_both(double (&c)[2], double (&e)[2], double a_of_c, double a_of_e, double b) {
    multiply(c, a_of_c, b);
    multiply(e, a_of_e, b);
  }
};

/// body(lane) by all lanes of a warp.
template <class Body>
void run_warp(const Body& body) {
  thread_local emulated_warp warp;
  warp.run(body);
}

}  // namespace tessera::testing
