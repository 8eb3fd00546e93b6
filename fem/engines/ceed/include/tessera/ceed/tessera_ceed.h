/* SPDX-License-Identifier: BSD-3-Clause */
/* The libCEED backends /cpu/self/tessera and /gpu/cuda/tessera, which are registered when their library is loaded: what
   they do with operators. */
#ifndef TESSERA_CEED_H
#define TESSERA_CEED_H

#include <ceed.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an operator with all its fields runs: "tessera: ", kernel and sizes, or "delegated: " and the reason. Decided now
   if it was not applied yet; on a GPU the first application may still delegate it. Valid as long as the operator. Of
   composite operators ask the parts. NULL for NULL and for operators of other backends. */
__attribute__((visibility("default"))) const char* tessera_ceed_describe(CeedOperator op);

#ifdef __cplusplus
}
#endif

#endif
