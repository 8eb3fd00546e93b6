// SPDX-License-Identifier: BSD-3-Clause
// global_operator_object: fem::global_operator of either type as Python has it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <nanobind/nanobind.h>

#include <tessera/fem/global_operator.hpp>

#include "element_operator.hpp"
#include "transposed.hpp"

namespace tessera::python {

class global_operator_object {
 public:
  global_operator_object(nb::handle kind, nb::handle nodes, const restriction& unknowns, const nb::kwargs& given);

  nb::object apply(nb::handle x, nb::handle out, nb::handle stream) const;
  nb::object add(nb::handle x, nb::handle y, nb::handle stream) const;
  nb::object matvec(nb::handle x) const;
  nb::object diagonal(nb::handle out) const;
  void eliminate(nb::handle b) const;
  nb::object data() const;
  void set_data(nb::handle D);
  global_operator_object transpose() const;
  std::string describe(bool brief) const;

  index_t size() const;
  index_t trial_size() const;
  const operator_facts& facts() const { return state_->facts; }
  /// The function, where no transpose has the same state.
  std::array<nb::handle, 1> kept() const {
    return {state_.use_count() == 1 ? nb::handle(state_->facts.function) : nb::handle()};
  }
  space_kind space() const { return state_->space; }
  const restriction& trial() const { return state_->x; }
  const restriction& test() const { return state_->y; }
  bool is_symmetric() const;

  /// body(the fem::global_operator, a null pointer to its type)
  template <class Body>
  auto with(const Body& body) const {
    if (const auto* const op = std::get_if<fem::global_operator<float>>(&state_->op))
      return body(*op, static_cast<float*>(nullptr));
    return body(std::get<fem::global_operator<double>>(state_->op), static_cast<double*>(nullptr));
  }

 private:
  struct state : transposable<state> {
    state(const restriction& of_x, const restriction& of_y) : x(of_x), y(of_y) {}
    operator_facts facts;
    restriction x, y;
    patch_options patches;
    std::variant<std::monostate, fem::global_operator<float>, fem::global_operator<double>> op;
    arrays_read_later read_later;
    bool is_transposed = false, has_one_restriction = true;
    space_kind space = space_kind::cpu;
  };
  explicit global_operator_object(std::shared_ptr<state> of) : state_(std::move(of)) {}

  template <class T>
  static void make(state& s, operator_arguments& from);
  template <class T>
  static std::shared_ptr<state> transposed_of(const state& s);
  void run(const array& x, const array& y, const char* y_name, bool adds, stream_view stream) const;

  std::shared_ptr<state> state_;
};

}  // namespace tessera::python
