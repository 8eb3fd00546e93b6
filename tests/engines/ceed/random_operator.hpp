// SPDX-License-Identifier: BSD-3-Clause
// Operators of any kind from a seed, the same on every backend.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "handles.hpp"

namespace ceed_test {

/// What is drawn for an operator; the rest follows from the seed.
struct operator_case {
  unsigned seed = 0;
  int dim = 1, components = 1, order = 1, test_order = 1, points = 2;
  enum { lagrange_gauss, lagrange_lobatto, any_tables, no_tensor } functions = lagrange_gauss;
  enum { gallery, linear, nonlinear } kind = gallery;
  bool mass = true;            // of the gallery
  bool other_test = false;     // y has another basis
  bool other_numbers = false;  // y has another restriction
  bool value_in = true, gradient_in = false, value_out = true, gradient_out = false;
  int data = 1;  // numbers at points; 0: no such input
  bool weights = false, field_values = false, field_gradients = false;

  bool square() const { return !other_test && !other_numbers; }
  std::string describe() const;
};

operator_case draw(unsigned seed);

/// The case on a backend, with its vectors.
class random_operator {
 public:
  random_operator(Ceed ceed, const operator_case& c);

  CeedOperator handle() const { return op_; }
  std::vector<double> apply() const;
  /// y += A x with y of the case.
  std::vector<double> add() const;
  /// Other numbers in all passive inputs.
  void change();
  std::vector<double> diagonal() const;
  /// The assembled QFunction, in its own order.
  std::vector<double> assembled() const;

 private:
  struct field {
    basis functions;
    element_restriction numbers;
    vector values;
  };
  void make_mesh();
  basis make_basis(int order, int components, unsigned seed) const;
  element_restriction make_numbers(int order, int components, unsigned seed) const;
  element_restriction make_data_numbers(int components, unsigned seed) const;
  void make_function();
  void add_passive(const char* name, int size, CeedEvalMode mode, field&& f);
  void set_field(const char* name, CeedElemRestriction r, CeedBasis b, CeedVector v);
  std::vector<double> random_numbers(CeedElemRestriction like, unsigned seed) const;

  Ceed ceed_;
  operator_case case_;
  int elements_ = 1, points_ = 1, cells_[3] = {1, 1, 1};
  function function_;
  function_context context_;
  operation op_;
  basis trial_, test_;
  element_restriction x_numbers_, y_numbers_;
  std::vector<field> passive_;
  vector x_;
};

}  // namespace ceed_test
