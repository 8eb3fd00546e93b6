/* SPDX-License-Identifier: BSD-3-Clause */
/* Tessera's C API: plans with status codes and an error text; the Fortran interface binds to it. */
#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_MAX_RANK 12

typedef enum tessera_status {
  TESSERA_OK = 0,
  TESSERA_INVALID_ARGUMENT = 1,
  TESSERA_BAD_EINSUM = 2,
  TESSERA_SHAPE_MISMATCH = 3,
  TESSERA_NULL_POINTER = 4,
  TESSERA_OVERLAP = 5,
  TESSERA_OVERFLOW = 6,
  TESSERA_WRONG_SPACE = 7,
  TESSERA_WRONG_TYPE = 8,
  TESSERA_NO_TARGET = 9,
  TESSERA_NO_DEVICE = 10,
  TESSERA_OUT_OF_MEMORY = 11,
  TESSERA_LAUNCH_FAILURE = 12,
  TESSERA_INTERNAL = 13
} tessera_status;

/* Plain integers, so that a wrong value is an error to report and not undefined behaviour. */
typedef int32_t tessera_type;
/* C32 and C64: float _Complex and double _Complex, cuComplex, std::complex. F16 and BF16: IEEE binary16 and the upper
   half of a float, as 16-bit patterns. I16 to I64: integers with a sign. TESSERA_USUAL is no type of entries, see
   tessera_scaling. */
enum {
  TESSERA_USUAL = -1,
  TESSERA_F32 = 0,
  TESSERA_F64 = 1,
  TESSERA_C32 = 2,
  TESSERA_C64 = 3,
  TESSERA_F16 = 4,
  TESSERA_BF16 = 5,
  TESSERA_I16 = 6,
  TESSERA_I32 = 7,
  TESSERA_I64 = 8
};
typedef int32_t tessera_space;
enum { TESSERA_CPU = 0, TESSERA_GPU = 1 };

/* One argument of a contraction. Entry (i0, i1, ...) of batch entry b is
     data[b * batch_stride + i0 * stride[0] + i1 * stride[1] + ...]                     lanes = 1
     data[b / lanes * batch_stride + b % lanes + i0 * stride[0] + ...]                  lanes = W, interleaved batches
   Strides may be 0, of inputs, and negative: `data` is then the address of entry (0, 0, ...).
   batched = 0: one tensor, shared by the whole batch. tessera_packed fills in column-major strides.
   members: NULL, or the addresses of `count` separate tensors, an array in memory of the operand's space;
   data, batch_stride and lanes then say nothing. Addresses in device memory are not checked.
   conjugated: 1 for an input of complex entries that is read conjugated; for real ones it is ignored. */
typedef struct tessera_operand {
  tessera_type type;
  tessera_space space;
  void* data;
  int rank;
  int64_t extent[TESSERA_MAX_RANK];
  int64_t stride[TESSERA_MAX_RANK];
  int batched;
  int64_t count;
  int64_t batch_stride;
  int64_t lanes;
  void* const* members;
  int conjugated;
} tessera_operand;

/* out = alpha (contraction) + beta out. beta = 0 does not read out, which may hold NaN; alpha = 0 does read the inputs,
   and gives NaN where the sum is NaN or infinite. Each factor is its real and its imaginary part. sum: the type of
   sums, alpha and beta; TESSERA_USUAL: the inputs' own, or F32 for 16-bit ones; TESSERA_F64 sums F32 entries in double.
 */
typedef struct tessera_scaling {
  double alpha[2];
  double beta[2];
  tessera_type sum;
} tessera_scaling;

typedef struct tessera_plan tessera_plan;

/* Version of the library: major * 10000 + minor * 100 + patch. */
int tessera_version(void);

/* The error text of this thread's last failing call; never null. */
const char* tessera_last_error(void);

/* A packed column-major tensor (count < 0), or a batch of `count` of them one behind the other. Rank outside
   0..TESSERA_MAX_RANK gives an operand that every call refuses. */
tessera_operand tessera_packed(tessera_type type, tessera_space space, void* data, int rank, const int64_t* extent,
                               int64_t count);

/* target: "best", "reference", "cuda", the name of an instruction set such as "avx2", or NULL for the default.
   operands: the inputs, then the output. threads: OpenMP threads of CPU runs, 0 for the default; of more than 16, no
   more are taken than the machine has processors. A plan for a GPU may compile a kernel, which takes up to a second,
   unless the environment has TESSERA_JIT=OFF. On failure *plan is NULL. */
tessera_status tessera_plan_create(tessera_plan** plan, const char* einsum, double alpha, double beta,
                                   const tessera_operand* operands, int operand_count, const char* target, int threads);

/* The same with complex factors or another type of sums. The inputs have one type; with the output's and the sums' type
   it is one of F32, F64, C32, C64 throughout, F32 summed in F64, F16 or BF16 to itself or to F32, summed in F32, or
   integers to themselves or to the type of their sums, I16 summed in I32. Where sum is not TESSERA_USUAL, inputs and
   output may be of any types that convert to it and from it, real numbers to complex ones and integers to others, but
   not the reverse; sums are in F32, F64, C32, C64, I32 or I64. Such plans, and those of integers, have two inputs; in
   GPU memory they take no members, and lanes = 1. */
tessera_status tessera_plan_create_scaled(tessera_plan** plan, const char* einsum, const tessera_scaling* scaling,
                                          const tessera_operand* operands, int operand_count, const char* target,
                                          int threads);

/* Where the batch of a plan is between runs: in cache, or in memory, so that results may be written by non-temporal
   stores; TESSERA_BY_SIZE: as TESSERA_REGIME=cache|stream|auto in the environment says, and without it by the size of
   the operands. Results are the same bits; with beta = 1 they may differ by rounding at the smallest sizes. */
typedef int32_t tessera_regime;
enum { TESSERA_BY_SIZE = 0, TESSERA_CACHE = 1, TESSERA_STREAM = 2 };

/* How products of F32 are rounded by a plan for a GPU: as float does; by tensor cores that read 11 digits of each
   entry; by three such products, which keep most of float's 24. On CPUs, for other types, and for small products all
   are exact. */
typedef int32_t tessera_precision;
enum { TESSERA_EXACT = 0, TESSERA_TF32 = 1, TESSERA_TF32X3 = 2 };

/* The options of a plan. Start from {0}, which is the default of each. */
typedef struct tessera_plan_options {
  const char* target; /* as for tessera_plan_create */
  int threads;
  tessera_regime regime;
  int no_compile; /* 1: a plan for a GPU compiles no kernel */
  int no_wait;    /* 1: a plan for a GPU is made at once, with a kernel for any sizes, while its own is compiled in a
                     thread of the library: see tessera_plan_is_ready */
  tessera_precision precision;
  int no_workspace; /* 1: a plan for a GPU owns no workspace, by which few results of long sums have all of the GPU */
} tessera_plan_options;

/* The same with options; NULL is {0}. scaling: NULL for alpha = 1, beta = 0. */
tessera_status tessera_plan_create_with(tessera_plan** plan, const char* einsum, const tessera_scaling* scaling,
                                        const tessera_operand* operands, int operand_count,
                                        const tessera_plan_options* options);

/* *y = f(*x), and *result = f(*left, *right), for CPUs: each points to one number of the type of the sums. Several
   threads call it at once. */
typedef void (*tessera_entry_call)(const void* x, void* y, void* context);
typedef void (*tessera_pair_call)(const void* left, const void* right, void* result, void* context);

/* A function of entries of your own. source: for GPUs, an expression of CUDA C++20 in x, such as "x > 0 ? x : 0", or
   the text of a struct with operator()(x) that begins with "struct"; NULL: for CPUs only. call: the same for CPUs;
   NULL: for GPUs only. A plan in a memory that it has nothing for is refused. name: of descriptions and errors. What
   the strings point to is copied; the context has to stay as long as the plan. Start from {0}. */
typedef struct tessera_own_function {
  const char* name;
  const char* source;
  tessera_entry_call call;
  void* context;
} tessera_own_function;

/* A pair of operations of your own. multiply: text in a and b; add: in c, the sum so far, and x, a product; add is
   associative and commutative. neutral: what a sum begins with, a number of the type of the sums; adding it
   changes nothing. is_commutative: of multiply. zero_adds_nothing: adding multiply(0, b) or multiply(a, 0) changes
   no sum. The rest as of tessera_own_function. */
typedef struct tessera_own_pair {
  const char* name;
  const char* multiply;
  const char* add;
  tessera_pair_call multiply_call;
  tessera_pair_call add_call;
  void* context;
  const void* neutral;
  int is_commutative;
  int zero_adds_nothing;
} tessera_own_pair;

/* Functions of entries and the pair of operations of a contraction of two inputs, by name; NULL is the default. a, b,
   of the inputs, addend and result: "identity", "relu", "leaky_relu 0.01", "elu 1", "conjugate". pair: "plus_times",
   "min_plus", "max_plus", "max_times", "or_and". own_a to own_pair: your own instead of a name. Start from {0}. */
typedef struct tessera_functions {
  const char* a;
  const char* b;
  const char* addend;
  const char* result;
  const char* pair;
  const tessera_own_function* own_a;
  const tessera_own_function* own_b;
  const tessera_own_function* own_addend;
  const tessera_own_function* own_result;
  const tessera_own_pair* own_pair;
} tessera_functions;

/* The same with functions; NULL is {0}. out = result(alpha sum a(A) b(B) + beta addend(out)), or, where the einsum is
   "ik,kj+ij->ij", ... + beta addend(D)), D being the third operand; scaling: NULL is alpha = 1, and beta = 1 with such
   an addend, else 0. In GPU memory such plans take no members, and lanes = 1. */
tessera_status tessera_plan_create_fused(tessera_plan** plan, const char* einsum, const tessera_scaling* scaling,
                                         const tessera_functions* functions, const tessera_operand* operands,
                                         int operand_count, const tessera_plan_options* options);

/* The operands have the sizes, layouts, types and spaces the plan was made for; pointers, batch strides and counts may
   differ. stream: a cudaStream_t, or NULL for stream 0 and for CPU plans. Nothing is written on failure. */
tessera_status tessera_plan_run(const tessera_plan* plan, const tessera_operand* operands, int operand_count,
                                void* stream);

/* A plan with its operands, checked once, for a parallel loop of the caller's over parts of the batch. CPUs only. What
   the operands point to has to stay; the plan may be destroyed. On failure *bound is NULL. */
typedef struct tessera_bound_plan tessera_bound_plan;
tessera_status tessera_plan_bind(tessera_bound_plan** bound, const tessera_plan* plan, const tessera_operand* operands,
                                 int operand_count);
/* Entries [first, first + count) of the batch, on the calling thread. Threads may run parts that do not meet at the
   same time. */
tessera_status tessera_bound_plan_run(const tessera_bound_plan* bound, int64_t first, int64_t count);
/* NULL is allowed. */
void tessera_bound_plan_destroy(tessera_bound_plan* bound);

/* A text: what runs and why. Valid as long as the plan. NULL for a NULL plan. */
const char* tessera_plan_describe(const tessera_plan* plan);
/* The same in one line: the kernel and the source of its tuning. */
const char* tessera_plan_describe_brief(const tessera_plan* plan);

/* 0 while a kernel for it is compiled in a thread of the library (no_wait), else 1: a plan that is created then has the
   compiled kernel, or its description the compiler's error. -1 for a NULL plan. */
int tessera_plan_is_ready(const tessera_plan* plan);

/* NULL is allowed. */
void tessera_plan_destroy(tessera_plan* plan);

/* Memory in either space, zeroed; host memory is aligned to 64 bytes, device memory to 256. */
tessera_status tessera_allocate(void** memory, tessera_space space, size_t bytes);
void tessera_free(tessera_space space, void* memory);

/* A user's allocator: `allocate` returns `bytes` bytes, never 0, aligned as above, or NULL where there are
   none left; they need not be zeroed. Both may be called by any thread; the context has to stay. */
typedef struct tessera_allocator {
  void* (*allocate)(tessera_space space, size_t bytes, void* context);
  void (*deallocate)(tessera_space space, void* memory, void* context);
  void* context;
} tessera_allocator;

/* All memory of the library's objects, and of tessera_allocate, from now on; NULL restores the library's own. Threads'
   scratch memory stays the library's. Refused while allocations live, plans and operators among them. */
tessera_status tessera_set_allocator(const tessera_allocator* allocator);

/* Copies between two operands of one shape, any spaces and strides; complete on return. */
tessera_status tessera_copy(const tessera_operand* from, const tessera_operand* to);

/* 1 where the named target can run here, 0 where not or where the name is unknown. */
int tessera_target_available(const char* target);

#ifdef __cplusplus
}
#endif

#endif
