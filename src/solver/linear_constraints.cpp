// SPDX-License-Identifier: BSD-3-Clause
// Lists of constraints, checked once, and operators between the numbers that they leave free.
#include <tessera/solver/linear_constraints.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>

namespace tessera {

/// Constraint k is of numbers[k], by others[j] and weights[j] for j from starts[k] to starts[k + 1].
struct linear_constraints::lists {
  index_t size = 0, most_others = 0;
  std::vector<index_t> numbers, others;
  std::vector<std::size_t> starts{0};
  std::vector<double> weights, values;

  // f(k, number) in ascending order of numbers.
  template <class F>
  void each(const F& f) const {
    for (std::size_t k = 0; k < numbers.size(); ++k) f(k, std::size_t(numbers[k]));
  }
  template <class F>
  void each_other(std::size_t k, const F& f) const {
    for (std::size_t j = starts[k]; j < starts[k + 1]; ++j) f(std::size_t(others[j]), weights[j]);
  }
};

namespace {

[[noreturn]] void refuse_constraint(const std::string& why, status code = status::invalid_argument) {
  throw error("linear_constraints: " + why, code);
}

void check_constraint(const linear_constraint& c, index_t size) {
  const std::string number = "number " + std::to_string(c.number);
  const std::string range = ", there are " + std::to_string(size);
  if (c.number < 0 || c.number >= size) refuse_constraint(number + " is constrained" + range);
  if (c.others.size() != c.weights.size())
    refuse_constraint(number + " has " + std::to_string(c.others.size()) + " others and " +
                          std::to_string(c.weights.size()) + " weights",
                      status::shape_mismatch);
  if (!std::isfinite(c.value)) refuse_constraint(number + " has a value that is not finite");
  for (std::size_t j = 0; j < c.others.size(); ++j) {
    const std::string other = number + " by number " + std::to_string(c.others[j]);
    if (c.others[j] < 0 || c.others[j] >= size) refuse_constraint(other + range);
    if (!std::isfinite(c.weights[j])) refuse_constraint(other + ": its weight is not finite");
  }
}

// Whether there is a vector; an empty one may be null.
bool is_there(const void* vector, index_t size) {
  if (vector == nullptr && size > 0) refuse_constraint("the vector is a null pointer", status::null_pointer);
  return vector != nullptr;
}

struct by_free_numbers {
  std::vector<std::pair<index_t, double>> others;  // ascending, each once
  double value = 0;
};

void merge(std::vector<std::pair<index_t, double>>& others) {
  std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t j = 0; j < others.size(); ++j)
    if (kept > 0 && others[kept - 1].first == others[j].first)
      others[kept - 1].second += others[j].second;
    else
      others[kept++] = others[j];
  others.resize(kept);
  std::erase_if(others, [](const auto& one) { return one.second == 0; });
}

// Numbers of chains of constraints grow with their weights.
void check_closed(index_t number, const by_free_numbers& c) {
  bool is_finite = std::isfinite(c.value);
  for (const auto& [other, weight] : c.others) is_finite = is_finite && std::isfinite(weight);
  if (!is_finite)
    refuse_constraint("number " + std::to_string(number) + ": its weights times those of its others are not finite");
}

// Each constraint by free numbers only: others that are constrained are replaced, those first that need no other.
std::vector<by_free_numbers> closed(const std::vector<const linear_constraint*>& given,
                                    const std::vector<index_t>& numbers) {
  const std::size_t none = given.size();
  const auto constraint_of = [&](index_t number) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
    return found == numbers.end() || *found != number ? none : std::size_t(found - numbers.begin());
  };
  std::vector<std::vector<std::size_t>> waiting(given.size());
  std::vector<std::size_t> needs(given.size()), ready;
  for (std::size_t k = 0; k < given.size(); ++k) {
    for (const index_t other : given[k]->others)
      if (const std::size_t c = constraint_of(other); c != none) {
        waiting[c].push_back(k);
        ++needs[k];
      }
    if (needs[k] == 0) ready.push_back(k);
  }
  std::vector<by_free_numbers> all(given.size());
  for (std::size_t r = 0; r < ready.size(); ++r) {
    const linear_constraint& from = *given[ready[r]];
    by_free_numbers& to = all[ready[r]];
    to.value = from.value;
    for (std::size_t j = 0; j < from.others.size(); ++j) {
      const double weight = from.weights[j];
      const std::size_t c = constraint_of(from.others[j]);
      if (c == none) {
        to.others.push_back({from.others[j], weight});
        continue;
      }
      to.value += weight * all[c].value;
      for (const auto& [other, its] : all[c].others) to.others.push_back({other, weight * its});
    }
    merge(to.others);
    check_closed(from.number, to);
    for (const std::size_t k : waiting[ready[r]])
      if (--needs[k] == 0) ready.push_back(k);
  }
  if (ready.size() < given.size()) {
    // Each that is left needs another one that is left: after so many steps it is one of a circle.
    std::size_t k = std::size_t(std::find_if(needs.begin(), needs.end(), [](auto n) { return n > 0; }) - needs.begin());
    for (std::size_t step = 0; step < given.size(); ++step)
      for (const index_t other : given[k]->others)
        if (const std::size_t c = constraint_of(other); c != none && needs[c] > 0) {
          k = c;
          break;
        }
    refuse_constraint("number " + std::to_string(numbers[k]) + " is given by itself, through others");
  }
  return all;
}

}  // namespace

linear_constraints::linear_constraints(index_t size, std::span<const linear_constraint> of) {
  detail::checked_product("linear_constraints: a vector", {size}, sizeof(double));
  std::vector<const linear_constraint*> sorted;
  for (const linear_constraint& c : of) {
    check_constraint(c, size);
    sorted.push_back(&c);
  }
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->number < b->number; });
  auto made = std::make_shared<lists>();
  made->size = size;
  for (const linear_constraint* c : sorted) {
    if (!made->numbers.empty() && made->numbers.back() == c->number)
      refuse_constraint("number " + std::to_string(c->number) + " is constrained twice");
    made->numbers.push_back(c->number);
  }
  for (const by_free_numbers& c : closed(sorted, made->numbers)) {
    made->values.push_back(c.value);
    for (const auto& [other, weight] : c.others) {
      made->others.push_back(other);
      made->weights.push_back(weight);
    }
    made->starts.push_back(made->others.size());
    made->most_others = std::max(made->most_others, index_t(c.others.size()));
  }
  lists_ = std::move(made);
}

index_t linear_constraints::size() const { return lists_->size; }
std::span<const index_t> linear_constraints::numbers() const { return lists_->numbers; }

std::string linear_constraints::describe() const {
  return std::to_string(lists_->numbers.size()) + " of " + std::to_string(lists_->size) + " numbers constrained, by " +
         std::to_string(lists_->most_others) + " others at most";
}

template <class T>
void linear_constraints::distribute(T* x) const {
  if (!is_there(x, lists_->size)) return;
  extend(x);
  lists_->each([&](std::size_t k, std::size_t number) { x[number] += T(lists_->values[k]); });
}

template <class T>
void linear_constraints::extend(T* x) const {
  if (!is_there(x, lists_->size)) return;
  lists_->each([&](std::size_t k, std::size_t number) {
    double sum = 0;
    lists_->each_other(k, [&](std::size_t other, double weight) { sum += weight * double(x[other]); });
    x[number] = T(sum);
  });
}

template <class T>
void linear_constraints::collect(T* y) const {
  if (!is_there(y, lists_->size)) return;
  lists_->each([&](std::size_t k, std::size_t number) {
    lists_->each_other(k, [&](std::size_t other, double weight) { y[other] += T(weight * double(y[number])); });
    y[number] = T(0);
  });
}

template <class T>
void linear_constraints::collect_diagonal(T* d) const {
  if (!is_there(d, lists_->size)) return;
  lists_->each([&](std::size_t k, std::size_t number) {
    lists_->each_other(k,
                       [&](std::size_t other, double weight) { d[other] += T(weight * weight * double(d[number])); });
    d[number] = T(1);
  });
}

namespace {

template <class T>
void check_sizes(const linear_operator<T>& A, const linear_constraints& by) {
  if (!A) refuse_constraint("there is no operator");
  if (A.size() != by.size())
    refuse_constraint("of " + std::to_string(by.size()) + " numbers, the operator has " + std::to_string(A.size()),
                      status::shape_mismatch);
  if (A.space() != space_kind::cpu)
    refuse_constraint("the operator works in a GPU's memory, constraints in the host's", status::wrong_space);
}

}  // namespace

template <class T>
linear_operator<T> constrained_operator(const linear_operator<T>& A, const linear_constraints& by) {
  check_sizes(A, by);
  const auto kept = std::make_shared<std::vector<T>>(std::size_t(A.size()));
  return {A.size(), [A, by, kept](const T* x, T* y) {
            std::copy_n(x, A.size(), kept->data());
            by.extend(kept->data());
            A.apply(kept->data(), y);
            by.collect(y);
            for (const index_t k : by.numbers()) y[k] = x[k];
          }};
}

template <class T>
void condense(const linear_operator<std::type_identity_t<T>>& A, const linear_constraints& by, T* b) {
  check_sizes(A, by);
  if (b == nullptr && A.size() > 0) refuse_constraint("b is a null pointer", status::null_pointer);
  std::vector<T> g(std::size_t(A.size())), of_g(g);
  by.distribute(g.data());
  A.apply(g.data(), of_g.data());
  for (std::size_t i = 0; i < g.size(); ++i) b[i] -= of_g[i];
  by.collect(b);
}

template void linear_constraints::distribute(float*) const;
template void linear_constraints::distribute(double*) const;
template void linear_constraints::extend(float*) const;
template void linear_constraints::extend(double*) const;
template void linear_constraints::collect(float*) const;
template void linear_constraints::collect(double*) const;
template void linear_constraints::collect_diagonal(float*) const;
template void linear_constraints::collect_diagonal(double*) const;
template linear_operator<float> constrained_operator(const linear_operator<float>&, const linear_constraints&);
template linear_operator<double> constrained_operator(const linear_operator<double>&, const linear_constraints&);
template void condense(const linear_operator<float>&, const linear_constraints&, float*);
template void condense(const linear_operator<double>&, const linear_constraints&, double*);

}  // namespace tessera
