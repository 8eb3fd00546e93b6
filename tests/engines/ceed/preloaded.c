/* SPDX-License-Identifier: BSD-3-Clause */
/* Which backend a resource is, and whether an operator of it works; the program knows nothing of Tessera. */
#include <ceed.h>
#include <stdio.h>
#include <string.h>

int main(int count, char** texts) {
  Ceed ceed;
  const char* resource;
  CeedBasis basis;
  CeedElemRestriction nodes, data;
  CeedQFunction function;
  CeedOperator op;
  CeedVector x, y, weights;
  const CeedScalar* numbers;
  const CeedInt offsets[4] = {0, 1, 1, 2}, strides[3] = {1, 3, 3};
  double sum = 0;
  if (count != 3) return 2;
  CeedInit(texts[1], &ceed);
  CeedGetResource(ceed, &resource);
  printf("%s is %s\n", texts[1], resource);
  /* "not NAME": any other one. */
  if (strncmp(texts[2], "not ", 4) == 0 ? strcmp(resource, texts[2] + 4) == 0 : strcmp(resource, texts[2]) != 0)
    return 1;

  CeedBasisCreateTensorH1Lagrange(ceed, 1, 1, 2, 3, CEED_GAUSS, &basis);
  CeedElemRestrictionCreate(ceed, 2, 2, 1, 1, 3, CEED_MEM_HOST, CEED_COPY_VALUES, offsets, &nodes);
  CeedElemRestrictionCreateStrided(ceed, 2, 3, 1, 6, strides, &data);
  CeedElemRestrictionCreateVector(nodes, &x, NULL);
  CeedElemRestrictionCreateVector(nodes, &y, NULL);
  CeedElemRestrictionCreateVector(data, &weights, NULL);
  CeedVectorSetValue(x, 1.0);
  CeedVectorSetValue(weights, 0.5);
  CeedQFunctionCreateInteriorByName(ceed, "MassApply", &function);
  CeedOperatorCreate(ceed, function, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &op);
  CeedOperatorSetField(op, "u", nodes, basis, CEED_VECTOR_ACTIVE);
  CeedOperatorSetField(op, "qdata", data, CEED_BASIS_NONE, weights);
  CeedOperatorSetField(op, "v", nodes, basis, CEED_VECTOR_ACTIVE);
  CeedOperatorApply(op, x, y, CEED_REQUEST_IMMEDIATE);
  CeedVectorGetArrayRead(y, CEED_MEM_HOST, &numbers);
  for (int i = 0; i < 3; ++i) sum += numbers[i]; /* six points of weight 1/2 */
  CeedVectorRestoreArrayRead(y, &numbers);

  CeedOperatorDestroy(&op);
  CeedQFunctionDestroy(&function);
  CeedVectorDestroy(&x);
  CeedVectorDestroy(&y);
  CeedVectorDestroy(&weights);
  CeedElemRestrictionDestroy(&nodes);
  CeedElemRestrictionDestroy(&data);
  CeedBasisDestroy(&basis);
  CeedDestroy(&ceed);
  return sum > 3 - 1e-12 && sum < 3 + 1e-12 ? 0 : 3;
}
