// SPDX-License-Identifier: BSD-3-Clause
// Brings the lists of patches to the device, and queues the sums of what they share.
#include "device_patches.hpp"

#include <limits>

#include <tessera/gpu/detail/element/shared_sums.hpp>
#include <tessera/gpu/detail/upload.hpp>

namespace tessera::detail {

namespace {

template <class Code>
buffer uploaded_as(const std::vector<index_t>& from) {
  return device::uploaded(std::vector<Code>(from.begin(), from.end()));
}
buffer uploaded(const std::vector<index_t>& from, bool wide) {
  return wide ? uploaded_as<std::uint64_t>(from) : uploaded_as<std::uint32_t>(from);
}
// Codes of x may be narrower than those of y, or the other way round: all are as wide as the widest.
buffer uploaded(const code_list& from, bool wide) {
  if (from.is_wide()) return device::uploaded(from.wide);
  if (!wide) return device::uploaded(from.narrow);
  using narrow = device::number_code<std::uint32_t>;
  using code = device::number_code<std::uint64_t>;
  std::vector<std::uint64_t> all;
  all.reserve(from.narrow.size());
  for (const std::uint32_t one : from.narrow)
    all.push_back(!narrow::is_there(one)
                      ? code::left_out
                      : narrow::number(one) | (one & narrow::opposite ? code::opposite : 0) |
                            (one & narrow::shared ? code::shared : 0) | (one & narrow::first ? code::first : 0));
  return device::uploaded(all);
}

}  // namespace

device_patches::device_patches(const patch_request& request, index_t step) {
  const std::shared_ptr<patch_steps> steps = steps_of(request, step);
  static_cast<element_patches&>(*this) = std::move(static_cast<element_patches&>(*steps));
  const restriction_state &x = *request.x, &y = *request.y;
  const bool one = steps->x.codes.narrow.empty() && steps->x.codes.wide.empty();
  wide_ = steps->y.codes.is_wide() || steps->x.codes.is_wide() ||
          steps->terms * y.components > index_t(std::numeric_limits<std::uint32_t>::max());
  atomic_ = request.options.sums == sum_order::atomic;
  components_ = y.components;
  stride_ = y.stride;
  first_element_ = device::uploaded(steps->first_element);
  first_step_ = device::uploaded(steps->first_step);
  y_codes_ = uploaded(steps->y.codes, wide_);
  if (!one) x_codes_ = uploaded(steps->x.codes, wide_);
  of_y_ = {y_codes_.data(), y.stride, int(y.entries), steps->y.lists};
  of_x_ = one ? of_y_ : device::code_place{x_codes_.data(), x.stride, int(x.entries), steps->x.lists};
  outer_ = uploaded(steps->outer, wide_);
  groups_ = steps->sums.groups;
  summed_components_ = steps->sums.components;
  numbers_ = uploaded(steps->sums.numbers, wide_);
  if (atomic_)
    terms = 0;  // none is kept
  else
    places_ = uploaded(steps->sums.terms, wide_);
  untouched_ = uploaded(steps->untouched, wide_);
  untouched_count_ = index_t(steps->untouched.size());
  constrained_ = uploaded(y.constrained, wide_);
  constrained_count_ = index_t(y.constrained.size());
}

template <class T>
device::patch_call<T> device_patches::call(const global_application<T>& a, index_t first, index_t last,
                                           T* shared) const {
  return {.x = a.x,
          .y = a.y,
          .add = a.add,
          .wide = wide_,
          .atomic = atomic_,
          .of_x = of_x_,
          .of_y = of_y_,
          .outer = outer_.data(),
          .terms = shared,
          .places = terms,
          .patches = {static_cast<const index_t*>(first_element_.data()),
                      static_cast<const index_t*>(first_step_.data()) + first, last - first}};
}

// run(arguments) for as many groups as a launch takes; the last one with the numbers that are no sums.
template <class T, class Index, class Run>
void device_patches::each_sum(const global_application<T>& a, const T* shared, const Run& run) const {
  using arguments = device::sum_arguments<T, Index>;
  arguments all{.x = a.x,
                .y = a.y,
                .terms = shared,
                .places = terms,
                .component = stride_,
                .components = summed_components_,
                .numbers = static_cast<const Index*>(numbers_.data()),
                .of_terms = static_cast<const Index*>(places_.data()),
                .untouched = static_cast<const Index*>(untouched_.data()),
                .constrained = static_cast<const Index*>(constrained_.data()),
                .add = a.add,
                .identity = a.rows == constrained_rows::identity};
  std::size_t g = 0;
  do {
    for (all.group_count = 0; g < groups_.size() && all.group_count < arguments::most_groups; ++g) {
      const shared_sums::group& of = groups_[g];
      all.groups[all.group_count++] = {of.count, of.first, of.last, of.term};
    }
    if (g == groups_.size()) {
      all.untouched_count = untouched_count_;
      all.constrained_count = constrained_count_;
    }
    run(all);
  } while (g < groups_.size());
}

template <class T>
void device_patches::begin(const global_application<T>& a) const {
  if (!atomic_ || a.add) return;
  const auto clear = [&](const auto& sums) { device::clear_shared_numbers(sums, a.in.handle()); };
  if (wide_)
    each_sum<T, std::uint64_t>(a, nullptr, clear);
  else
    each_sum<T, std::uint32_t>(a, nullptr, clear);
}

template <class T>
void device_patches::finish(const global_application<T>& a, const T* shared) const {
  const auto add = [&](auto sums) {
    if (atomic_) sums.group_count = 0;
    device::add_shared_terms(sums, a.in.handle());
  };
  if (wide_)
    each_sum<T, std::uint64_t>(a, shared, add);
  else
    each_sum<T, std::uint32_t>(a, shared, add);
}

template device::patch_call<float> device_patches::call(const global_application<float>&, index_t, index_t,
                                                        float*) const;
template device::patch_call<double> device_patches::call(const global_application<double>&, index_t, index_t,
                                                         double*) const;
template void device_patches::begin(const global_application<float>&) const;
template void device_patches::begin(const global_application<double>&) const;
template void device_patches::finish(const global_application<float>&, const float*) const;
template void device_patches::finish(const global_application<double>&, const double*) const;

}  // namespace tessera::detail
