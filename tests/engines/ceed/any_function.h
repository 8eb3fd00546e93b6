/* SPDX-License-Identifier: BSD-3-Clause */
/* The QFunction of random operators, for CPUs and GPUs: libCEED compiles this file for the latter. */
#include <ceed.h>
#include <math.h>

#define MOST_FIELDS 6

/* a(i,s,o,r) of quantity s of active input i to quantity r of output o, times 1 + a sum of the passive ones. */
struct layout_of_fields {
  int inputs, outputs, nonlinear;
  int in_size[MOST_FIELDS], active[MOST_FIELDS], out_size[MOST_FIELDS];
  double seed;
};

CEED_QFUNCTION_HELPER double coefficient(const struct layout_of_fields* l, int i, int s, int o, int r) {
  return cos(l->seed + i + 2.3 * s + 3.1 * o + 5.7 * r);
}

CEED_QFUNCTION(any_function)(void* context, CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  const struct layout_of_fields* l = (const struct layout_of_fields*)context;
  for (CeedInt n = 0; n < Q; ++n) {
    double factor = 1;
    for (int i = 0; i < l->inputs; ++i)
      for (int s = 0; s < l->in_size[i] && l->active[i] == 0; ++s)
        factor += 0.3 * cos((double)(s + i)) * in[i][n + Q * s];
    for (int o = 0; o < l->outputs; ++o)
      for (int r = 0; r < l->out_size[o]; ++r) {
        double sum = 0;
        for (int i = 0; i < l->inputs; ++i)
          for (int s = 0; s < l->in_size[i] && l->active[i] != 0; ++s) {
            const double u = in[i][n + Q * s];
            sum += coefficient(l, i, s, o, r) * (l->nonlinear != 0 ? u * u + u : u);
          }
        out[o][n + Q * r] = factor * sum;
      }
  }
  return 0;
}
