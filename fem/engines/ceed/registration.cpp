// SPDX-License-Identifier: BSD-3-Clause
// Registers the backend /cpu/self/tessera when the library is loaded.
#include <ceed/backend.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "failure.hpp"
#include "operator.hpp"

namespace tessera::ceed {

namespace {

constexpr const char* resource = "/cpu/self/tessera";
constexpr unsigned priority = 15;  // below all of libCEED's for /cpu/self: the default

// What has vectors, restrictions, bases and QFunctions, and runs operators that are not taken.
std::string delegate_resource() {
  const char* wanted = std::getenv("TESSERA_CEED_DELEGATE");
  return wanted != nullptr && *wanted != '\0' ? wanted : "/cpu/self/opt/blocked";
}

template <class F>
void set(Ceed ceed, const char* name, F* function) {
  check(CeedSetBackendFunction(ceed, "Ceed", ceed, name, as_backend_function(function)));
}

int init(const char* wanted, Ceed ceed) {
  const std::string name = std::string(wanted).substr(0, std::string(wanted).find(':'));
  if (name != "/cpu/self" && name != resource)
    return CeedError(ceed, CEED_ERROR_BACKEND, "Tessera's backend cannot use resource: %s", wanted);
  const std::string other = delegate_resource();
  if (other.rfind("/cpu/self/", 0) != 0 || other.rfind(resource, 0) == 0)
    return CeedError(ceed, CEED_ERROR_BACKEND, "TESSERA_CEED_DELEGATE=%s is not another CPU backend", other.c_str());
  try {
    Ceed delegate = nullptr;
    check(CeedSetDeterministic(ceed, true));
    check(CeedInit(other.c_str(), &delegate));
    check(CeedSetDelegate(ceed, delegate));
    check(CeedSetOperatorFallbackResource(ceed, other.c_str()));
    set(ceed, "OperatorCreate", &create_operator);
    set(ceed, "CompositeOperatorCreate", &create_composite_operator);
  } catch (const failure& e) {
    return e.code;
  }
  return CEED_ERROR_SUCCESS;
}

[[gnu::constructor]] void register_backend() {
  int major = 0, minor = 0, patch = 0;
  bool release = false;
  if (CeedGetVersion(&major, &minor, &patch, &release) != CEED_ERROR_SUCCESS || major != 0 || minor != 12 || !release) {
    std::fprintf(stderr, "tessera_ceed: made for libCEED 0.12, and this is %d.%d.%d%s: not registered\n", major, minor,
                 patch, release ? "" : " (development)");
    return;
  }
  CeedRegister(resource, init, priority);
}

}  // namespace

}  // namespace tessera::ceed
