// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients from C.
#include <tessera/tessera_solver.h>

#include <string>
#include <variant>

#include <tessera/c_status.hpp>
#include <tessera/error.hpp>
#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/in_float.hpp>

#include "c_function.hpp"

struct tessera_cg {
  std::variant<tessera::conjugate_gradient<float>, tessera::conjugate_gradient<double>> solver;
  tessera::solve_result result{};
  std::string description = "not solved yet";
};

namespace tessera {

namespace {

[[noreturn]] void refuse_c_solver(const std::string& why, status code = status::invalid_argument) {
  throw error("tessera_cg: " + why, code);
}

void check_status(const char* function, tessera_status got) {
  if (got != TESSERA_OK)
    refuse_c_solver(std::string(function) + " returned status " + std::to_string(int(got)), status(got));
}

// Vectors of a solver in T.
template <class T, class Function>
void check_function(const char* name, Function f, const void* context, index_t size, space_kind space) {
  constexpr tessera_type type = std::is_same_v<T, float> ? TESSERA_F32 : TESSERA_F64;
  detail::check_c_function(std::string("tessera_cg: ") + name, f, context, {size, size, type, space});
}

template <class T>
linear_operator<T> operator_from(const char* name, tessera_vector_function f, void* context, index_t size,
                                 space_kind space) {
  check_function<T>(name, f, context, size, space);
  return {size, [=](const T* x, T* y, stream_view on) { check_status(name, f(context, x, y, on.handle())); }, space};
}

all_reduce all_reduce_from(const tessera_cg_options& o) {
  const auto f = o.all_reduce;
  void* const context = o.all_reduce_context;
  if (f == nullptr) return {};
  if (o.all_reduce_in_stream != 0)
    return {.on_stream = [=](double* sums, int count, stream_view on) {
      check_status("all_reduce", f(context, sums, count, on.handle()));
    }};
  return {.on_host = [=](double* sums, int count) { check_status("all_reduce", f(context, sums, count, nullptr)); }};
}

std::function<void(int, double)> progress_from(const tessera_cg_options& o) {
  if (o.progress == nullptr) return {};
  return [f = o.progress, context = o.progress_context](int iteration, double residual) {
    check_status("progress", f(context, iteration, residual));
  };
}

template <class T>
linear_operator<T> preconditioner_from(const tessera_cg_options& o, const linear_operator<T>& A) {
  if (o.chebyshev_degree < 0) refuse_c_solver("chebyshev_degree " + std::to_string(o.chebyshev_degree));
  if (o.chebyshev_degree > 0 && o.diagonal == nullptr)
    refuse_c_solver("Chebyshev needs the diagonal", status::null_pointer);
  if (o.diagonal != nullptr && o.precondition != nullptr)
    refuse_c_solver("a diagonal and a preconditioner, of which it takes one");
  if (o.diagonal != nullptr) {
    linear_operator<T> D = jacobi(o.size, static_cast<const T*>(o.diagonal), A.space());
    if (o.chebyshev_degree == 0) return D;
    return chebyshev(A, D, {.degree = o.chebyshev_degree, .sums = all_reduce_from(o)});
  }
  if (o.precondition == nullptr) return {};
  const auto made = [&]<class Number>(Number*) {
    return operator_from<Number>("precondition", o.precondition, o.precondition_context, o.size, A.space());
  };
  if (o.precondition_in_float == 0) return made(static_cast<T*>(nullptr));
  if constexpr (std::is_same_v<T, double>)
    return in_float(made(static_cast<float*>(nullptr)));
  else
    refuse_c_solver("precondition_in_float is for type double", status::wrong_type);
}

template <class T>
conjugate_gradient<T> solver_from(const tessera_cg_options& o) {
  const space_kind space = o.space == TESSERA_GPU ? space_kind::gpu : space_kind::cpu;
  linear_operator<T> A = operator_from<T>("apply", o.apply, o.context, o.size, space);
  if (o.apply_with_dot != nullptr) {
    check_function<T>("apply_with_dot", o.apply_with_dot, o.context, o.size, space);
    A = A.with_dot([f = o.apply_with_dot, context = o.context](const T* x, T* y, double* dot, stream_view on) {
      check_status("apply_with_dot", f(context, x, y, dot, on.handle()));
    });
  }
  return conjugate_gradient<T>(A, preconditioner_from(o, A),
                               {.relative = o.relative,
                                .absolute = o.absolute,
                                .max_iterations = o.max_iterations,
                                .flexible = o.flexible != 0,
                                .sums = all_reduce_from(o),
                                .graph = o.no_graph == 0,
                                .progress = progress_from(o)});
}

tessera_cg* solver_of_type(const tessera_cg_options& o) {
  if (o.apply == nullptr) refuse_c_solver("apply is a null pointer", status::null_pointer);
  if (o.space != TESSERA_CPU && o.space != TESSERA_GPU)
    refuse_c_solver("space " + std::to_string(int(o.space)) + ", neither TESSERA_CPU nor TESSERA_GPU");
  if (o.type == TESSERA_F32) return new tessera_cg{solver_from<float>(o)};
  if (o.type == TESSERA_F64) return new tessera_cg{solver_from<double>(o)};
  refuse_c_solver("type " + std::to_string(int(o.type)) + ", neither float nor double", status::wrong_type);
}

static_assert(int(solve_outcome::converged) == TESSERA_CONVERGED);
static_assert(int(solve_outcome::zero_right_hand_side) == TESSERA_ZERO_RIGHT_HAND_SIDE);
static_assert(int(solve_outcome::iteration_limit) == TESSERA_ITERATION_LIMIT);
static_assert(int(solve_outcome::indefinite_operator) == TESSERA_INDEFINITE_OPERATOR);
static_assert(int(solve_outcome::indefinite_preconditioner) == TESSERA_INDEFINITE_PRECONDITIONER);
static_assert(int(solve_outcome::not_a_number) == TESSERA_NOT_A_NUMBER);

tessera_cg_result result_from(const solve_result& from) {
  const eigenvalue_range seen = estimated_eigenvalues(from);
  return {tessera_outcome(from.outcome), from.iterations, from.limit,  from.residuals.data(),
          int(from.residuals.size()),    seen.smallest,   seen.largest};
}

}  // namespace

}  // namespace tessera

extern "C" {

tessera_cg_options tessera_cg_defaults(tessera_type type, int64_t size, tessera_vector_function apply, void* context) {
  const tessera::conjugate_gradient_options by_default;
  tessera_cg_options o{};
  o.type = type;
  o.space = TESSERA_CPU;
  o.size = size;
  o.apply = apply;
  o.context = context;
  o.relative = by_default.relative;
  o.absolute = by_default.absolute;
  o.max_iterations = by_default.max_iterations;
  return o;
}

tessera_status tessera_cg_create(tessera_cg** made, const tessera_cg_options* options) {
  return tessera::c_status_of(__func__, [&] {
    if (made == nullptr) tessera::refuse_c_solver("null result pointer", tessera::status::null_pointer);
    *made = nullptr;
    if (options == nullptr) tessera::refuse_c_solver("null options", tessera::status::null_pointer);
    *made = tessera::solver_of_type(*options);
  });
}

tessera_status tessera_cg_solve(tessera_cg* solver, const void* b, void* x, int from_zero, void* stream,
                                tessera_cg_result* result) {
  return tessera::c_status_of(__func__, [&] {
    if (solver == nullptr) tessera::refuse_c_solver("null solver", tessera::status::null_pointer);
    if (result == nullptr) tessera::refuse_c_solver("null result", tessera::status::null_pointer);
    solver->result = std::visit(
        [&]<class T>(tessera::conjugate_gradient<T>& by) {
          const T* const of_b = static_cast<const T*>(b);
          T* const of_x = static_cast<T*>(x);
          return from_zero != 0 ? by.solve_from_zero(of_b, of_x, stream) : by.solve(of_b, of_x, stream);
        },
        solver->solver);
    solver->description = solver->result.describe();
    *result = tessera::result_from(solver->result);
  });
}

const char* tessera_cg_describe(const tessera_cg* solver) {
  return solver == nullptr ? nullptr : solver->description.c_str();
}
void tessera_cg_destroy(tessera_cg* solver) { delete solver; }

}  // extern "C"
