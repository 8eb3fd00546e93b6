// SPDX-License-Identifier: BSD-3-Clause
// element_operator_object: fem::element_operator of either type as Python has it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <nanobind/nanobind.h>

#include <tessera/fem/element_operator.hpp>

#include "e_vector.hpp"
#include "operator_arguments.hpp"
#include "stream.hpp"
#include "transposed.hpp"

namespace tessera::python {

class element_operator_object {
 public:
  element_operator_object(nb::handle kind, nb::handle nodes, const nb::kwargs& given);

  nb::object apply(nb::handle x, nb::handle out, nb::handle elements, nb::handle stream) const;
  nb::object add(nb::handle x, nb::handle y, nb::handle elements, nb::handle stream) const;
  nb::object matvec(nb::handle x) const;
  nb::object diagonal(nb::handle out) const;
  nb::object matrices(index_t first, nb::handle count, const std::string& how) const;
  nb::object data(index_t first, nb::handle count) const;
  void set_data(nb::handle D, index_t first);
  /// Throws ValueError where it is not known.
  element_operator_object transpose() const;
  std::string describe(bool brief) const;

  const e_vector_shape& shape_in() const { return state_->x; }
  const e_vector_shape& shape_out() const { return state_->y; }
  index_t points() const;
  int factors() const;
  bool is_symmetric() const;
  const operator_facts& facts() const { return state_->facts; }
  /// The function, where no transpose has the same state.
  std::array<nb::handle, 1> kept() const {
    return {state_.use_count() == 1 ? nb::handle(state_->facts.function) : nb::handle()};
  }

 private:
  struct state : transposable<state> {
    operator_facts facts;
    std::variant<std::monostate, fem::element_operator<float>, fem::element_operator<double>> op;
    arrays_read_later read_later;
    bool is_transposed = false;  // its function is the transposed one of the kind
    space_kind space = space_kind::cpu;
    e_vector_shape x, y;
  };
  explicit element_operator_object(std::shared_ptr<state> of) : state_(std::move(of)) {}

  template <class Body>
  auto with(const Body& body) const;
  template <class T>
  static void make(state& s, operator_arguments& from);
  template <class T>
  static void take_shapes(state& s);
  template <class T>
  static std::shared_ptr<state> transposed_of(const state& s);
  template <class T, class Body>
  void write(const array& to, const Body& body) const;
  void run(const array& x, const element_layout& x_layout, const array& y, const element_layout& y_layout, bool adds,
           nb::handle elements, stream_view stream) const;

  std::shared_ptr<state> state_;
};

/// For SciPy: x as a contiguous array of that type, copied by numpy where it is not. Throws ValueError for another
/// size.
nb::object contiguous_vector(nb::handle x, scalar_type type, index_t size, const char* name);
/// numpy.dtype("float64")
nb::object dtype_object(scalar_type type);
nb::tuple tuple_of(const std::vector<index_t>& extents);
/// An array of numpy.
nb::object new_numpy_array(scalar_type type, const std::vector<index_t>& extents);
inline stream_view view_of(call_stream of) { return {reinterpret_cast<void*>(of.handle)}; }  // NOLINT: a handle
/// None: all from `first` on. Throws ValueError for a range that is not in 0..elements.
index_t checked_count(index_t first, nb::handle count, index_t elements);

}  // namespace tessera::python
