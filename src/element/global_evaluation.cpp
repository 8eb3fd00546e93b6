// SPDX-License-Identifier: BSD-3-Clause
// Makes the patches of an evaluation between L-vectors, checks applications, and gives them to the backend.
#include <tessera/element/global_evaluation.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <tuple>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "backend.hpp"
#include "output_check.hpp"
#include "patches.hpp"

namespace tessera {

namespace detail {

namespace {

[[noreturn]] void refuse_global(const std::string& why, status code = status::invalid_argument) {
  throw error("operator on unknowns: " + why, code);
}

void check_restriction(const char* what, const restriction& r, index_t entries, int components) {
  if (r.entries() != entries || r.components() != components)
    refuse_global(std::string(what) + "'s restriction has " + std::to_string(r.components()) + " components of " +
                      std::to_string(r.entries()) + " entries of an element, the operator " +
                      std::to_string(components) + " of " + std::to_string(entries),
                  status::shape_mismatch);
}

/// Counts the elements of each part. Throws naming the first element whose part cannot be.
std::vector<index_t> elements_of_parts(const patch_options& o, index_t elements) {
  constexpr int most_parts = 1 << 20;
  if (o.parts < 0 || o.parts > most_parts)
    refuse_global(std::to_string(o.parts) + " parts, not in 0.." + std::to_string(most_parts));
  std::vector<index_t> counts(std::size_t(std::max(o.parts, 1)));
  if (o.part.empty()) {
    counts[0] = elements;
    return counts;
  }
  if (index_t(o.part.size()) != elements)
    refuse_global(
        "parts of " + std::to_string(o.part.size()) + " elements are given, there are " + std::to_string(elements),
        status::shape_mismatch);
  const int below = o.parts > 0 ? o.parts : most_parts;
  for (std::size_t e = 0; e < o.part.size(); ++e) {
    if (o.part[e] < 0 || o.part[e] >= below)
      refuse_global("element " + std::to_string(e) + " is in part " + std::to_string(o.part[e]) + ", not in 0.." +
                    std::to_string(below - 1));
    if (std::size_t(o.part[e]) >= counts.size()) counts.resize(std::size_t(o.part[e]) + 1);
    ++counts[std::size_t(o.part[e])];
  }
  return counts;
}

std::shared_ptr<const element_patches> patches_for(const auto& backend,
                                                   const std::shared_ptr<const restriction_state>& x,
                                                   const std::shared_ptr<const restriction_state>& y,
                                                   const patch_options& o) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<index_t> of_parts = elements_of_parts(o, y->elements);
  if (o.patch_elements < 0) refuse_global(std::to_string(o.patch_elements) + " elements of a patch");
  if (int(o.order) < 0 || int(o.order) > 1)
    refuse_global("order " + std::to_string(int(o.order)) + " is none of close and as_given");
  if (int(o.sums) < 0 || int(o.sums) > 1)
    refuse_global("sums " + std::to_string(int(o.sums)) + " is none of in_order and atomic");
  const std::shared_ptr<element_patches> made = backend.patches({x, y, o, of_parts});
  made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace

}  // namespace detail

template <class T>
global_evaluation<T>::global_evaluation(const evaluation<T>& by, const restriction& x, const restriction& y,
                                        const patch_options& options)
    : by_(by), x_(x), y_(y) {
  detail::check_restriction("x", x, by.trial_size(), by.components());
  detail::check_restriction("y", y, by.test_size(), by.test_components());
  if (x.elements() != y.elements())
    detail::refuse_global(
        "x's restriction has " + std::to_string(x.elements()) + " elements, y's " + std::to_string(y.elements()),
        status::shape_mismatch);
  patches_ = detail::patches_for(*by.state_->on, x.state_, y.state_, options);
  memory_ = std::make_shared<detail::shared_memory<T>>(by.space(), patches_->terms * y.components(),
                                                       by.state_->on->dot_numbers(*patches_));
}

template <class T>
std::span<const index_t> global_evaluation<T>::order() const {
  return patches_->order;
}
template <class T>
index_t global_evaluation<T>::elements() const {
  return y_.elements();
}
template <class T>
int global_evaluation<T>::parts() const {
  return int(patches_->first_of_part.size()) - 1;
}

template <class T>
std::string global_evaluation<T>::describe() const {
  const detail::element_patches& p = *patches_;
  const double numbers = double(std::max<index_t>(y_.size() / y_.components(), 1));
  char text[160];
  std::snprintf(text, sizeof text, ", %.0f %% of %lld numbers shared by %s, ordered in %.2g s",
                100 * double(p.shared_numbers) / numbers, static_cast<long long>(y_.size()),
                by_.space() == space_kind::gpu ? "elements" : "patches", p.seconds);
  std::string patches;
  if (by_.space() == space_kind::cpu)
    patches = " in " + std::to_string(p.count()) + " patches of up to " + std::to_string(p.most);
  return std::to_string(elements()) + " elements" + patches + text;
}

template <class T>
void global_evaluation<T>::check(const global_application<T>& a, const point_data<T>& D) const {
  const auto refuse = [](const std::string& why, status code = status::invalid_argument) {
    throw error("operator on unknowns: " + why, code);
  };
  if (a.x == nullptr && x_.size() > 0) refuse("x is a null pointer", status::null_pointer);
  if (a.y == nullptr && y_.size() > 0) refuse("y is a null pointer", status::null_pointer);
  detail::check_aligned("operator on unknowns: x", a.x);
  detail::check_aligned("operator on unknowns: y", a.y);
  if (int(a.rows) < 0 || int(a.rows) > 1)
    refuse("constrained rows " + std::to_string(int(a.rows)) + " is none of identity and zero");
  if (a.rows == constrained_rows::identity && !has_one_restriction() && !y_.constrained().empty())
    refuse(
        "constrained rows of y are x, which needs the same restriction of x and y, one object or copies of it; "
        "`rows` may be zero");
  for (const auto& [at, size, what] :
       {std::tuple<const T*, index_t, const char*>{a.x, x_.size(), "x"}, {a.y, y_.size(), "y"}})
    if (size > 0 && by_.space() == space_kind::gpu && !device::is_device_pointer(at))
      refuse(std::string(what) + " is not in device memory", status::wrong_space);
  if (a.dot != nullptr) {
    if (a.add) refuse("dot, x.y, is not given by an application that adds to y");
    if (x_.size() != y_.size())
      refuse("x.y of " + std::to_string(x_.size()) + " and " + std::to_string(y_.size()) + " numbers",
             status::shape_mismatch);
    detail::check_aligned("operator on unknowns: dot", a.dot);
    if (by_.space() == space_kind::gpu && !device::is_device_pointer(a.dot))
      refuse("dot is not in device memory", status::wrong_space);
    const std::less<const void*> earlier;
    for (const auto& [at, what] : {std::pair<const T*, const char*>{a.x, "x"}, {a.y, "y"}})
      if (earlier(a.dot, at + x_.size()) && earlier(at, a.dot + 1))
        refuse(std::string("dot is inside ") + what, status::overlap);
  }
  const std::less<const T*> before;
  if (before(a.x, a.y + y_.size()) && before(a.y, a.x + x_.size()))
    refuse("x and y overlap: " + std::to_string(x_.size()) + " and " + std::to_string(y_.size()) + " numbers",
           status::overlap);
  const detail::point_source<T>& data = *D.source_;
  if (data.space() != by_.space() || data.elements() != elements() || data.block_entries() != by_.state_->entries() ||
      data.lanes() != by_.lanes())
    refuse("D is of another operator, or of " + std::to_string(data.elements()) + " elements instead of " +
               std::to_string(elements()),
           status::shape_mismatch);
  D.check_output("operator on unknowns: y", a.y, y_.size());
}

template <class T>
void global_evaluation<T>::apply(const global_application<T>& a, const point_data<T>& D) const {
  running all = begin(a, D);
  for (int part = 0; part < parts(); ++part) all.run(part);
  all.end();
}

/// Memory for what patches share, kept between applications: new one that large would be mapped page by page. On a GPU
/// a piece stays with its stream, in whose order it is used.
template <class T>
class detail::shared_memory {
 public:
  struct piece {
    void* stream = nullptr;
    buffer terms{}, dots{};

    shared_terms<T> there() const { return {static_cast<T*>(terms.data()), static_cast<double*>(dots.data())}; }
  };

  shared_memory(space_kind where, index_t terms, index_t dots)
      : where_(where), terms_(std::size_t(terms) * sizeof(T)), dots_(std::size_t(dots) * sizeof(double)) {}

  // What a stream had before stays its own if there is no memory for more: captured graphs use it.
  piece take(stream_view in, bool with_dots) {
    piece taken = taken_of(in, with_dots);
    const auto make = [&](buffer& memory, std::size_t bytes) {
      if (memory.bytes() == 0 && bytes > 0) memory = buffer(where_, bytes);
    };
    try {
      make(taken.terms, terms_);
      if (with_dots) make(taken.dots, dots_);
    } catch (...) {
      give_back(std::move(taken));
      throw;
    }
    return taken;
  }
  void give_back(piece memory) noexcept try {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(memory));
  } catch (...) {  // no memory for the list: the buffer is freed
  }

 private:
  piece taken_of(stream_view in, bool with_dots) {
    const std::lock_guard lock(mutex_);
    for (const bool any : {false, true})
      for (piece& one : free_)
        if (one.stream == in.handle() && (any || (one.dots.bytes() > 0) == with_dots)) {
          std::swap(one, free_.back());
          piece taken = std::move(free_.back());
          free_.pop_back();
          return taken;
        }
    return {in.handle()};
  }

  space_kind where_;
  std::size_t terms_, dots_;
  std::mutex mutex_;
  std::vector<piece> free_;
};

template <class T>
struct global_evaluation<T>::running::state {
  state(const global_evaluation& by, const global_application<T>& what, const point_data<T>& with,
        const std::shared_ptr<const void>& also)
      : of(by),
        a(what),
        D(with),
        keep(also),
        done(std::size_t(of.parts())),
        memory(of.memory_->take(what.in, what.dot != nullptr)) {}
  ~state() { of.memory_->give_back(std::move(memory)); }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  global_evaluation of;
  global_application<T> a;
  point_data<T> D;
  std::shared_ptr<const void> keep;
  std::vector<char> done;                           // a byte each: parts may run on several threads
  typename detail::shared_memory<T>::piece memory;  // after all that may fail: else it would be lost for its stream
  bool ended = false;
};

template <class T>
typename global_evaluation<T>::running global_evaluation<T>::begin(const global_application<T>& a,
                                                                   const point_data<T>& D,
                                                                   const std::shared_ptr<const void>& keep) const {
  check(a, D);
  running made;
  made.state_ = std::make_shared<typename running::state>(*this, a, D, keep);
  by_.state_->on->begin_patches(*patches_, a);
  return made;
}

template <class T>
void global_evaluation<T>::running::run(int part) {
  state& s = *state_;
  if (part < 0 || part >= s.of.parts())
    detail::refuse_global("part " + std::to_string(part) + " of " + std::to_string(s.of.parts()));
  if (s.done[std::size_t(part)] != 0) detail::refuse_global("part " + std::to_string(part) + " has run");
  const detail::element_patches& p = *s.of.patches_;
  const index_t first = p.first_of_part[std::size_t(part)], last = p.first_of_part[std::size_t(part) + 1];
  if (first < last) s.of.by_.state_->on->apply_patches(p, first, last, s.a, *s.D.source_, s.memory.there());
  s.done[std::size_t(part)] = 1;
}

template <class T>
void global_evaluation<T>::running::end() {
  state& s = *state_;
  const auto missing = std::find(s.done.begin(), s.done.end(), 0);
  if (missing != s.done.end())
    detail::refuse_global("part " + std::to_string(missing - s.done.begin()) + " has not run");
  if (s.ended) detail::refuse_global("this application has ended");
  s.of.by_.state_->on->finish_patches(*s.of.patches_, s.a, *s.D.source_, s.memory.there());
  s.ended = true;
}

template class global_evaluation<float>;
template class global_evaluation<double>;

}  // namespace tessera
