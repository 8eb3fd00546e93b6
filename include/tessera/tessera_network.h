/* SPDX-License-Identifier: BSD-3-Clause */
/* Contractions of 2 to 32 operands from C: pairs in the order that costs least, with a workspace between them. */
#ifndef TESSERA_NETWORK_H
#define TESSERA_NETWORK_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tessera_network tessera_network;

/* Start from {0}, which is the default of each. */
typedef struct tessera_network_options {
  tessera_plan_options plans; /* of every pair's plan */
  int no_workspace;           /* 1: the network owns none, and each run is given one */
} tessera_network_options;

/* "ab,bc,cd->ad": operands are the inputs, then the output. scaling: NULL for alpha = 1, beta = 0. options: NULL for
   {0}. On failure *network is NULL. */
tessera_status tessera_network_create(tessera_network** network, const char* einsum, const tessera_scaling* scaling,
                                      const tessera_operand* operands, int operand_count,
                                      const tessera_network_options* options);

/* The operands are as for tessera_plan_run. By the workspace that the network owns: threads may run it at the same
   time; on a GPU such runs use it one after the other, in whatever streams. */
tessera_status tessera_network_run(const tessera_network* network, const tessera_operand* operands, int operand_count,
                                   void* stream);

/* By a workspace of the caller's, in the operands' space, aligned as tessera_allocate does, which no other run uses at
   the same time. */
tessera_status tessera_network_run_in(const tessera_network* network, const tessera_operand* operands,
                                      int operand_count, void* workspace, size_t bytes, void* stream);

/* Bytes of workspace of a run of any batch count. 0 for NULL. */
size_t tessera_network_workspace_bytes(const tessera_network* network);
/* The same of a plan. */
size_t tessera_plan_workspace_bytes(const tessera_plan* plan);

/* Multiplications and additions of all pairs, and of one loop nest over all letters. 0 for NULL. */
double tessera_network_flops(const tessera_network* network);
double tessera_network_flops_of_one_loop(const tessera_network* network);

/* A text: the order of the pairs, the sizes, operations and kernel of each. Valid as long as the network. NULL for a
   NULL network. */
const char* tessera_network_describe(const tessera_network* network);
/* The same in one line, without the pairs. */
const char* tessera_network_describe_brief(const tessera_network* network);

/* NULL is allowed. */
void tessera_network_destroy(tessera_network* network);

#ifdef __cplusplus
}
#endif

#endif
