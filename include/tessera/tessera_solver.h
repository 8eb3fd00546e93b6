/* SPDX-License-Identifier: BSD-3-Clause */
/* Solvers from C: conjugate gradients around operators of the caller or of Tessera, and batches of small systems. */
#ifndef TESSERA_SOLVER_H
#define TESSERA_SOLVER_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = A x. In device memory it queues its work in `stream`, a cudaStream_t. Anything but TESSERA_OK ends the solve with
   that status. */
typedef tessera_status (*tessera_vector_function)(void* context, const void* x, void* y, void* stream);

/* Also *dot = x.y, in the vectors' memory; this process's share of it, where all_reduce completes sums. */
typedef tessera_status (*tessera_vector_function_with_dot)(void* context, const void* x, void* y, double* dot,
                                                           void* stream);

/* Completes sums over all processes, in place. */
typedef tessera_status (*tessera_all_reduce)(void* context, double* sums, int count, void* stream);

/* The norm of the residual after an iteration. Another result than TESSERA_OK ends the solve, which returns it: x is
   then of that iteration, on a GPU of up to 3 later, and the solve's result is not written. */
typedef tessera_status (*tessera_progress)(void* context, int iteration, double residual);

/* Start from tessera_cg_defaults. */
typedef struct tessera_cg_options {
  int64_t size;      /* numbers of b and x */
  tessera_type type; /* TESSERA_F32 or TESSERA_F64 */
  tessera_space space;
  tessera_vector_function apply; /* A, symmetric and positive definite */
  void* context;
  tessera_vector_function_with_dot apply_with_dot; /* NULL, or A with x.y, which iterations then call in its place */
  const void* diagonal;                 /* of A, copied: Jacobi is the preconditioner; NULL: none, or `precondition` */
  int chebyshev_degree;                 /* above 0: Chebyshev's polynomial of this degree, with the diagonal */
  tessera_vector_function precondition; /* another one, without the diagonal: z = M r */
  void* precondition_context;
  int precondition_in_float; /* 1: its r and z are float, in a solver of type TESSERA_F64 */
  double relative, absolute; /* the residual's 2-norm is to be at most the larger of relative * |b| and absolute */
  int max_iterations;
  int flexible;                  /* 1: the preconditioner differs from iteration to iteration */
  tessera_all_reduce all_reduce; /* NULL: one process */
  void* all_reduce_context;
  int all_reduce_in_stream;  /* 1: sums are in device memory, and the work is queued in the stream */
  int no_graph;              /* 1: on a GPU functions are called in each iteration, instead of captured once */
  tessera_progress progress; /* NULL, or called after each iteration */
  void* progress_context;
} tessera_cg_options;

/* 1e-8 relative, 1000 iterations, host memory. */
tessera_cg_options tessera_cg_defaults(tessera_type type, int64_t size, tessera_vector_function apply, void* context);

typedef enum tessera_outcome {
  TESSERA_CONVERGED = 0,
  TESSERA_ZERO_RIGHT_HAND_SIDE = 1, /* x is 0 */
  TESSERA_ITERATION_LIMIT = 2,
  TESSERA_INDEFINITE_OPERATOR = 3,
  TESSERA_INDEFINITE_PRECONDITIONER = 4,
  TESSERA_NOT_A_NUMBER = 5
} tessera_outcome;

typedef struct tessera_cg_result {
  tessera_outcome outcome;
  int iterations;          /* the one in which it ended, counted from 1 */
  double limit;            /* of the residual */
  const double* residuals; /* [0] at the start, [k] after iteration k; until the next solve */
  int residual_count;
  double smallest_eigenvalue, largest_eigenvalue; /* of M A, on what the iterations have seen */
} tessera_cg_result;

typedef struct tessera_cg tessera_cg;

/* On failure *made is NULL. What the contexts refer to must stay. */
tessera_status tessera_cg_create(tessera_cg** made, const tessera_cg_options* options);
/* x: the first guess, then the solution; from_zero: it is not read. TESSERA_OK means that it ran: see the outcome. */
tessera_status tessera_cg_solve(tessera_cg* solver, const void* b, void* x, int from_zero, void* stream,
                                tessera_cg_result* result);
/* The latest result as a line. */
const char* tessera_cg_describe(const tessera_cg* solver);
void tessera_cg_destroy(tessera_cg* solver);

/* Symmetric positive definite matrices of 1 to 128 rows, factored once: `count` of them one after the other,
   column-major, whose lower triangles are read; TESSERA_F32 or TESSERA_F64; in memory of `space`, on a GPU ready in
   `stream`. They are not needed afterwards. On failure *made is NULL, and tessera_last_error names the first matrix
   that is not positive definite. */
typedef struct tessera_batched_cholesky tessera_batched_cholesky;
tessera_status tessera_batched_cholesky_create(tessera_batched_cholesky** made, tessera_type type, int64_t rows,
                                               int64_t count, const void* A, tessera_space space, void* stream);
/* A x = b of all matrices; x may be b. On a GPU it queues its work in `stream`. */
tessera_status tessera_batched_cholesky_solve(const tessera_batched_cholesky* of, const void* b, void* x, void* stream);
/* The same with a tessera_batched_cholesky as the context: block Jacobi as tessera_cg_options::precondition. */
tessera_status tessera_batched_cholesky_as_function(void* context, const void* b, void* x, void* stream);
const char* tessera_batched_cholesky_describe(const tessera_batched_cholesky* of);
void tessera_batched_cholesky_destroy(tessera_batched_cholesky* of);

/* Numbers of a vector in host memory that others give, such as those of hanging nodes: x[numbers[k]] = values[k] + the
   sum of weights[j] x[others[j]], j from starts[k] to starts[k + 1]. Lists are copied. values: NULL if all are 0. On
   failure *made is NULL. With them a caller's function applies C^T A C: extend a copy of x, apply A, collect y, and set
   y to x at the numbers. A has no constrained numbers of its own. _condense makes the right-hand side, and _distribute
   completes the solution. */
typedef struct tessera_linear_constraints tessera_linear_constraints;
tessera_status tessera_linear_constraints_create(tessera_linear_constraints** made, int64_t size, int64_t count,
                                                 const int64_t* numbers, const int64_t* starts, const int64_t* others,
                                                 const double* weights, const double* values);
/* x = C x + the values. */
tessera_status tessera_linear_constraints_distribute(const tessera_linear_constraints* of, tessera_type type, void* x);
/* x = C x. */
tessera_status tessera_linear_constraints_extend(const tessera_linear_constraints* of, tessera_type type, void* x);
/* y = C^T y, 0 at the numbers. */
tessera_status tessera_linear_constraints_collect(const tessera_linear_constraints* of, tessera_type type, void* y);
/* The diagonal of A becomes that of C^T A C as far as it follows from it, and 1 at the numbers. */
tessera_status tessera_linear_constraints_collect_diagonal(const tessera_linear_constraints* of, tessera_type type,
                                                           void* d);
/* b = C^T (b - A g), and 0 at the numbers; g is 0 with the values. */
tessera_status tessera_linear_constraints_condense(const tessera_linear_constraints* of, tessera_type type,
                                                   tessera_vector_function apply, void* context, void* b);
const char* tessera_linear_constraints_describe(const tessera_linear_constraints* of);
void tessera_linear_constraints_destroy(tessera_linear_constraints* of);

#ifdef __cplusplus
}
#endif

#endif
