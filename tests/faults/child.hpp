// SPDX-License-Identifier: BSD-3-Clause
// Runs a part of a test in a process of its own, so that one that ends by std::terminate is reported.
#pragma once

#include <functional>
#include <new>
#include <string>

namespace tessera::faults {

/// How the process ended: empty if as it should, else in words.
std::string run_in_child(const std::function<void()>& work);

void* take_shared(std::size_t bytes);
void give_back_shared(void* memory, std::size_t bytes);

/// Memory that a child shares with its parent, holding a T.
template <class T>
class shared {
 public:
  shared() : at_(new (take_shared(sizeof(T))) T()) {}
  ~shared() { give_back_shared(at_, sizeof(T)); }
  shared(const shared&) = delete;
  T* operator->() const { return at_; }
  T& operator*() const { return *at_; }

 private:
  T* at_;
};

}  // namespace tessera::faults
