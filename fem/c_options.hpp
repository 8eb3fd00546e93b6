// SPDX-License-Identifier: BSD-3-Clause
// What functions of C take, as the C++ interface has it, and operators of either type behind one handle.
#pragma once

#include <tessera/fem/tessera_fem.h>

#include <tessera/error.hpp>
#include <tessera/fem/element_operator.hpp>

#include <memory>
#include <string>
#include <variant>

namespace tessera::fem::detail {

[[noreturn]] void refuse(const std::string& why, status code = status::invalid_argument);

/// The default names of a basis and a rule.
const char* first_basis();
const char* first_rule();

/// For an operator with a function of the caller (`own`) `kind` is ignored.
element_operator_options options_from(const tessera_element_options& from, bool own = false);
element_layout layout_from(const tessera_element_layout& l, const element_layout& conventional);
template <class T>
element_nodes<T> nodes_from(const tessera_element_nodes& from, const element_operator_options& o, int dim);

/// An Operator<float> or an Operator<double>.
template <template <class> class Operator>
struct typed_operator {
  std::variant<std::unique_ptr<Operator<float>>, std::unique_ptr<Operator<double>>> of;
  std::string description, brief_description;

  /// body(the operator, a null pointer to its type)
  template <class Body>
  auto with(Body body) const {
    return std::visit(
        [&]<class T>(const std::unique_ptr<Operator<T>>& op) { return body(*op, static_cast<T*>(nullptr)); }, of);
  }
};

/// *made becomes a Handle, a typed_operator, with what make(T*) gives for entries of type T; NULL where that throws.
template <class Handle, class Make>
void create(Handle** made, const tessera_element_options* options, Make make) {
  if (made == nullptr) refuse("null result pointer", status::null_pointer);
  *made = nullptr;
  if (options == nullptr) refuse("null options", status::null_pointer);
  if (options->type != TESSERA_F32 && options->type != TESSERA_F64)
    refuse("type " + std::to_string(int(options->type)) + ", neither float nor double", status::wrong_type);
  auto result = std::make_unique<Handle>();
  const auto put = [&]<class T>(T* type) {
    auto op = make(type);
    result->of = std::make_unique<decltype(op)>(std::move(op));
  };
  if (options->type == TESSERA_F32)
    put(static_cast<float*>(nullptr));
  else
    put(static_cast<double*>(nullptr));
  result->description = result->with([](const auto& op, auto*) { return op.describe(); });
  result->brief_description = result->with([](const auto& op, auto*) {
    if constexpr (requires { op.describe(detail_level::brief); })
      return op.describe(detail_level::brief);
    else
      return op.describe();
  });
  *made = result.release();
}

}  // namespace tessera::fem::detail
