// SPDX-License-Identifier: BSD-3-Clause
// Compiled with the peers' flags: libCEED compiles a user's functions with the user's flags.
#include "peers/libceed_functions.hpp"

namespace tessera::bench {

int libceed_mass(void*, int points, const double* const* in, double* const* out) {
  const double* const u = in[0];
  const double* const D = in[1];
  double* const v = out[0];
#pragma omp simd
  for (int k = 0; k < points; ++k) v[k] = D[k] * u[k];
  return 0;
}

// Factors 00 01 11.
int libceed_diffusion_2(void*, int points, const double* const* in, double* const* out) {
  const double* const u = in[0];
  const double* const D = in[1];
  double* const v = out[0];
#pragma omp simd
  for (int k = 0; k < points; ++k) {
    const double u0 = u[k], u1 = u[k + points];
    v[k] = D[k] * u0 + D[k + points] * u1;
    v[k + points] = D[k + points] * u0 + D[k + 2 * points] * u1;
  }
  return 0;
}

// Factors 00 01 02 11 12 22.
int libceed_diffusion_3(void*, int points, const double* const* in, double* const* out) {
  const double* const u = in[0];
  const double* const D = in[1];
  double* const v = out[0];
#pragma omp simd
  for (int k = 0; k < points; ++k) {
    const double u0 = u[k], u1 = u[k + points], u2 = u[k + 2 * points];
    const double d01 = D[k + points], d02 = D[k + 2 * points], d12 = D[k + 4 * points];
    v[k] = D[k] * u0 + d01 * u1 + d02 * u2;
    v[k + points] = d01 * u0 + D[k + 3 * points] * u1 + d12 * u2;
    v[k + 2 * points] = d02 * u0 + d12 * u1 + D[k + 5 * points] * u2;
  }
  return 0;
}

}  // namespace tessera::bench
