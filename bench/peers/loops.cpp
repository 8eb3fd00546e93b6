// SPDX-License-Identifier: BSD-3-Clause
// A contraction by plain loops over its letters, as one writes them first: threads over the output's outer letters.
#include <vector>

#include "entry_types.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

namespace {

// A letter with its strides in A, B and C, 0 where it is not there.
struct strided_letter {
  index_t extent, stride[3];
};

std::vector<strided_letter> letters_of(const contraction_call& call, bool in_output) {
  std::vector<strided_letter> all;
  std::string known = in_output ? "" : call.letters[2];
  for (const int of : {2, 0, 1}) {
    if (in_output != (of == 2)) continue;
    for (std::size_t d = 0; d < call.letters[of].size(); ++d) {
      const char letter = call.letters[of][d];
      if (known.find(letter) != std::string::npos) continue;
      known += letter;
      strided_letter made{call.extents[of][d], {}};
      for (int t = 0; t < 3; ++t) {
        index_t stride = 1;
        for (std::size_t e = 0; e < call.letters[t].size(); stride *= call.extents[t][e++])
          if (call.letters[t][e] == letter) made.stride[t] = stride;
      }
      all.push_back(made);
    }
  }
  return all;
}

struct offsets {
  index_t of[3] = {};
};

// Of combination `step` of letters `first`.. on.
offsets offsets_at(const std::vector<strided_letter>& letters, std::size_t first, index_t step) {
  offsets at;
  for (std::size_t i = first; i < letters.size(); ++i) {
    for (int t = 0; t < 3; ++t) at.of[t] += step % letters[i].extent * letters[i].stride[t];
    step /= letters[i].extent;
  }
  return at;
}

index_t combinations(const std::vector<strided_letter>& letters, std::size_t first) {
  index_t all = 1;
  for (std::size_t i = first; i < letters.size(); ++i) all *= letters[i].extent;
  return all;
}

template <class T>
void contract_by_loops(const contraction_call& call, const std::vector<strided_letter>& outer,
                       const std::vector<strided_letter>& inner) {
  const auto* const a = static_cast<const T*>(call.a);
  const auto* const b = static_cast<const T*>(call.b);
  auto* const c = static_cast<T*>(call.c);
  const strided_letter& row = outer.front();
  const index_t rows = combinations(outer, 1), terms = combinations(inner, 0);
  const T beta = entry_of<T>(call.beta, 0);
#pragma omp parallel num_threads(call.threads)
  {
    std::vector<T> sums(std::size_t(row.extent));
#pragma omp for schedule(static)
    for (index_t r = 0; r < rows; ++r) {
      const offsets at = offsets_at(outer, 1, r);
      for (T& sum : sums) sum = T(0);
      for (index_t k = 0; k < terms; ++k) {
        const offsets term = offsets_at(inner, 0, k);
        const T* const x = a + at.of[0] + term.of[0];
        const T* const y = b + at.of[1] + term.of[1];
        for (index_t i = 0; i < row.extent; ++i) sums[std::size_t(i)] += x[i * row.stride[0]] * y[i * row.stride[1]];
      }
      for (index_t i = 0; i < row.extent; ++i) {
        T& out = c[at.of[2] + i * row.stride[2]];
        out = call.beta == 0 ? sums[std::size_t(i)] : sums[std::size_t(i)] + beta * out;
      }
    }
  }
}

contraction_pass by_loops(const contraction_call& call) {
  if (call.type.in != call.type.out || call.type.in != call.type.sum || call.letters[2].empty()) return {};
  const auto run = [call, outer = letters_of(call, true), inner = letters_of(call, false)] {
    with_type(call.type.in, [&](auto entry) {
      using T = decltype(entry);
      if constexpr (sizeof(T) >= sizeof(float)) contract_by_loops<T>(call, outer, inner);
    });
  };
  return {run, "plain loops"};
}

}  // namespace

std::vector<peer> loop_peers() {
  peer loops{"loops", "built in", true, space_kind::cpu, {}};
  loops.prepare_contraction = by_loops;
  return {loops};
}

}  // namespace tessera::bench
