// SPDX-License-Identifier: BSD-3-Clause
// lower: from an einsum and the operands' sizes and strides to the canonical form that a kernel runs. Moves no data.
#pragma once

#include <tessera/core/einsum.hpp>
#include <tessera/core/offset.hpp>

namespace tessera {

/// What lowering needs of an operand.
struct operand_facts {
  int rank = 0;
  index_t extent[max_rank]{};
  index_t stride[max_rank]{};  // meaningful where affine
  bool affine = true;

  /// Entries of one tensor that lie in front of its entry (0, 0, ...): where strides are negative.
  constexpr index_t before() const {
    index_t sum = 0;
    for (int d = 0; affine && d < rank; ++d)
      if (stride[d] < 0 && extent[d] > 1) sum -= (extent[d] - 1) * stride[d];
    return sum;
  }
};

template <layout_type Layout>
constexpr operand_facts facts_of(const Layout& layout) {
  operand_facts facts{.rank = rank_of<Layout>, .affine = affine_layout<Layout>};
  for (int d = 0; d < facts.rank; ++d) {
    facts.extent[d] = layout.extents()(d);
    if constexpr (affine_layout<Layout>) facts.stride[d] = layout.stride(d);
  }
  return facts;
}

/// Paper 004's kernels, seen over agglomerated indices:
///   eq8a  A(i,j,k,l) = sum_s B(i,s,j) C(k,s,l)      eq8b  A(i,k,l,j) = the same sum
///   eq9   A(k,i,l,j) = sum_s B(s,i) B(s,j) C(k,s,l)
/// `pointwise` multiplies entry by entry (the D step); `general` is any other order of the output's letters.
enum class canonical { eq8a, eq8b, eq9, pointwise, general };

constexpr const char* name_of(canonical form) {
  switch (form) {
    case canonical::eq8a: return "8a";
    case canonical::eq8b: return "8b";
    case canonical::eq9: return "9";
    case canonical::pointwise: return "pointwise";
    case canonical::general: break;
  }
  return "general";
}

/// One index of the lowered loop nest: its extent, and its stride in each operand (0 where the operand lacks it).
/// Letters that are adjacent in every operand have been merged into one digit.
struct digit {
  index_t extent = 1;
  index_t stride[max_inputs + 1]{};
};

struct digits {
  int count = 0;
  digit at[max_rank]{};
  modes letters;  // the letters behind the digits, fastest first

  constexpr index_t size() const {
    index_t product = 1;
    for (int i = 0; i < count; ++i) product *= at[i].extent;
    return product;
  }
};

enum class lower_fault { none, einsum, rank, extent };

/// A contraction as a batch of matrix products: for every loop index l
///   out(r, c, l) = alpha sum_k left(r, k, l) right(k, c, l) + beta out(r, c, l).
/// `rows` and `cols` merge into one digit each where every operand is affine; what does not merge became part of
/// `loop`. For eq9 one side is the product of inputs 0 and 1. For `pointwise` only rows and loop are set.
struct lowered {
  canonical form = canonical::general;
  int left[2] = {0, -1};  // inputs that make the row side; the second one only in eq9
  int right[2] = {1, -1};
  digits rows, cols, inner, loop;
  lower_fault fault = lower_fault::none;
  char offender = 0;           // the letter whose extents disagree
  int operands[2] = {-1, -1};  // the two operands that disagree
};

namespace detail {

struct lowering {
  einsum e;
  operand_facts facts[max_inputs + 1];

  constexpr bool used(int o) const { return o == output || o < e.inputs; }
  constexpr index_t extent(char c) const {
    for (int o = 0; o <= max_inputs; ++o)
      if (used(o) && e.operand[o].has(c)) return facts[o].extent[e.operand[o].find(c)];
    return 1;
  }
  constexpr digit digit_of(char c) const {
    digit d{.extent = extent(c)};
    for (int o = 0; o <= max_inputs; ++o)
      if (used(o) && e.operand[o].has(c)) d.stride[o] = facts[o].stride[e.operand[o].find(c)];
    return d;
  }
  // True where letter c continues digit d in every operand that holds either of them.
  constexpr bool continues(const digit& d, const modes& held, char c) const {
    const digit next = digit_of(c);
    for (int o = 0; o <= max_inputs; ++o) {
      if (!used(o)) continue;
      const bool has = e.operand[o].has(c), had = e.operand[o].has(held.letter[held.rank - 1]);
      if (has != had) return false;
      if (has && (!facts[o].affine || next.stride[o] != d.stride[o] * d.extent)) return false;
    }
    return true;
  }
  // Merges `letters` into digits, at most `limit` of them; the letters that do not fit go to `rest`.
  constexpr digits merge(const modes& letters, int limit, modes& rest) const {
    digits result;
    for (int i = 0; i < letters.rank; ++i) {
      const char c = letters.letter[i];
      if (result.count > 0 && rest_is_empty(rest, letters, i) &&
          continues(result.at[result.count - 1], result.letters, c)) {
        result.at[result.count - 1].extent *= extent(c);
        result.letters.append(c);
      } else if (result.count < limit) {
        result.at[result.count++] = digit_of(c);
        result.letters.append(c);
      } else {
        rest.append(c);
      }
    }
    return result;
  }
  // A letter may be merged into the last digit only if no earlier letter of the same list was left unmerged.
  static constexpr bool rest_is_empty(const modes& rest, const modes& letters, int upto) {
    for (int i = 0; i < upto; ++i)
      if (rest.has(letters.letter[i])) return false;
    return true;
  }
};

// Appends the letters of `from` that `keep` accepts.
template <class Keep>
constexpr modes select(const modes& from, Keep keep) {
  modes result;
  for (int d = 0; d < from.rank; ++d)
    if (keep(from.letter[d])) result.append(from.letter[d]);
  return result;
}

constexpr modes concatenate(modes a, const modes& b) {
  for (int d = 0; d < b.rank; ++d) a.append(b.letter[d]);
  return a;
}

constexpr bool equal(const modes& a, const modes& b) {
  if (a.rank != b.rank) return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.letter[d] != b.letter[d]) return false;
  return true;
}

// before / after: the letters of m on each side of the contiguous run of summed letters; false where it is not one run.
constexpr bool cut(const modes& m, const modes& out, modes& before, modes& summed, modes& after) {
  for (int d = 0; d < m.rank; ++d) {
    const char c = m.letter[d];
    if (!out.has(c)) {
      if (after.rank > 0) return false;
      summed.append(c);
    } else {
      (summed.rank == 0 ? before : after).append(c);
    }
  }
  return summed.rank > 0;
}

constexpr canonical classify(const einsum& e) {
  const modes& out = e.out();
  bool everywhere = true;
  for (int o = 0; o < e.inputs; ++o) everywhere = everywhere && equal(e.operand[o], out);
  if (everywhere && e.inputs == 2) return canonical::pointwise;
  if (e.inputs == 2) {
    // A contraction may fit both kernels, its operands exchanged: (8a) is preferred.
    for (int choice = 0; choice < 2; ++choice) {
      const canonical wanted = choice == 0 ? canonical::eq8a : canonical::eq8b;
      for (int swap = 0; swap < 2; ++swap) {
        modes i, j, k, l, s1, s2;
        if (!cut(e.operand[swap], out, i, s1, j) || !cut(e.operand[1 - swap], out, k, s2, l) || !equal(s1, s2))
          continue;
        if (i.rank + j.rank + k.rank + l.rank != out.rank) continue;
        const modes fitting = wanted == canonical::eq8a ? concatenate(concatenate(i, j), concatenate(k, l))
                                                        : concatenate(concatenate(i, k), concatenate(l, j));
        if (equal(out, fitting)) return wanted;
      }
    }
    return canonical::general;
  }
  modes before_i, s1, i, before_j, s2, j, k, s3, l;
  if (cut(e.operand[0], out, before_i, s1, i) && cut(e.operand[1], out, before_j, s2, j) &&
      cut(e.operand[2], out, k, s3, l) && before_i.rank == 0 && before_j.rank == 0 && equal(s1, s2) && equal(s1, s3) &&
      k.rank + i.rank + l.rank + j.rank == out.rank && equal(out, concatenate(concatenate(k, i), concatenate(l, j))))
    return canonical::eq9;
  return canonical::general;
}

constexpr lowered check_sizes(const lowering& in) {
  lowered result;
  for (int o = 0; o <= max_inputs; ++o) {
    if (!in.used(o)) continue;
    if (in.facts[o].rank != in.e.operand[o].rank) {
      result.fault = lower_fault::rank;
      result.operands[0] = o;
      return result;
    }
  }
  for (int o = 0; o <= max_inputs; ++o) {
    if (!in.used(o)) continue;
    for (int d = 0; d < in.e.operand[o].rank; ++d) {
      const char c = in.e.operand[o].letter[d];
      for (int other = 0; other < o; ++other) {
        if (!in.used(other) || !in.e.operand[other].has(c)) continue;
        if (in.facts[other].extent[in.e.operand[other].find(c)] == in.facts[o].extent[d]) continue;
        result.fault = lower_fault::extent;
        result.offender = c;
        result.operands[0] = other;
        result.operands[1] = o;
        return result;
      }
    }
  }
  return result;
}

}  // namespace detail

/// Lowers `e` over operands with the given facts, facts[output] being the result's.
constexpr lowered lower(const einsum& e, const operand_facts (&facts)[max_inputs + 1]) {
  detail::lowering in{e, {facts[0], facts[1], facts[2], facts[3]}};
  if (e.fault != einsum_fault::none) {
    lowered failed;
    failed.fault = lower_fault::einsum;
    return failed;
  }
  lowered result = detail::check_sizes(in);
  if (result.fault != lower_fault::none) return result;
  result.form = detail::classify(e);

  const modes& out = e.out();
  modes aside;  // letters that were not merged
  if (result.form == canonical::pointwise) {
    result.rows = in.merge(out, 1, aside);
  } else {
    // The side that owns the output's fastest letter becomes the row side, so that rows are contiguous in the output.
    const bool pair = e.inputs == 3;
    const int tensor = pair ? 2 : 1;
    const auto first_side_has = [&](char c) { return e.operand[0].has(c) || (pair && e.operand[1].has(c)); };
    const bool swap = out.rank > 0 && !first_side_has(out.letter[0]);
    result.left[0] = swap ? tensor : 0;
    result.left[1] = !swap && pair ? 1 : -1;
    result.right[0] = swap ? 0 : tensor;
    result.right[1] = swap && pair ? 1 : -1;

    const auto held = [&](const int(&side)[2], char c) {
      return e.operand[side[0]].has(c) || (side[1] >= 0 && e.operand[side[1]].has(c));
    };
    const auto in_left = [&](char c) { return held(result.left, c); };
    const auto in_right = [&](char c) { return held(result.right, c); };
    result.rows = in.merge(detail::select(out, [&](char c) { return in_left(c) && !in_right(c); }), 1, aside);
    result.cols = in.merge(detail::select(out, [&](char c) { return in_right(c) && !in_left(c); }), 1, aside);
    modes none;
    // Of three inputs any two may share a summed letter; a side without it repeats along it (stride 0).
    modes summed;
    const int sides[] = {result.left[0], result.right[0], 0, 1};
    for (const int o : sides)
      summed = detail::concatenate(summed,
                                   detail::select(e.operand[o], [&](char c) { return !out.has(c) && !summed.has(c); }));
    result.inner = in.merge(summed, max_rank, none);
    for (int d = 0; d < out.rank; ++d)
      if (in_left(out.letter[d]) && in_right(out.letter[d])) aside.append(out.letter[d]);
  }
  modes none;
  result.loop = in.merge(detail::select(out, [&](char c) { return aside.has(c); }), max_rank, none);
  return result;
}

}  // namespace tessera
