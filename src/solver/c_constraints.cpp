// SPDX-License-Identifier: BSD-3-Clause
// Linear constraints from C.
#include <tessera/tessera_solver.h>

#include <string>
#include <vector>

#include <tessera/c_status.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/solver/linear_constraints.hpp>

#include "c_function.hpp"

struct tessera_linear_constraints {
  tessera::linear_constraints of;
  std::string description;
};

namespace tessera {

namespace {

[[noreturn]] void refuse_c_constraints(const std::string& why, status code) {
  throw error("tessera_linear_constraints: " + why, code);
}

linear_constraints constraints_from(int64_t size, int64_t count, const int64_t* numbers, const int64_t* starts,
                                    const int64_t* others, const double* weights, const double* values) {
  detail::checked_product("tessera_linear_constraints: numbers", {count}, sizeof(linear_constraint));
  if (count > 0 && (numbers == nullptr || starts == nullptr))
    refuse_c_constraints(numbers == nullptr ? "null numbers" : "null starts", status::null_pointer);
  std::vector<linear_constraint> all(static_cast<std::size_t>(count));
  // std::int64_t is not index_t everywhere.
  std::vector<index_t> every_other;
  if (count > 0) {
    if (starts[0] != 0)
      refuse_c_constraints("starts begin with " + std::to_string(starts[0]), status::invalid_argument);
    for (int64_t k = 0; k < count; ++k)
      if (starts[k + 1] < starts[k])
        refuse_c_constraints("start " + std::to_string(k + 1) + " is " + std::to_string(starts[k + 1]) + ", after " +
                                 std::to_string(starts[k]),
                             status::invalid_argument);
    if (starts[count] > 0 && (others == nullptr || weights == nullptr))
      refuse_c_constraints(others == nullptr ? "null others" : "null weights", status::null_pointer);
    detail::checked_product("tessera_linear_constraints: others", {starts[count]}, sizeof(index_t));
    every_other.assign(others, others + starts[count]);
  }
  for (int64_t k = 0; k < count; ++k) {
    const auto first = static_cast<std::size_t>(starts[k]), n = static_cast<std::size_t>(starts[k + 1] - starts[k]);
    all[static_cast<std::size_t>(k)] = {.number = numbers[k],
                                        .others = {every_other.data() + first, n},
                                        .weights = {weights + first, n},
                                        .value = values == nullptr ? 0 : values[k]};
  }
  return {size, all};
}

// f(constraints, x as an array of its type)
template <class F>
tessera_status with_vector(const char* function, const tessera_linear_constraints* of, tessera_type type, void* x,
                           const F& f) {
  return c_status_of(function, [&] {
    if (of == nullptr) refuse_c_constraints("null constraints", status::null_pointer);
    if (type == TESSERA_F32)
      f(of->of, static_cast<float*>(x));
    else if (type == TESSERA_F64)
      f(of->of, static_cast<double*>(x));
    else
      refuse_c_constraints("type " + std::to_string(int(type)) + ", neither float nor double", status::wrong_type);
  });
}

}  // namespace

}  // namespace tessera

using tessera::linear_constraints;

extern "C" {

tessera_status tessera_linear_constraints_create(tessera_linear_constraints** made, int64_t size, int64_t count,
                                                 const int64_t* numbers, const int64_t* starts, const int64_t* others,
                                                 const double* weights, const double* values) {
  return tessera::c_status_of(__func__, [&] {
    if (made == nullptr) tessera::refuse_c_constraints("null result pointer", tessera::status::null_pointer);
    *made = nullptr;
    const linear_constraints of = tessera::constraints_from(size, count, numbers, starts, others, weights, values);
    *made = new tessera_linear_constraints{of, of.describe()};
  });
}

tessera_status tessera_linear_constraints_distribute(const tessera_linear_constraints* of, tessera_type type, void* x) {
  return tessera::with_vector(__func__, of, type, x,
                              [](const linear_constraints& by, auto* of_x) { by.distribute(of_x); });
}
tessera_status tessera_linear_constraints_extend(const tessera_linear_constraints* of, tessera_type type, void* x) {
  return tessera::with_vector(__func__, of, type, x, [](const linear_constraints& by, auto* of_x) { by.extend(of_x); });
}
tessera_status tessera_linear_constraints_collect(const tessera_linear_constraints* of, tessera_type type, void* y) {
  return tessera::with_vector(__func__, of, type, y,
                              [](const linear_constraints& by, auto* of_y) { by.collect(of_y); });
}
tessera_status tessera_linear_constraints_collect_diagonal(const tessera_linear_constraints* of, tessera_type type,
                                                           void* d) {
  return tessera::with_vector(__func__, of, type, d,
                              [](const linear_constraints& by, auto* of_d) { by.collect_diagonal(of_d); });
}

tessera_status tessera_linear_constraints_condense(const tessera_linear_constraints* of, tessera_type type,
                                                   tessera_vector_function apply, void* context, void* b) {
  return tessera::with_vector(__func__, of, type, b, [&]<class T>(const linear_constraints& by, T* of_b) {
    if (apply == nullptr) tessera::refuse_c_constraints("apply is a null pointer", tessera::status::null_pointer);
    tessera::detail::check_c_function("tessera_linear_constraints: apply", apply, context,
                                      {by.size(), by.size(), type, tessera::space_kind::cpu});
    const tessera::linear_operator<T> A(by.size(), [=](const T* x, T* y) {
      const tessera_status got = apply(context, x, y, nullptr);
      if (got != TESSERA_OK)
        tessera::refuse_c_constraints("apply returned status " + std::to_string(int(got)), tessera::status(got));
    });
    condense(A, by, of_b);
  });
}

const char* tessera_linear_constraints_describe(const tessera_linear_constraints* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}
void tessera_linear_constraints_destroy(tessera_linear_constraints* of) { delete of; }

}  // extern "C"
