/* SPDX-License-Identifier: BSD-3-Clause */
/* QFunctions of the program's own, which no backend knows: the gallery's mass and diffusion for one and three
   components. libCEED's backends for GPUs compile this file while the program runs. */
#include <ceed.h>

CEED_QFUNCTION_HELPER int own_mass(const int components, const CeedInt Q, const CeedScalar* const* in,
                                   CeedScalar* const* out) {
  for (int c = 0; c < components; ++c) {
    CeedPragmaSIMD for (CeedInt i = 0; i < Q; ++i) out[0][i + Q * c] = in[1][i] * in[0][i + Q * c];
  }
  return 0;
}

CEED_QFUNCTION_HELPER int own_diffusion(const int components, const CeedInt Q, const CeedScalar* const* in,
                                        CeedScalar* const* out) {
  const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}}; /* of Voigt's order */
  for (int c = 0; c < components; ++c)
    for (int a = 0; a < 3; ++a) {
      CeedPragmaSIMD for (CeedInt i = 0; i < Q; ++i) {
        CeedScalar sum = 0;
        for (int b = 0; b < 3; ++b) sum += in[1][i + Q * place[a][b]] * in[0][i + Q * (c + components * b)];
        out[0][i + Q * (c + components * a)] = sum;
      }
    }
  return 0;
}

CEED_QFUNCTION(own_mass_1)(void*, const CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  return own_mass(1, Q, in, out);
}
CEED_QFUNCTION(own_mass_3)(void*, const CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  return own_mass(3, Q, in, out);
}
CEED_QFUNCTION(own_diffusion_1)(void*, const CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  return own_diffusion(1, Q, in, out);
}
CEED_QFUNCTION(own_diffusion_3)(void*, const CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  return own_diffusion(3, Q, in, out);
}
