// SPDX-License-Identifier: BSD-3-Clause
// A mesh over several processes, which are threads here and copy from each other's memory.
#pragma once

#include "global_sums.hpp"
#include "placed.hpp"

#include <tessera/fem/distributed_operator.hpp>

#include <algorithm>
#include <barrier>
#include <functional>
#include <map>
#include <set>
#include <thread>
#include <vector>

namespace tessera::testing {

/// Element e is that of process owner[e], a node that of the first process which has an element with it. Numbers of the
/// nodes `apart` are in no vector.
class processes {
 public:
  struct one {
    std::vector<index_t> elements;
    std::vector<index_t> owned, received, outside;  // numbers of the whole
    std::vector<index_t> sent;                      // places among `owned`
    std::vector<std::int64_t> offsets{};
    std::vector<index_t> constrained{};
    std::map<index_t, index_t> place{};  // of a number of the whole

    fem::owned_numbers numbers() const { return {index_t(owned.size()), sent}; }
  };

  processes(const unknowns& u, const std::vector<int>& owner, int count, const std::set<index_t>& apart = {})
      : u_(u), all_(std::size_t(count)), meeting_(count), sent_(std::size_t(count)), received_(std::size_t(count)) {
    std::map<index_t, int> of_number;
    for (index_t e = 0; e < u.elements; ++e) {
      const int r = owner[at(e)];
      all_[at(r)].elements.push_back(e);
      each_number(e, [&](index_t k) { of_number.emplace(k, r); });
      each_number(e, [&](index_t k) { of_number[k] = std::min(of_number[k], r); });
    }
    for (index_t k = 0; k < u.size; ++k) {
      const bool is_used = of_number.count(k) > 0;
      if (apart.count(k) == 0) all_[at(is_used ? of_number[k] : 0)].owned.push_back(k);
    }
    for (int r = 0; r < count; ++r) {
      one& p = all_[at(r)];
      std::set<index_t> others, outside;
      for (const index_t e : p.elements)
        each_number(e, [&](index_t k) {
          if (apart.count(k) > 0)
            outside.insert(k);
          else if (of_number[k] != r)
            others.insert(k), all_[at(of_number[k])].sent.push_back(k);
        });
      p.received.assign(others.begin(), others.end());
      p.outside.assign(outside.begin(), outside.end());
      for (const auto* const list : {&p.owned, &p.received, &p.outside})
        for (const index_t k : *list) p.place.emplace(k, index_t(p.place.size()));
      for (const index_t e : p.elements)
        for (index_t i = 0; i < u.entries; ++i) {
          const index_t k = u.offsets[at(i + u.entries * e)], number = p.place.at(k < 0 ? -1 - k : k);
          p.offsets.push_back(k < 0 ? -1 - number : number);
        }
      for (const index_t k : u.constrained)
        if (p.place.count(k) > 0) p.constrained.push_back(p.place.at(k));
    }
    for (one& p : all_) {
      std::sort(p.sent.begin(), p.sent.end());
      p.sent.erase(std::unique(p.sent.begin(), p.sent.end()), p.sent.end());
      for (index_t& k : p.sent) k = p.place.at(k);
    }
  }

  int count() const { return int(all_.size()); }
  const one& operator[](int r) const { return all_[at(r)]; }

  restriction made(int r) const {
    const one& p = all_[at(r)];
    return restriction({.elements = index_t(p.elements.size()),
                        .entries = u_.entries,
                        .components = u_.components,
                        .size = index_t(p.place.size()),
                        .offsets64 = p.offsets.data(),
                        .component_stride = u_.stride,
                        .negative = u_.negative,
                        .constrained = p.constrained});
  }

  template <class T>
  fem::halo_exchange<T> exchange(int r) {
    fem::halo_exchange<T> e;
    e.begin_gather = [=, this](const T* sent, T*, stream_view) { sent_[at(r)] = sent; };
    e.end_gather = [=, this](const T*, T* received, stream_view on) {
      meet(on, received);
      std::vector<T> got;
      const std::map<index_t, T> sent = all_sent<T>();
      for (const index_t k : all_[at(r)].received) got.push_back(sent.at(k));
      write(received, got);
      meet(on, received);
    };
    e.begin_sum = [=, this](const T* received, T*, stream_view) { received_[at(r)] = received; };
    e.end_sum = [=, this](const T*, T* sums, stream_view on) {
      meet(on, sums);
      const one& p = all_[at(r)];
      std::vector<T> got;
      const std::map<index_t, T> received = all_received<T>();
      for (const index_t place : p.sent) got.push_back(received.at(p.owned[at(place)]));
      write(sums, got);
      meet(on, sums);
    };
    return e;
  }

  /// work(r) for each process, at the same time.
  void run(const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int r = 0; r < count(); ++r) threads.emplace_back([&, r] { work(r); });
    for (std::thread& t : threads) t.join();
  }
  /// Sums of all, the same in each.
  std::function<void(double*, int)> sums(int r) {
    return [=, this](double* of, int n) {
      sent_[at(r)] = of;
      meeting_.arrive_and_wait();
      std::vector<double> all(std::size_t(n), 0.0);
      for (const void* const one : sent_)
        for (int k = 0; k < n; ++k) all[at(k)] += static_cast<const double*>(one)[k];
      meeting_.arrive_and_wait();
      std::copy(all.begin(), all.end(), of);
    };
  }

 private:
  template <class F>
  void each_number(index_t e, const F& f) const {
    for (index_t i = 0; i < u_.entries; ++i) {
      const index_t k = u_.offsets[at(i + u_.entries * e)];
      for (int c = 0; c < u_.components; ++c) f((k < 0 ? -1 - k : k) + c * u_.stride);
    }
  }
  void meet(stream_view on, const void* memory) {
    if (space_of(memory) == space_kind::gpu) on.synchronize();
    meeting_.arrive_and_wait();
  }
  template <class T>
  static std::vector<T> read(const void* from, std::size_t count) {
    std::vector<T> numbers(count);
    copy_memory(numbers.data(), from, count * sizeof(T));
    return numbers;
  }
  template <class T>
  static void write(T* to, const std::vector<T>& numbers) {
    copy_memory(to, numbers.data(), numbers.size() * sizeof(T));
  }
  /// What all send, by its number in the whole.
  template <class T>
  std::map<index_t, T> all_sent() const {
    std::map<index_t, T> all;
    for (std::size_t r = 0; r < all_.size(); ++r) {
      const std::vector<T> of = read<T>(sent_[r], all_[r].sent.size());
      for (std::size_t k = 0; k < of.size(); ++k) all[all_[r].owned[at(all_[r].sent[k])]] = of[k];
    }
    return all;
  }
  /// The sums of what all have received, in the order of processes.
  template <class T>
  std::map<index_t, T> all_received() const {
    std::map<index_t, T> all;
    for (std::size_t r = 0; r < all_.size(); ++r) {
      const std::vector<T> of = read<T>(received_[r], all_[r].received.size());
      for (std::size_t k = 0; k < of.size(); ++k) all[all_[r].received[k]] += of[k];
    }
    return all;
  }

  const unknowns u_;
  std::vector<one> all_;
  std::barrier<> meeting_;
  std::vector<const void*> sent_, received_;  // of each process
};

/// x of process r.
template <class T>
std::vector<T> part_of(const std::vector<T>& x, const std::vector<index_t>& numbers) {
  std::vector<T> part;
  for (const index_t k : numbers) part.push_back(x[at(k)]);
  return part;
}

template <class T>
void put_part(std::vector<T>& y, const std::vector<index_t>& numbers, const std::vector<T>& part) {
  for (std::size_t k = 0; k < numbers.size(); ++k) y[at(numbers[k])] = part[k];
}

/// Numbers of listed elements, `each` one after the other.
template <class T>
std::vector<T> of_elements(const std::vector<T>& all, const std::vector<index_t>& elements, index_t each) {
  std::vector<T> some;
  for (const index_t e : elements) some.insert(some.end(), all.begin() + each * e, all.begin() + each * (e + 1));
  return some;
}

}  // namespace tessera::testing
