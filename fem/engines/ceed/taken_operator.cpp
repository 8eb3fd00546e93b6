// SPDX-License-Identifier: BSD-3-Clause
// Makes an operator of the library from a CeedOperator, and applies it.
#include "taken_operator.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "basis_tables.hpp"
#include "entry_numbers.hpp"
#include "failure.hpp"
#include "known_function.hpp"
#include "libceed_api.hpp"
#include "threads.hpp"

namespace tessera::ceed {

struct taken_operator::parts {
  place at = place::host;
  operator_fields fields;
  basis_tables x, y;
  bool one_basis = true;
  std::optional<known_function> known;

  const int* order() const { return known ? factor_order(*known, x.dim) : nullptr; }
};

taken_operator::parts taken_operator::parts_of(CeedOperator op) {
  parts p;
  p.at = place_of(op);
  p.fields = fields_of(op);
  p.x = tables_of(p.fields.x.basis);
  p.one_basis = p.fields.x.basis == p.fields.y.basis;
  p.y = p.one_basis ? p.x : tables_of(p.fields.y.basis);
  if (p.x.tensor != p.y.tensor || p.x.dim != p.y.dim || p.x.points != p.y.points)
    throw not_taken{"the bases of input and output are of different kinds"};
  p.known = known_function_of(ceed_of(op), p.fields);
  if (p.known && p.known->dim != 0 && p.known->dim != p.x.dim) p.known.reset();
  return p;
}

namespace {

// A user's function runs by tables of derivatives, which halve the work where they are exactly symmetric; their product
// with C would be so up to rounding only.
evaluation_spec line_spec(const basis_tables& x, const basis_tables& y, bool one_basis, bool built_in) {
  evaluation_spec s{.dim = x.dim,
                    .components = x.components,
                    .trial = x.functions,
                    .points = x.points,
                    .test = y.functions,
                    .interpolate = x.values,
                    .differentiate = x.differentiate};
  const bool through_points = built_in && !x.differentiate.empty() && x.differentiate == y.differentiate;
  if (!through_points) {
    s.differentiate.clear();
    s.gradients = x.gradients;
  }
  if (one_basis) return s;
  s.test_functions = y.values;
  if (!through_points) s.test_gradients = y.gradients;
  return s;
}

dense_evaluation_spec dense_spec(const basis_tables& x, const basis_tables& y, bool one_basis) {
  dense_evaluation_spec s{
      .dim = x.dim, .components = x.components, .points = x.points, .trial = {x.functions, x.values, x.gradients}};
  if (!one_basis) s.test = {y.functions, y.values, y.gradients};
  return s;
}

// Of a built-in operator or around a user's function.
template <class Spec>
evaluation<double> evaluation_by(Spec spec, place at, const std::optional<known_function>& known,
                                 const compiled_function<double>& own) {
  if (at == place::device) spec.on = target::cuda;
  if (!known) return evaluation<double>(spec, own);
  spec.kind = known->kind;
  return evaluation<double>(spec);
}

}  // namespace

evaluation<double> taken_operator::evaluation_of(const parts& p) const {
  compiled_function<double> own;
  if (call_ != nullptr) own = point_call::function_of(call_, p.fields, numbers_.factors());
  if (text_ != nullptr) own = text_->function();
  evaluation<double> made =
      p.x.tensor ? evaluation_by(line_spec(p.x, p.y, p.one_basis, p.known.has_value()), p.at, p.known, own)
                 : evaluation_by(dense_spec(p.x, p.y, p.one_basis), p.at, p.known, own);
  if (call_ != nullptr && made.lanes() % call_->vector_length() != 0)
    throw not_taken{"the QFunction needs a number of points that blocks do not have"};
  return made;
}

taken_operator::taken_operator(CeedOperator op) : taken_operator(parts_of(op)) {}

taken_operator::taken_operator(const parts& p)
    : at_(p.at),
      numbers_(p.fields, p.order()),
      call_(p.known || p.at == place::device ? nullptr
                                             : std::make_shared<point_call>(p.fields, numbers_.first(), p.x.dim)),
      text_(p.known || p.at == place::host
                ? nullptr
                : std::make_unique<device_function>(p.fields, numbers_.first(), p.x.dim, numbers_.factors())),
      x_(restriction_of(p.fields.x.restriction)),
      y_(p.fields.x.restriction == p.fields.y.restriction ? x_ : restriction_of(p.fields.y.restriction)),
      run_(evaluation_of(p), x_, y_),
      D_(point_data<double>::stored(run_.kernel(), run_.elements())) {}

void taken_operator::apply(const double* x, double* y, bool add) {
  const global_application<double> a{.x = x, .y = y, .add = add};
  if (text_ != nullptr) {
    const device_function::session session(*text_);
    return run_.apply(a, D_);
  }
  if (call_ == nullptr) {
    const thread_limit limit(wanted_threads());
    return run_.apply(a, D_);
  }
  point_call::session session(*call_);
  const thread_limit limit(call_->writes_context() ? 1 : wanted_threads());
  run_.apply(a, D_);
  session.finish();
}

bool taken_operator::has_diagonal() const {
  return at_ == place::host && call_ == nullptr && run_.has_one_restriction() && run_.kernel().has_diagonal();
}

void taken_operator::add_diagonal(double* y) {
  const thread_limit limit(wanted_threads());
  const index_t entries = y_.entries() * y_.components();
  std::vector<double> ours(static_cast<std::size_t>(entries * run_.elements())), theirs(ours.size());
  run_.kernel().diagonal(0, run_.elements(), ours.data(), D_);
  for (index_t k = 0; k < run_.elements(); ++k)
    std::copy_n(ours.data() + entries * k, entries, theirs.data() + entries * run_.order()[std::size_t(k)]);
  y_.add_from_elements(theirs.data(), y);
}

std::string taken_operator::describe() const { return run_.kernel().describe() + "; " + run_.describe(); }

}  // namespace tessera::ceed
