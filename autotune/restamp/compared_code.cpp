// SPDX-License-Identifier: BSD-3-Clause
// Sorted hashes, object by object.
#include "restamp/compared_code.hpp"

#include <algorithm>
#include <iterator>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

void check_alike(const object_code& former, const object_code& latter) {
  if (former.machine != latter.machine)
    throw error(former.name + ": the builds are for other processors; configure both alike");
  if (former.compiler != latter.compiler)
    throw error(former.name + ": by other compilers, " + former.compiler + " and " + latter.compiler +
                "; build both with one");
}

// Those whose own bytes no piece of the other object has, first of all; else those that refer to something else.
std::string difference(const object_code& one, const object_code& other, const std::vector<std::uint64_t>& all_one,
                       const std::vector<std::uint64_t>& all_other) {
  const auto own_of = [](const object_code& o) {
    std::vector<std::uint64_t> own;
    for (const code_piece& piece : o.pieces) own.push_back(piece.own);
    return own;
  };
  const auto first_in = [&](const std::vector<std::uint64_t>& mine, const std::vector<std::uint64_t>& others,
                            const char* what) {
    std::string first;
    int count = 0;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (std::find(others.begin(), others.end(), mine[i]) == others.end() && count++ == 0) first = one.pieces[i].name;
    return count == 0 ? std::string()
                      : std::to_string(count) + " of " + std::to_string(mine.size()) + what + ", the first is " + first;
  };
  std::string text = first_in(own_of(one), own_of(other), " functions and data differ");
  if (text.empty()) text = first_in(all_one, all_other, " functions and data refer to others");
  return one.name + ": " + (text.empty() ? "some functions or data are there more often than before" : text);
}

void compare(const object_code& former, const object_code& latter, const std::set<std::string>& known,
             code_comparison& so_far) {
  check_alike(former, latter);
  ++so_far.objects;
  for (const code_piece& piece : latter.pieces) ++(piece.is_function ? so_far.functions : so_far.data);
  const std::vector<std::uint64_t> of_former = hashes_of(former, known), of_latter = hashes_of(latter, known);
  std::vector<std::uint64_t> one = of_former, other = of_latter;
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  if (one != other) so_far.differences.push_back(difference(latter, former, of_latter, of_former));
}

std::set<std::string> names_in(const std::vector<object_code>& objects) {
  std::set<std::string> names;
  for (const object_code& o : objects) names.merge(names_elsewhere(o));
  return names;
}

}  // namespace

code_comparison compared_code(std::vector<object_code> former, std::vector<object_code> latter) {
  const auto by_name = [](const object_code& a, const object_code& b) { return a.name < b.name; };
  std::stable_sort(former.begin(), former.end(), by_name);
  std::stable_sort(latter.begin(), latter.end(), by_name);
  const std::set<std::string> of_former = names_in(former), of_latter = names_in(latter);
  std::set<std::string> known;
  std::set_intersection(of_former.begin(), of_former.end(), of_latter.begin(), of_latter.end(),
                        std::inserter(known, known.end()));
  code_comparison all;
  all.renamed = int(of_former.size() - known.size());
  auto one = former.begin(), other = latter.begin();
  while (one != former.end() || other != latter.end()) {
    if (other == latter.end() || (one != former.end() && one->name < other->name))
      all.differences.push_back(one++->name + ": in the former build only");
    else if (one == former.end() || other->name < one->name)
      all.differences.push_back(other++->name + ": in this build only");
    else
      compare(*one++, *other++, known, all);
  }
  if (all.functions == 0 && all.same()) throw error("there are no functions to compare");
  return all;
}

}  // namespace tessera::tune
