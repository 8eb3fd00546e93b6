// SPDX-License-Identifier: BSD-3-Clause
// Fills tensors, computes entries exactly on the host, and rotates copies.
#include "general/general_ground.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include <tessera/error.hpp>

#include "measure/gpu/device.hpp"

namespace tessera::tune {

namespace {

constexpr int out_tensor = 2;
constexpr int most_copies = 64;
constexpr index_t most_entries_checked = 300, most_products_checked = 50'000'000;

using stride_in = index_t general_digit::*;

std::vector<general_digit> digits_of_output(const general_form& form) {
  std::vector<general_digit> all;
  for (const general_digits* list : {&form.rows, &form.cols, &form.batch})
    all.insert(all.end(), list->at, list->at + list->count);
  std::sort(all.begin(), all.end(), [](const general_digit& a, const general_digit& b) { return a.out > b.out; });
  return all;
}

// Where the sum of an entry begins in the inputs.
struct starts {
  index_t left = 0, right = 0;
};
starts starts_of(const general_form& form, index_t position) {
  starts at;
  for (const general_digit& d : digits_of_output(form)) {
    const index_t index = position / d.out;
    position %= d.out;
    at.left += index * d.left;
    at.right += index * d.right;
  }
  return at;
}

std::string number_text(const complex<double>& value) {
  const std::string real = std::to_string(value.re);
  return value.im == 0 ? real : real + " + " + std::to_string(value.im) + "i";
}

}  // namespace

scalar_type general_ground::type_of(int tensor) const {
  return tensor == 0 ? of_.kind.left : tensor == 1 ? of_.kind.right : of_.kind.out;
}

std::size_t general_ground::bytes_of(int tensor) const {
  const std::size_t bytes = std::size_t(of_.entries[tensor]) * size_of(type_of(tensor));
  return (bytes + device_alignment - 1) / device_alignment * device_alignment;
}

general_ground::general_ground(const general_problem& of, space_kind where, std::size_t beyond, std::size_t most_bytes)
    : of_(of) {
  const std::size_t one = bytes_of(0) + bytes_of(1) + bytes_of(2);
  if (one > most_bytes)
    throw error("the tensors of the contraction have " + std::to_string(one >> 20) + " MiB, and there are " +
                    std::to_string(most_bytes >> 20) + " MiB for them",
                status::out_of_memory);
  const std::size_t wanted = std::max<std::size_t>(2, (beyond + one - 1) / one);
  copies_ = int(std::min({wanted, most_bytes / one, std::size_t(most_copies)}));
  for (int tensor = 0; tensor < 3; ++tensor) memory_.emplace_back(where, std::size_t(copies_) * bytes_of(tensor));
}

void* general_ground::place(int tensor, int copy) const {
  return static_cast<std::byte*>(memory_[std::size_t(tensor)].data()) + std::size_t(copy) * bytes_of(tensor);
}

// One period from the host, then what is there again and again.
void general_ground::fill_tensor(int tensor, filling with) {
  const std::size_t entry = size_of(type_of(tensor)), all = std::size_t(of_.entries[tensor]) * entry;
  const std::vector<std::byte> period = filled_entries(with, type_of(tensor), std::uint64_t(tensor) + 1,
                                                       std::min(std::size_t(of_.entries[tensor]), filling_period));
  auto* const first = static_cast<std::byte*>(place(tensor, 0));
  copy_memory(first, period.data(), period.size());
  for (std::size_t done = period.size(); done < all; done = std::min(2 * done, all))
    copy_memory(first + done, first, std::min(done, all - done));
  for (int copy = 1; copy < copies_; ++copy) copy_memory(place(tensor, copy), first, all);
}

void general_ground::fill(filling with) {
  if (is_filled_ && filled_with_ == with) return;
  for (const int tensor : {0, 1}) fill_tensor(tensor, with);
  is_filled_ = true;
  filled_with_ = with;
}

complex<double> general_ground::exact(index_t position) const {
  const general_digits& inner = of_.form.inner;
  const starts from = starts_of(of_.form, position);
  index_t index[max_rank]{};
  complex<double> sum = 0;
  for (index_t n = inner.size(); n > 0; --n) {
    index_t left = from.left, right = from.right;
    for (int i = 0; i < inner.count; ++i) {
      left += index[i] * inner.at[i].left;
      right += index[i] * inner.at[i].right;
    }
    sum = sum + filled_value(filling::integers, of_.kind.left, 1, std::uint64_t(left)) *
                    filled_value(filling::integers, of_.kind.right, 2, std::uint64_t(right));
    for (int i = 0; i < inner.count && ++index[i] == inner.at[i].extent; ++i) index[i] = 0;
  }
  return rounded_to(of_.kind.out, sum);
}

std::string general_ground::fault_at(const std::vector<std::byte>& result, index_t position) {
  const auto [known, is_new] = exact_.try_emplace(position);
  if (is_new) known->second = exact(position);
  const complex<double> is = value_in(of_.kind.out, result.data(), std::size_t(position)), right = known->second;
  if (is == right) return {};
  return "entry " + std::to_string(position) + " of the output is " + number_text(is) + ", not " + number_text(right);
}

general_ground::verdict general_ground::check(const general_call& run) {
  fill(filling::integers);
  const std::size_t entry = size_of(of_.kind.out), bytes = std::size_t(of_.entries[out_tensor]) * entry;
  // NaN everywhere: what is not written is found.
  if (memory_[out_tensor].space() == space_kind::gpu)
    bench::device::fill_with_ones(place(out_tensor, 0), bytes);
  else
    std::memset(place(out_tensor, 0), 0xff, bytes);
  std::vector<std::byte> result(bytes);
  run(place(0, 0), place(1, 0), place(out_tensor, 0));
  copy_memory(result.data(), place(out_tensor, 0), bytes);
  std::mt19937_64 random(7);
  const index_t checked =
      std::clamp<index_t>(most_products_checked / std::max<index_t>(of_.form.inner.size(), 1), 2, most_entries_checked);
  for (index_t i = 0; i < checked; ++i) {
    const index_t last = of_.entries[out_tensor] - 1;
    const index_t position = i == 0 ? 0 : i == 1 ? last : index_t(random() % std::uint64_t(last + 1));
    if (const std::string fault = fault_at(result, position); !fault.empty()) return {fault};
  }
  if (other_.empty()) other_ = result;
  if (std::memcmp(other_.data(), result.data(), bytes) == 0) return {};
  for (index_t position = 0; position < of_.entries[out_tensor]; ++position) {
    if (std::memcmp(other_.data() + std::size_t(position) * entry, result.data() + std::size_t(position) * entry,
                    entry) == 0)
      continue;
    if (const std::string fault = fault_at(result, position); !fault.empty()) return {fault};
    if (fault_at(other_, position).empty()) continue;  // a zero of the other sign
    other_ = std::move(result);
    return {"", true};
  }
  return {};
}

double general_ground::seconds(const general_call& run, double least) {
  fill(filling::numbers);
  int copy = 0;
  const auto pass = [&] {
    run(place(0, copy), place(1, copy), place(out_tensor, copy));
    copy = (copy + 1) % copies_;
  };
  long passes = 1;
  double seconds = bench::device::seconds(pass, passes);
  while ((seconds = bench::device::seconds(pass, passes)) < least)
    passes = std::max(passes + 1, long(1.2 * least / std::max(seconds, 1e-7) * double(passes)));
  return seconds / double(passes);
}

}  // namespace tessera::tune
