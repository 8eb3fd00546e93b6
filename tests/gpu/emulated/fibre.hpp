// SPDX-License-Identifier: BSD-3-Clause
// A function with a stack of its own, which runs until it pauses. A switch takes a few instructions and no system call.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

namespace tessera::testing {

/// Calls body() from its first resume() on; the next resume() after body has ended calls it again. What body throws,
/// resume() throws.
template <class Body>
class fibre {
 public:
  explicit fibre(Body body) : body_(std::move(body)), stack_(std::make_unique_for_overwrite<char[]>(stack_bytes)) {
    std::memset(stack_.get(), unwritten, stack_bytes);
    getcontext(&place_);
    place_.uc_stack.ss_sp = stack_.get();
    place_.uc_stack.ss_size = stack_bytes;
    place_.uc_link = nullptr;
  }
  fibre(const fibre&) = delete;

  /// Runs the function until it pauses or ends.
  void resume() {
    has_ended_ = false;
    enter();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
  /// Of the function that runs.
  [[gnu::noinline]] void pause() {
    if (__builtin_setjmp(inside_) == 0) jump(outside_);
  }
  bool has_ended() const { return has_ended_; }

 private:
  static constexpr std::size_t stack_bytes = std::size_t(128) << 10;
  static constexpr int unwritten = 0xa5;  // what nobody has written is not 0 by chance
  using jump_place = void* [5];

  [[gnu::noinline]] void enter() {
    if (__builtin_setjmp(outside_) == 0) go_on();
  }
  [[gnu::noinline]] void go_on() {
    if (std::exchange(has_begun_, true)) jump(inside_);
    begun() = this;
    makecontext(&place_, &start, 0);
    setcontext(&place_);
  }
  [[noreturn, gnu::noinline]] static void jump(jump_place& to) { __builtin_longjmp(to, 1); }

  static fibre*& begun() {
    thread_local fibre* now = nullptr;
    return now;
  }
  static void start() {
    fibre& self = *begun();
    for (;;) {
      try {
        self.body_();
      } catch (...) {
        self.thrown_ = std::current_exception();
      }
      self.has_ended_ = true;
      self.pause();
    }
  }

  Body body_;
  std::unique_ptr<char[]> stack_;
  ucontext_t place_{};
  jump_place inside_{}, outside_{};
  std::exception_ptr thrown_;
  bool has_begun_ = false, has_ended_ = false;
};

}  // namespace tessera::testing
