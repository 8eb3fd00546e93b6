// SPDX-License-Identifier: BSD-3-Clause
// Builds the operators: meshes, bases, restrictions and QFunctions from a seed.
#include "random_operator.hpp"

#include "any_function.h"
#include "version.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ceed_test {

namespace {

long power(int n, int dim) { return dim == 3 ? long(n) * n * n : dim == 2 ? n * n : n; }

int functions_of(const operator_case& c, int order) {
  if (c.functions != operator_case::no_tensor) return int(power(order + 1, c.dim));
  return c.dim == 1   ? order + 1
         : c.dim == 2 ? (order + 1) * (order + 2) / 2
                      : (order + 1) * (order + 2) * (order + 3) / 6;
}

std::vector<double> uniform(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> result(count);
  for (double& r : result) r = number(engine);
  return result;
}

}  // namespace

std::string operator_case::describe() const {
  const char* names[] = {"gauss", "lobatto", "any tables", "no tensor"};
  const char* kinds[] = {"gallery", "linear", "nonlinear"};
  return "seed " + std::to_string(seed) + ": " + kinds[kind] + (mass ? " mass " : " diffusion ") + std::to_string(dim) +
         "-D, " + names[functions] + ", " + std::to_string(components) + " components, order " + std::to_string(order) +
         " to " + std::to_string(test_order) + ", " + std::to_string(points) + " points";
}

operator_case draw(unsigned seed) {
  std::mt19937 engine(seed);
  const auto below = [&](int n) { return int(engine() % unsigned(n)); };
  const auto one_in = [&](int n) { return below(n) == 0; };
  operator_case c{.seed = seed};
  c.dim = 1 + below(3);
  c.components = one_in(2) ? 1 : 3;
  c.order = 1 + below(c.dim == 3 ? 4 : 6);
  c.points = std::max(1, c.order + below(4));
  const int kinds[] = {operator_case::lagrange_gauss, operator_case::lagrange_gauss, operator_case::lagrange_lobatto,
                       operator_case::any_tables, operator_case::no_tensor};
  c.functions = decltype(c.functions)(kinds[below(5)]);
  if (c.functions == operator_case::lagrange_lobatto) c.points = std::max(2, c.points);
  c.kind = decltype(c.kind)(below(3));
  c.mass = one_in(2);
  c.other_test = one_in(4);
  c.other_numbers = c.other_test || one_in(6);
  c.test_order = c.other_test ? 1 + below(c.dim == 3 ? 3 : 6) : c.order;
  if (c.kind == operator_case::gallery) return c;
  const int in = 1 + below(3), out = 1 + below(3);
  c.value_in = (in & 1) != 0;
  c.gradient_in = (in & 2) != 0;
  c.value_out = (out & 1) != 0;
  c.gradient_out = (out & 2) != 0;
  const bool at_nodes = c.functions == operator_case::lagrange_lobatto && c.points == c.test_order + 1;
  if (!adds_outputs_at_nodes && at_nodes && c.value_out && c.gradient_out) ++c.points;
  c.data = below(4);
  c.weights = one_in(3);
  c.field_values = one_in(3);
  c.field_gradients = one_in(4);
  return c;
}

random_operator::random_operator(Ceed ceed, const operator_case& c) : ceed_(ceed), case_(c) {
  make_mesh();
  trial_ = make_basis(c.order, c.components, c.seed);
  x_numbers_ = make_numbers(c.order, c.components, c.seed);
  if (c.other_test) test_ = make_basis(c.test_order, c.components, c.seed + 1);
  if (c.other_numbers) y_numbers_ = make_numbers(c.test_order, c.components, c.seed + 1);
  make_function();
  x_ = vector_of(ceed_, random_numbers(x_numbers_, c.seed + 2));
}

void random_operator::make_mesh() {
  std::mt19937 engine(case_.seed + 77);
  const int most = case_.dim == 3 ? 3 : case_.dim == 2 ? 5 : 20;
  elements_ = 1;
  for (int a = 0; a < case_.dim; ++a) elements_ *= cells_[a] = 1 + int(engine() % unsigned(most));
  points_ = int(power(case_.points, case_.dim));
}

basis random_operator::make_basis(int order, int components, unsigned seed) const {
  basis made;
  const int dim = case_.dim, q = case_.points, functions = functions_of(case_, order);
  if (case_.functions == operator_case::no_tensor) {
    const CeedElemTopology shape = dim == 1   ? CEED_TOPOLOGY_LINE
                                   : dim == 2 ? CEED_TOPOLOGY_TRIANGLE
                                              : CEED_TOPOLOGY_TET;
    const std::size_t size = std::size_t(functions) * std::size_t(points_);
    const auto values = uniform(size, seed + 3), slopes = uniform(size * std::size_t(dim), seed + 4);
    const auto at = uniform(std::size_t(points_ * dim), 5), weights = uniform(std::size_t(points_), 6);
    check(ceed_, CeedBasisCreateH1(ceed_, shape, components, functions, points_, values.data(), slopes.data(),
                                   at.data(), weights.data(), made.out()));
  } else if (case_.functions == operator_case::any_tables) {
    const std::size_t size = std::size_t(order + 1) * std::size_t(q);
    auto values = uniform(size, seed + 3);
    const auto slopes = uniform(size, seed + 4);
    // Far from singular: the reference backend solves with such a table to get derivatives.
    for (int k = 0; k < q; ++k) values[std::size_t(k * (order + 1) + k % (order + 1))] += 3;
    auto at = uniform(std::size_t(q), 5), weights = uniform(std::size_t(q), 6);
    std::sort(at.begin(), at.end());
    check(ceed_, CeedBasisCreateTensorH1(ceed_, dim, components, order + 1, q, values.data(), slopes.data(), at.data(),
                                         weights.data(), made.out()));
  } else {
    const CeedQuadMode rule = case_.functions == operator_case::lagrange_gauss ? CEED_GAUSS : CEED_GAUSS_LOBATTO;
    check(ceed_, CeedBasisCreateTensorH1Lagrange(ceed_, dim, components, order + 1, q, rule, made.out()));
  }
  return made;
}

// Offsets of a box, its nodes numbered at random, with numbers that nobody has; or strides, of elements that share
// nothing.
element_restriction random_operator::make_numbers(int order, int components, unsigned seed) const {
  std::mt19937 engine(seed + 8);
  const int entries = functions_of(case_, order);
  element_restriction made;
  const int all = components * entries * elements_;
  switch (engine() % 6) {
    case 0:
      check(ceed_, CeedElemRestrictionCreateStrided(ceed_, elements_, entries, components, all, CEED_STRIDES_BACKEND,
                                                    made.out()));
      return made;
    case 1: {
      const CeedInt strides[3] = {components, 1, entries * components};
      check(ceed_, CeedElemRestrictionCreateStrided(ceed_, elements_, entries, components, all, strides, made.out()));
      return made;
    }
    default: break;
  }
  std::vector<CeedInt> offsets;
  int nodes = 0;
  if (case_.functions == operator_case::no_tensor) {
    nodes = std::max(entries, elements_ * entries / 2);
    std::vector<CeedInt> pool(static_cast<std::size_t>(nodes));
    std::iota(pool.begin(), pool.end(), 0);
    for (int e = 0; e < elements_; ++e) {
      std::shuffle(pool.begin(), pool.end(), engine);
      offsets.insert(offsets.end(), pool.begin(), pool.begin() + entries);
    }
  } else {
    const int side = order + 1;
    int n[3] = {1, 1, 1};
    for (int a = 0; a < case_.dim; ++a) n[a] = cells_[a] * order + 1;
    nodes = n[0] * n[1] * n[2] + 3;
    std::vector<CeedInt> name(static_cast<std::size_t>(nodes));
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), engine);
    for (int e = 0; e < elements_; ++e)
      for (int i = 0; i < entries; ++i) {
        int place[3] = {0, 0, 0};
        for (int a = 0, in_mesh = e, in_element = i; a < case_.dim; ++a, in_element /= side) {
          place[a] = in_mesh % cells_[a] * order + in_element % side;
          in_mesh /= cells_[a];
        }
        offsets.push_back(name[std::size_t(place[0] + n[0] * (place[1] + n[1] * place[2]))]);
      }
  }
  const bool interleaved = engine() % 2 == 0;
  if (interleaved)
    for (CeedInt& offset : offsets) offset *= components;
  check(ceed_, CeedElemRestrictionCreate(ceed_, elements_, entries, components, interleaved ? 1 : nodes,
                                         CeedSize(nodes) * components, CEED_MEM_HOST, CEED_COPY_VALUES, offsets.data(),
                                         made.out()));
  return made;
}

element_restriction random_operator::make_data_numbers(int components, unsigned seed) const {
  element_restriction made;
  const int all = components * points_ * elements_;
  const CeedInt strides[2][3] = {{1, points_, points_ * components}, {components, 1, points_ * components}};
  if (seed % 3 < 2) {
    check(ceed_,
          CeedElemRestrictionCreateStrided(ceed_, elements_, points_, components, all, strides[seed % 3], made.out()));
    return made;
  }
  std::vector<CeedInt> offsets(static_cast<std::size_t>(points_ * elements_));
  std::iota(offsets.rbegin(), offsets.rend(), 0);
  check(ceed_, CeedElemRestrictionCreate(ceed_, elements_, points_, components, points_ * elements_, all, CEED_MEM_HOST,
                                         CEED_COPY_VALUES, offsets.data(), made.out()));
  return made;
}

std::vector<double> random_operator::random_numbers(CeedElemRestriction like, unsigned seed) const {
  CeedSize size = 0;
  check(ceed_, CeedElemRestrictionGetLVectorSize(like, &size));
  return uniform(std::size_t(size), seed);
}

void random_operator::set_field(const char* name, CeedElemRestriction r, CeedBasis b, CeedVector v) {
  check(ceed_, CeedOperatorSetField(op_, name, r, b, v));
}

void random_operator::make_function() {
  const operator_case& c = case_;
  const int n = c.components, dim = c.dim, size = dim * (dim + 1) / 2;
  CeedBasis test = c.other_test ? test_ : trial_;
  CeedElemRestriction y_numbers = c.other_numbers ? y_numbers_ : x_numbers_;
  struct input {
    const char* name;
    int size;
    CeedEvalMode mode;
    bool active;
  };
  std::vector<input> in;
  std::vector<input> out;
  if (c.kind == operator_case::gallery) {
    const std::string name =
        std::string(n == 3 ? "Vector3" : "") + (c.mass ? "MassApply" : "Poisson" + std::to_string(dim) + "DApply");
    check(ceed_, CeedQFunctionCreateInteriorByName(ceed_, name.c_str(), function_.out()));
    in = {{c.mass ? "u" : "du", 0, CEED_EVAL_INTERP, true}, {"qdata", c.mass ? 1 : size, CEED_EVAL_NONE, false}};
    out = {{c.mass ? "v" : "dv", 0, CEED_EVAL_INTERP, true}};
  } else {
    check(ceed_, CeedQFunctionCreateInterior(ceed_, 1, any_function, any_function_loc, function_.out()));
    if (c.weights) in.push_back({"weights", 1, CEED_EVAL_WEIGHT, false});
    if (c.gradient_in) in.push_back({"du", n * dim, CEED_EVAL_GRAD, true});
    if (c.data > 0) in.push_back({"data", c.data, CEED_EVAL_NONE, false});
    if (c.field_values) in.push_back({"field", 2, CEED_EVAL_INTERP, false});
    if (c.value_in) in.push_back({"u", n, CEED_EVAL_INTERP, true});
    if (c.field_gradients) in.push_back({"slopes", 2 * dim, CEED_EVAL_GRAD, false});
    if (c.gradient_out) out.push_back({"dv", n * dim, CEED_EVAL_GRAD, true});
    if (c.value_out) out.push_back({"v", n, CEED_EVAL_INTERP, true});
    layout_of_fields l{int(in.size()), int(out.size()), c.kind == operator_case::nonlinear, {}, {}, {}, c.seed * 0.1};
    for (std::size_t i = 0; i < in.size(); ++i) {
      l.in_size[i] = in[i].size;
      l.active[i] = in[i].active;
      check(ceed_, CeedQFunctionAddInput(function_, in[i].name, in[i].size, in[i].mode));
    }
    for (std::size_t o = 0; o < out.size(); ++o) {
      l.out_size[o] = out[o].size;
      check(ceed_, CeedQFunctionAddOutput(function_, out[o].name, out[o].size, out[o].mode));
    }
    check(ceed_, CeedQFunctionContextCreate(ceed_, context_.out()));
    check(ceed_, CeedQFunctionContextSetData(context_, CEED_MEM_HOST, CEED_COPY_VALUES, sizeof l, &l));
    check(ceed_, CeedQFunctionSetContext(function_, context_));
    check(ceed_, CeedQFunctionSetContextWritable(function_, c.seed % 2 == 0));
  }
  check(ceed_, CeedOperatorCreate(ceed_, function_, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, op_.out()));
  for (const input& f : in) {
    if (f.active) {
      set_field(f.name, x_numbers_, trial_, CEED_VECTOR_ACTIVE);
    } else if (f.mode == CEED_EVAL_WEIGHT) {
      set_field(f.name, CEED_ELEMRESTRICTION_NONE, trial_, CEED_VECTOR_NONE);
    } else {
      field made;
      const unsigned seed = c.seed + 20 + unsigned(passive_.size());
      const bool data = f.mode == CEED_EVAL_NONE;
      if (!data) made.functions = make_basis(1 + int(seed % 2), 2, seed);
      made.numbers = data ? make_data_numbers(f.size, seed) : make_numbers(1 + int(seed % 2), 2, seed);
      made.values = vector_of(ceed_, random_numbers(made.numbers, seed));
      set_field(f.name, made.numbers, data ? CEED_BASIS_NONE : CeedBasis(made.functions), made.values);
      passive_.push_back(std::move(made));
    }
  }
  for (const input& f : out) set_field(f.name, y_numbers, test, CEED_VECTOR_ACTIVE);
}

std::vector<double> random_operator::apply() const {
  vector y = vector_of(ceed_, random_numbers(case_.other_numbers ? y_numbers_ : x_numbers_, case_.seed + 9));
  check(ceed_, CeedOperatorApply(op_, x_, y, CEED_REQUEST_IMMEDIATE));
  return numbers_of(ceed_, y);
}

std::vector<double> random_operator::add() const {
  vector y = vector_of(ceed_, random_numbers(case_.other_numbers ? y_numbers_ : x_numbers_, case_.seed + 9));
  check(ceed_, CeedOperatorApplyAdd(op_, x_, y, CEED_REQUEST_IMMEDIATE));
  return numbers_of(ceed_, y);
}

void random_operator::change() {
  for (const field& f : passive_) {
    CeedScalar* at = nullptr;
    CeedSize length = 0;
    check(ceed_, CeedVectorGetLength(f.values, &length));
    check(ceed_, CeedVectorGetArray(f.values, CEED_MEM_HOST, &at));
    for (CeedSize i = 0; i < length; ++i) at[i] = 0.7 * at[i] + 0.2;
    check(ceed_, CeedVectorRestoreArray(f.values, &at));
  }
}

std::vector<double> random_operator::diagonal() const {
  vector d = vector_of(ceed_, random_numbers(x_numbers_, 1));
  check(ceed_, CeedOperatorLinearAssembleDiagonal(op_, d, CEED_REQUEST_IMMEDIATE));
  return numbers_of(ceed_, d);
}

std::vector<double> random_operator::assembled() const {
  vector v, e_vector;
  element_restriction r;
  check(ceed_, CeedOperatorLinearAssembleQFunction(op_, v.out(), r.out(), CEED_REQUEST_IMMEDIATE));
  return numbers_of(ceed_, v);
}

}  // namespace ceed_test
