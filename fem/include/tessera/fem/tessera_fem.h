/* SPDX-License-Identifier: BSD-3-Clause */
/* Element operators from C: y = A x and y += A x, A = B^T D B of every element, on E-vectors in raw memory. */
#ifndef TESSERA_FEM_H
#define TESSERA_FEM_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of any shape by the values and derivatives of their functions at `points` points, first column by column:
   function i at point k is values[k + points i], its derivative in direction a gradients[k + points (i + functions a)].
   NULL: what an operator does not take. All are copied. Start from {0}. */
typedef struct tessera_element_tables {
  int points;
  int functions; /* of x */
  const double* values;
  const double* gradients;
  int test_functions; /* of y; 0: those of x */
  const double* test_values;
  const double* test_gradients;
  int nodes; /* functions that map nodes to coordinates, and a weight per point: for D from nodes; 0: none */
  const double* node_gradients;
  const double* weights;
} tessera_element_tables;

/* The options of an operator. Strings and tables are not needed after the operator is made. */
typedef struct tessera_element_options {
  const char* kind;  /* "mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion" */
  int dim;           /* 1, 2 or 3 */
  tessera_type type; /* of x, y, coordinates and D: TESSERA_F64 or TESSERA_F32 */
  const char* basis; /* of x: "gauss_lobatto", "gauss" or "bernstein" */
  int order;
  const char* test_basis; /* of y; NULL: that of x, and test_order is ignored */
  int test_order;
  int components;     /* of x and y; dim for elasticity */
  int points;         /* in each direction; 0: order + 2, of simplices order + 1 */
  const char* rule;   /* "gauss" or "gauss_lobatto" */
  int matrix_free;    /* 1: D is computed from the nodes at every application */
  int in_float;       /* 1: D is stored in float */
  const char* target; /* as for tessera_plan_create; "cuda": x, y, matrices and diagonals are in device memory */
  const char* shape;  /* NULL or "cube": segments, squares, cubes; "simplex": triangles, tetrahedra */
  /* NULL, or functions and points of the caller: basis, order, points, rule and shape are ignored then. */
  const tessera_element_tables* tables;
} tessera_element_options;

/* One component in double, Gauss points, D stored, the default CPU target. */
tessera_element_options tessera_element_defaults(const char* kind, int dim, int order);

/* Entry i of component c of element first + e at
     entry i + component c + element (e mod lanes) + block (e div lanes).
   All zero: conventional, entry i of component c of element e at i + n (c + components e), n entries a component. */
typedef struct tessera_element_layout {
  int64_t entry, component, element, lanes, block, first;
} tessera_element_layout;

/* The elements: (order + 1)^dim nodes each, the Gauss-Lobatto points of the unit segment, square or cube mapped to
   where they are, first direction fastest; dim components in the layout. Of simplices as many nodes as polynomials of
   that total degree, corners 0, e1, e2, e3 for order 1; of tables theirs, whatever the order.
   Coefficients, either one set for all points or `coefficient_count` numbers a point, c + coefficient_count (k + Q e),
   Q points an element: mass {rho}; diffusion {kappa} or a symmetric matrix 00 01 11 or 00 01 02 11 12 22; helmholtz
   {rho, kappa or matrix}; convection the velocity; elasticity {lambda, mu}; advection_diffusion {kappa or matrix,
   velocity}. None: all are 1. Coordinates of matrix-free operators and numbers at points have to stay. */
typedef struct tessera_element_nodes {
  int order;
  int64_t elements;
  const void* coordinates;
  tessera_element_layout layout;
  const double* coefficients;
  int coefficient_count;
  const void* coefficients_at_points;
} tessera_element_nodes;

typedef struct tessera_element_operator tessera_element_operator;

/* On failure *made is NULL; an element that is inverted at a point is named. */
tessera_status tessera_element_create(tessera_element_operator** made, const tessera_element_options* options,
                                      const tessera_element_nodes* nodes);

/* With the caller's D, factor f of point k of element e at D[f + factors (k + Q e)], Q points an element. It is
   copied. */
tessera_status tessera_element_create_from_data(tessera_element_operator** made, const tessera_element_options* options,
                                                int64_t elements, const void* D);
/* Points of some elements, all of the operator's type: quantity i of point n at [n + count i], so that a loop over n is
   one that compilers vectorise. Of u, component c is quantity c of `value`, and its derivative in direction a quantity
   a + dim c of `gradient`, in the directions of the unit segment, square or cube; factor f is quantity f of D. NULL:
   what the function does not take or give. Some elements may be there twice. */
typedef struct tessera_point_block {
  int64_t count;
  const void* value;
  const void* gradient;
  const void* D;
  void* value_out; /* for the test functions; every entry is to be written */
  void* gradient_out;
} tessera_point_block;

/* Called by several threads at once, with different blocks and the same context. */
typedef void (*tessera_point_function)(const tessera_point_block* block, void* context);

/* A pointwise function of the caller's own: what is between B and B^T. Start from {0}. On a CPU it is at_points,
   whose context has to stay. On a GPU it is the struct `source_type` that the C++ text `source` declares, its bytes
   being `state`. The text may include <tessera/element/pointwise.hpp>, which says what such a struct is,
   <tessera/element/point_field.hpp> and <tessera/core/math.hpp>, and nothing else. */
typedef struct tessera_element_function {
  const char* name; /* NULL: "a user's function" */
  int dim;
  int components, test_components; /* of u and of the result, 1 or more, coupled by it */
  int takes_value, takes_gradient; /* of u: 1 or 0 */
  int gives_value, gives_gradient; /* to the test functions */
  int factors;                     /* numbers of D a point, 1 or more */
  tessera_point_function at_points;
  void* context;
  const char* source;
  const char* source_type;
  const void* state; /* copied; NULL where the struct is empty */
  size_t state_bytes;
} tessera_element_function;

/* The operator around it, with D as above; the options' kind is ignored, and their components are u's. The function
   need not be linear; matrices and diagonals are those of linear ones. */
tessera_status tessera_element_create_from_function(tessera_element_operator** made,
                                                    const tessera_element_options* options,
                                                    const tessera_element_function* function, int64_t elements,
                                                    const void* D);

/* D later, for `count` elements from `first` on. */
tessera_status tessera_element_set_data(tessera_element_operator* of, int64_t first, int64_t count, const void* D);
/* D as it is set, into host memory: what is stored, or what an application would compute. */
tessera_status tessera_element_get_data(const tessera_element_operator* of, int64_t first, int64_t count, void* D);

/* Fields that a function takes beside u, as numbers of D: the state of a Newton step, coefficients. Of the options,
   basis, order and components are the field's; type, points, rule, shape, tables and target are the operator's, and
   the others are ignored. Where points is 0 they follow from the field's order. A point has the values of the
   components, where `value` is 1, then, where `gradient` is 1, their derivatives in the element's directions 0, 1, ...,
   component by component. */
typedef struct tessera_point_fields tessera_point_fields;
tessera_status tessera_point_fields_create(tessera_point_fields** made, const tessera_element_options* options,
                                           int value, int gradient);
/* Numbers of a point. 0 for NULL. */
int tessera_point_fields_size(const tessera_point_fields* of);
/* Of a conventional E-vector x: number i of point k of element e to D[first + i + factors (k + Q e)]. What else a point
   has of D stays as it is. Then tessera_element_set_data or tessera_global_set_data takes D. */
tessera_status tessera_point_fields_evaluate(const tessera_point_fields* of, int64_t elements, const void* x, void* D,
                                             int factors, int first, void* stream);
/* NULL is allowed. */
void tessera_point_fields_destroy(tessera_point_fields* of);

typedef struct tessera_element_sizes {
  int64_t elements;
  int64_t trial_entries, test_entries; /* of a component of an element of x and y */
  int components, test_components;
  int64_t points; /* of an element */
  int factors;    /* numbers of D a point */
  int lanes;      /* elements that a kernel works on at once: vectors with so many adjacent lanes are not transposed */
} tessera_element_sizes;

/* All zero for NULL. */
tessera_element_sizes tessera_element_sizes_of(const tessera_element_operator* of);

/* y = A x, or y += A x where add is 1, all elements, conventional E-vectors. stream: a cudaStream_t, or NULL. */
tessera_status tessera_element_apply(const tessera_element_operator* of, const void* x, void* y, int add, void* stream);

/* Other layouts, several right hand sides, some of the elements. Start from tessera_element_application_of. */
typedef struct tessera_element_application {
  const void* x;
  tessera_element_layout x_layout;
  void* y;
  tessera_element_layout y_layout;
  int add;
  int sides; /* side r of x starts at x + r x_side, that of y likewise */
  int64_t x_side, y_side;
  int64_t first, count;
  const int64_t* list; /* NULL: elements first .. first + count - 1; else `count` numbers, device memory for "cuda" */
  void* stream;
} tessera_element_application;

/* y = A x of all elements, one right hand side, conventional layouts. */
tessera_element_application tessera_element_application_of(const tessera_element_operator* of, const void* x, void* y);
tessera_status tessera_element_run(const tessera_element_operator* of, const tessera_element_application* what);

/* Matrices of `count` elements from `first` on: M(i,j) of element e at i + t (j + d (e - first)), t and d being all
   entries of an element of y and of x. On a GPU too it is complete when the call returns. */
tessera_status tessera_element_assemble(const tessera_element_operator* of, int64_t first, int64_t count, void* M);
/* The same of symmetric ones, the lower triangle by columns: M(i,j), i >= j, at i + j (2 d - j - 1) / 2 behind
   d (d + 1) / 2 (e - first). */
tessera_status tessera_element_assemble_lower(const tessera_element_operator* of, int64_t first, int64_t count,
                                              void* M);
/* The diagonals of the matrices, in y's conventional layout. */
tessera_status tessera_element_diagonal(const tessera_element_operator* of, void* y);

/* A text: what runs. Valid as long as the operator. NULL for NULL. */
const char* tessera_element_describe(const tessera_element_operator* of);
/* The same in one line: the kernel and the source of its tuning. */
const char* tessera_element_describe_brief(const tessera_element_operator* of);

/* NULL is allowed. */
void tessera_element_destroy(tessera_element_operator* of);

/* Which number of an L-vector, which has each unknown once, an entry of an element is: component c of entry i of
   element e is number offsets[i + entries e] + c component_stride. One of both lists is given; it is copied. Start from
   {0}. */
typedef struct tessera_restriction_options {
  int64_t elements;
  int64_t entries; /* of a component of an element */
  int components;  /* 0: 1 */
  int64_t size;    /* numbers of an L-vector */
  const int32_t* offsets;
  const int64_t* offsets64;
  int64_t component_stride;   /* components interleaved: 1; one after the other: the number of nodes */
  const char* negative;       /* -1 - k is number k, "sign": with the opposite sign, "constrained"; NULL: refused */
  const int64_t* constrained; /* numbers that operators leave out, in any order */
  int64_t constrained_count;
} tessera_restriction_options;

typedef struct tessera_restriction tessera_restriction;

/* On failure *made is NULL; an offset that is out of range is named. */
tessera_status tessera_restriction_create(tessera_restriction** made, const tessera_restriction_options* options);
const char* tessera_restriction_describe(const tessera_restriction* of);
/* E = G x, y += G^T E, and how many entries of elements each number is; vectors of TESSERA_F64 or TESSERA_F32 numbers,
   all in host or all in device memory. E: entry i of component c of element e at i + entries (c + components e).
   Constrained numbers are like the others. stream: a cudaStream_t, or NULL. */
tessera_status tessera_restriction_to_elements(const tessera_restriction* of, tessera_type type, const void* x, void* E,
                                               void* stream);
tessera_status tessera_restriction_add_from_elements(const tessera_restriction* of, tessera_type type, const void* E,
                                                     void* y, void* stream);
tessera_status tessera_restriction_multiplicity(const tessera_restriction* of, tessera_type type, void* counts);
void tessera_restriction_destroy(tessera_restriction* of);

/* Operators between L-vectors, y = G^T A G x, in host memory or, on "cuda", in device memory. A constrained number of x
   counts as 0; y has x there, or 0 if x and y have different restrictions. Results are the same bits for any number of
   threads, and in every run. */
typedef struct tessera_global_operator tessera_global_operator;

/* How the elements are cut into patches. Start from {0}. The last two change rounding, the others no bit. */
typedef struct tessera_patch_options {
  const int* part;        /* NULL: all elements are in part 0; else the part of each, from 0 on */
  int parts;              /* their number; 0: the highest in `part`, and one more */
  int64_t patch_elements; /* 0: by rule; a GPU has no patches */
  int in_given_order;     /* 1: elements are not reordered */
  int atomic_sums;        /* 1: on a GPU, rounding differs from run to run */
} tessera_patch_options;

/* y is NULL where it has x's restriction, and patches NULL for a rule's. Restrictions are not needed afterwards. */
tessera_status tessera_global_create(tessera_global_operator** made, const tessera_element_options* options,
                                     const tessera_element_nodes* nodes, const tessera_restriction* x,
                                     const tessera_restriction* y, const tessera_patch_options* patches);
/* Around a function of the caller's own, with its D as for tessera_element_create_from_function. */
tessera_status tessera_global_create_from_function(tessera_global_operator** made,
                                                   const tessera_element_options* options,
                                                   const tessera_element_function* function, const void* D,
                                                   const tessera_restriction* x, const tessera_restriction* y,
                                                   const tessera_patch_options* patches);
/* Another D of all elements, in the caller's order. */
tessera_status tessera_global_set_data(tessera_global_operator* of, const void* D);
/* tessera_point_fields_evaluate of an L-vector x. */
tessera_status tessera_point_fields_evaluate_global(const tessera_point_fields* of, const tessera_restriction* unknowns,
                                                    const void* x, void* D, int factors, int first, void* stream);
/* All parts. y = A x, or y += A x where add is 1. stream: a cudaStream_t, or NULL. */
tessera_status tessera_global_apply(const tessera_global_operator* of, const void* x, void* y, int add, void* stream);
/* y = A x as solvers call it (tessera_vector_function in tessera_solver.h): the context is the operator. */
tessera_status tessera_global_as_function(void* of, const void* x, void* y, void* stream);
/* The same, but for rounding, as a tessera_vector_function_with_dot: also *dot = x.y, in the vectors' memory. */
tessera_status tessera_global_with_dot(void* of, const void* x, void* y, double* dot, void* stream);
/* Part by part, each once and in any order, then the end; x and y stay until then. Destroy it at last. */
typedef struct tessera_global_run tessera_global_run;
tessera_status tessera_global_begin(tessera_global_run** made, const tessera_global_operator* of, const void* x,
                                    void* y, int add, void* stream);
tessera_status tessera_global_part(tessera_global_run* of, int part);
tessera_status tessera_global_end(tessera_global_run* of);
void tessera_global_run_destroy(tessera_global_run* of);
/* The diagonal of A: 1 at constrained numbers. */
tessera_status tessera_global_diagonal(const tessera_global_operator* of, void* y);
/* Given values: b has them at constrained numbers and the load elsewhere, where it then has the load minus A of the
   values. So the solution of A x = b has these values. */
tessera_status tessera_global_eliminate(const tessera_global_operator* of, void* b);
/* D of all elements in the order in which the caller has them: factor f of point k of element e at
   D[f + factors (k + Q e)]. */
tessera_status tessera_global_get_data(const tessera_global_operator* of, void* D);
const char* tessera_global_describe(const tessera_global_operator* of);
void tessera_global_destroy(tessera_global_operator* of);

/* Ascending points of rules on [0,1] and their weights, as many as are named; either may be NULL. The nodes of elements
   of order p are p + 1 Gauss-Lobatto points. */
tessera_status tessera_gauss(int points, double* x, double* weights);
tessera_status tessera_gauss_lobatto(int points, double* x, double* weights);

/* A face of an element: of segments, squares and cubes face 2 a is where coordinate a of the unit element is 0, face
   2 a + 1 where it is 1; of simplices face i is opposite to corner i. The tag is the caller's. */
typedef struct tessera_face {
  int64_t element;
  int face, tag;
} tessera_face;

/* The faces on the boundary of a box of cells[0] x ... cells, and the numbers of an L-vector on faces, ascending, each
   once, of one component or of all (-1); basis, order, dim and shape of the options say which functions an element has.
   *count is how many fit the array, and becomes how many there are; nothing is written if they do not fit, and where
   the array is NULL. Tags of a box are its sides, numbered like faces. */
tessera_status tessera_box_faces(int dim, const int64_t* cells, tessera_face* faces, int64_t* count);
tessera_status tessera_restriction_numbers_on(const tessera_restriction* of, const tessera_element_options* options,
                                              const tessera_face* faces, int64_t face_count, int component,
                                              int64_t* numbers, int64_t* count);

/* The quadrature points of all elements, or of faces in a list, and functions there: those of x of an operator with
   these options, whose kind and what else they have is ignored. Vectors are of the options' type; those in device
   memory are copied, after work in stream 0. Coordinates are in host memory, and have to stay. Numbers at points are in
   the order of D: number f of point k of element or face i at [f + F (k + points i)]. */
typedef struct tessera_points tessera_points;
tessera_status tessera_points_create(tessera_points** made, const tessera_element_options* options,
                                     const tessera_element_nodes* nodes);
tessera_status tessera_points_create_on_faces(tessera_points** made, const tessera_element_options* options,
                                              const tessera_element_nodes* nodes, const tessera_face* faces,
                                              int64_t face_count);

typedef struct tessera_points_sizes {
  int64_t elements;
  int64_t count;     /* elements or faces that have points */
  int64_t points;    /* of each */
  int64_t functions; /* of a component of an element */
  int dim, components;
} tessera_points_sizes;

/* All zero for NULL. */
tessera_points_sizes tessera_points_sizes_of(const tessera_points* of);

tessera_status tessera_points_coordinates(const tessera_points* of, void* x); /* dim numbers */
/* The derivative of coordinate c in direction a of the reference element at c + dim a, and the inverse at a + dim c. */
tessera_status tessera_points_jacobians(const tessera_points* of, void* J);
tessera_status tessera_points_inverse_jacobians(const tessera_points* of, void* inverse);
tessera_status tessera_points_weights(const tessera_points* of, void* w); /* w det J; on faces w dS */
tessera_status tessera_points_normals(const tessera_points* of, void* n); /* of faces: outward, dim numbers */

/* u: an L-vector with its restriction, or with NULL an E-vector. Values: a number a component. Gradients: derivative d
   of component c at d + dim c, in space, or in the directions of the reference element. */
tessera_status tessera_points_values(const tessera_points* of, const tessera_restriction* r, const void* u, void* out);
tessera_status tessera_points_gradients(const tessera_points* of, const tessera_restriction* r, const void* u,
                                        void* out);
tessera_status tessera_points_reference_gradients(const tessera_points* of, const tessera_restriction* r, const void* u,
                                                  void* out);

/* b_i = integral of f phi_i, or of F . grad phi_i, f and F being like values and gradients; b += where add is 1. b: an
   L-vector with its restriction, or with NULL an E-vector. */
tessera_status tessera_points_load(const tessera_points* of, const void* f, const tessera_restriction* r, void* b,
                                   int add);
tessera_status tessera_points_gradient_load(const tessera_points* of, const void* F, const tessera_restriction* r,
                                            void* b, int add);

/* Norms of u - exact in L2, and of its gradient; `exact` are values or gradients at the points, NULL: 0. */
tessera_status tessera_points_l2_norm(const tessera_points* of, const tessera_restriction* r, const void* u,
                                      const void* exact, double* norm);
tessera_status tessera_points_h1_norm(const tessera_points* of, const tessera_restriction* r, const void* u,
                                      const void* exact, double* norm);

const char* tessera_points_describe(const tessera_points* of);
void tessera_points_destroy(tessera_points* of);

#ifdef __cplusplus
}
#endif

#endif
