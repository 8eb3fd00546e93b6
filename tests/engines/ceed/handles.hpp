// SPDX-License-Identifier: BSD-3-Clause
// libCEED's objects with destructors, and its errors as exceptions.
#pragma once

#include <ceed/backend.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ceed_test {

inline void check(Ceed ceed, int code) {
  if (code == CEED_ERROR_SUCCESS) return;
  const char* message = "no context";
  if (ceed != nullptr) CeedGetErrorMessage(ceed, &message);
  throw std::runtime_error("error " + std::to_string(code) + ": " + message);
}

template <class T, int (*destroy)(T*)>
class handle {
 public:
  handle() = default;
  handle(handle&& other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(at_, other.at_);
    return *this;
  }
  ~handle() {
    if (at_ != nullptr) destroy(&at_);
  }
  operator T() const { return at_; }  // NOLINT: in calls of libCEED
  T* out() { return &at_; }

 private:
  T at_ = nullptr;
};

using context = handle<Ceed, CeedDestroy>;
using vector = handle<CeedVector, CeedVectorDestroy>;
using element_restriction = handle<CeedElemRestriction, CeedElemRestrictionDestroy>;
using basis = handle<CeedBasis, CeedBasisDestroy>;
using function = handle<CeedQFunction, CeedQFunctionDestroy>;
using function_context = handle<CeedQFunctionContext, CeedQFunctionContextDestroy>;
using operation = handle<CeedOperator, CeedOperatorDestroy>;

/// Errors come back as codes.
inline context init(const char* resource) {
  setenv("CEED_ERROR_HANDLER", "store", 1);
  context made;
  check(nullptr, CeedInit(resource, made.out()));
  return made;
}

inline std::vector<double> numbers_of(Ceed ceed, CeedVector v) {
  const CeedScalar* at = nullptr;
  CeedSize length = 0;
  check(ceed, CeedVectorGetLength(v, &length));
  check(ceed, CeedVectorGetArrayRead(v, CEED_MEM_HOST, &at));
  std::vector<double> copy(at, at + length);
  check(ceed, CeedVectorRestoreArrayRead(v, &at));
  return copy;
}

inline vector vector_of(Ceed ceed, const std::vector<double>& numbers) {
  vector made;
  check(ceed, CeedVectorCreate(ceed, CeedSize(numbers.size()), made.out()));
  check(ceed, CeedVectorSetArray(made, CEED_MEM_HOST, CEED_COPY_VALUES, const_cast<double*>(numbers.data())));
  return made;
}

}  // namespace ceed_test
