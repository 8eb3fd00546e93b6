// SPDX-License-Identifier: BSD-3-Clause
// All that differs between the two versions of libCEED that the adapter is for: 0.12.0 and the development branch.
#pragma once

#include <ceed/backend.h>

#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "failure.hpp"

#if CEED_VERSION_RELEASE

// libCEED exports this function in both versions, but does not install its header.
extern "C" int CeedGetJitAbsolutePath(Ceed ceed, const char* relative_file_path, char** absolute_file_path);

namespace tessera::ceed::version {

inline constexpr bool counts_references = false;  // to what Get functions return
inline constexpr bool has_at_points = false;      // operators at points that differ by element
using text = char*;
using backend_function = int (*)();

inline int set_backend_function(Ceed ceed, const char* type, void* object, const char* name, backend_function f) {
  return CeedSetBackendFunction(ceed, type, object, name, f);
}
// Only the resource's name: libCEED makes a Ceed of its own for the twins.
inline int set_fallback(Ceed ceed, Ceed, const char* resource) {
  return CeedSetOperatorFallbackResource(ceed, resource);
}
inline int number_of_parts(CeedOperator op, CeedInt* count) { return CeedCompositeOperatorGetNumSub(op, count); }
inline int list_of_parts(CeedOperator op, CeedOperator** parts) { return CeedCompositeOperatorGetSubList(op, parts); }
inline int is_at_points(CeedOperator, bool*) { return CEED_ERROR_SUCCESS; }

// Where the strides are the backend's, L-vector and E-vector are the same.
inline int strides(CeedElemRestriction r, CeedInt (&to)[3]) {
  bool by_backend = false;
  const int code = CeedElemRestrictionHasBackendStrides(r, &by_backend);
  if (code != CEED_ERROR_SUCCESS) return code;
  return by_backend ? CeedElemRestrictionGetELayout(r, &to) : CeedElemRestrictionGetStrides(r, &to);
}

// What a program has added to them can be asked for in the development branch only.
inline std::vector<std::string> jit_folders(Ceed) { return {}; }
inline std::vector<std::string> jit_macros(Ceed) { return {}; }

}  // namespace tessera::ceed::version

#else

extern "C" int CeedGetJitAbsolutePath(Ceed ceed, const char* relative_file_path, const char** absolute_file_path);

namespace tessera::ceed::version {

inline constexpr bool counts_references = true;
inline constexpr bool has_at_points = true;
using text = const char*;
using backend_function = void (*)();

inline int set_backend_function(Ceed ceed, const char* type, void* object, const char* name, backend_function f) {
  return CeedSetBackendFunctionImpl(ceed, type, object, name, f);
}
inline int set_fallback(Ceed ceed, Ceed fallback, const char*) { return CeedSetOperatorFallbackCeed(ceed, fallback); }
inline int number_of_parts(CeedOperator op, CeedInt* count) { return CeedOperatorCompositeGetNumSub(op, count); }
inline int list_of_parts(CeedOperator op, CeedOperator** parts) { return CeedOperatorCompositeGetSubList(op, parts); }
inline int is_at_points(CeedOperator op, bool* is) { return CeedOperatorIsAtPoints(op, is); }
inline int strides(CeedElemRestriction r, CeedInt (&to)[3]) { return CeedElemRestrictionGetLLayout(r, to); }

// Called and not passed by address: another libCEED without them can be loaded then, and is refused by its version.
inline std::vector<std::string> jit_folders(Ceed ceed) {
  CeedInt count = 0;
  const char** list = nullptr;
  check(CeedGetJitSourceRoots(ceed, &count, &list));
  std::vector<std::string> copy(list, list + count);
  check(CeedRestoreJitSourceRoots(ceed, &list));
  return copy;
}
inline std::vector<std::string> jit_macros(Ceed ceed) {
  CeedInt count = 0;
  const char** list = nullptr;
  check(CeedGetJitDefines(ceed, &count, &list));
  std::vector<std::string> copy(list, list + count);
  check(CeedRestoreJitDefines(ceed, &list));
  return copy;
}

}  // namespace tessera::ceed::version

#endif

namespace tessera::ceed {

/// What `owner` has, by a Get function of libCEED; valid while the owner keeps it. Where that function has counted a
/// reference, it is given back.
template <class Owner, class T>
T held(Owner owner, int (*get)(Owner, T*), int (*destroy)(T*)) {
  T object = nullptr;
  check(get(owner, &object));
  if (T reference = object; version::counts_references && reference != nullptr) check(destroy(&reference));
  return object;
}

inline Ceed ceed_of(CeedOperator op) { return held(op, &CeedOperatorGetCeed, &CeedDestroy); }
inline Ceed ceed_of(CeedQFunction f) { return held(f, &CeedQFunctionGetCeed, &CeedDestroy); }
inline CeedQFunction function_of(CeedOperator op) { return held(op, &CeedOperatorGetQFunction, &CeedQFunctionDestroy); }
/// Null: it has none.
inline CeedQFunctionContext context_of(CeedQFunction f) {
  return held(f, &CeedQFunctionGetContext, &CeedQFunctionContextDestroy);
}
inline CeedElemRestriction elem_restriction_of(CeedOperatorField f) {
  return held(f, &CeedOperatorFieldGetElemRestriction, &CeedElemRestrictionDestroy);
}
inline CeedBasis basis_of(CeedOperatorField f) { return held(f, &CeedOperatorFieldGetBasis, &CeedBasisDestroy); }
inline CeedVector vector_of(CeedOperatorField f) { return held(f, &CeedOperatorFieldGetVector, &CeedVectorDestroy); }

inline const char* kernel_name_of(CeedQFunction f) {
  version::text name = nullptr;
  check(CeedQFunctionGetKernelName(f, &name));
  return name;
}
/// Null: it has no source.
inline const char* source_path_of(CeedQFunction f) {
  version::text path = nullptr;
  check(CeedQFunctionGetSourcePath(f, &path));
  return path;
}

/// Of entries, components and elements in the L-vector of a strided restriction.
inline std::array<CeedInt, 3> strides_of(CeedElemRestriction r) {
  CeedInt s[3] = {0, 0, 0};
  check(version::strides(r, s));
  return {s[0], s[1], s[2]};
}

/// Of a composite operator, which keeps the list.
inline std::span<CeedOperator> parts_of_composite(CeedOperator op) {
  CeedInt count = 0;
  CeedOperator* parts = nullptr;
  check(version::number_of_parts(op, &count));
  check(version::list_of_parts(op, &parts));
  return {parts, std::size_t(count)};
}

inline bool is_at_points(CeedOperator op) {
  bool is = false;
  check(version::is_at_points(op, &is));
  return is;
}

template <class F>
void set_backend_function(Ceed ceed, const char* type, void* object, const char* name, F* function) {
  const auto f = reinterpret_cast<version::backend_function>(reinterpret_cast<void (*)()>(function));
  check(version::set_backend_function(ceed, type, object, name, f));
}

/// A backend's delegate, which gets its twins of operators, too.
inline void set_delegate(Ceed ceed, const char* resource) {
  Ceed delegate = nullptr;
  check(CeedInit(resource, &delegate));
  check(CeedSetDelegate(ceed, delegate));
  check(version::set_fallback(ceed, delegate, resource));
  if (version::counts_references) check(CeedDestroy(&delegate));
}

/// The file of that name in one of the folders that libCEED has for sources that it compiles.
inline std::string jit_path(Ceed ceed, const char* name) {
  version::text path = nullptr;
  check(CeedGetJitAbsolutePath(ceed, name, &path));
  std::string copy = path;
  std::free(const_cast<char*>(path));  // from malloc; libCEED does not export CeedFree
  return copy;
}

}  // namespace tessera::ceed
