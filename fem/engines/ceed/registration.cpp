// SPDX-License-Identifier: BSD-3-Clause
// Registers the backends /cpu/self/tessera and /gpu/cuda/tessera when the library is loaded.
#include <ceed/backend.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "failure.hpp"
#include "libceed_api.hpp"
#include "operator.hpp"
#include "place.hpp"

namespace tessera::ceed {

namespace {

struct backend {
  const char* resource;
  const char* family;  // of which it is the default
  const char* variable;
  const char* delegate;  // has vectors, restrictions, bases and QFunctions, and runs operators that are not taken
  bool takes_options;    // the delegate, such as ":device_id=1" behind its name
};

constexpr backend on_host{host_resource, "/cpu/self", "TESSERA_CEED_DELEGATE", "/cpu/self/opt/blocked", false};
constexpr backend on_device{device_resource, "/gpu/cuda", "TESSERA_CEED_GPU_DELEGATE", "/gpu/cuda/gen", true};

constexpr unsigned priority = 15;  // below all of libCEED's own ones

std::string delegate_of(const backend& b) {
  const char* wanted = std::getenv(b.variable);
  return wanted != nullptr && *wanted != '\0' ? wanted : b.delegate;
}

template <class F>
void set(Ceed ceed, const char* name, F* function) {
  set_backend_function(ceed, "Ceed", ceed, name, function);
}

// `wanted` may end with options for the delegate.
int init_as(const backend& b, const std::string& wanted, Ceed ceed) {
  const std::size_t end = std::min(wanted.find(':'), wanted.size());
  const std::string name = wanted.substr(0, end);
  if (name != b.family && name != b.resource)
    return CeedError(ceed, CEED_ERROR_BACKEND, "Tessera's backend cannot use resource: %s", wanted.c_str());
  const std::string other = delegate_of(b) + (b.takes_options ? wanted.substr(end) : ""),
                    folder = std::string(b.family) + "/";
  if (other.rfind(folder, 0) != 0 || other.rfind(b.resource, 0) == 0)
    return CeedError(ceed, CEED_ERROR_BACKEND, "%s=%s is not another backend of %s", b.variable, other.c_str(),
                     b.family);
  try {
    set_delegate(ceed, other.c_str());
    set(ceed, "OperatorCreate", &create_operator);
    if (version::has_at_points) set(ceed, "OperatorCreateAtPoints", &create_operator);
    set(ceed, "CompositeOperatorCreate", &create_composite_operator);
  } catch (const failure& e) {
    return e.code;
  }
  return CEED_ERROR_SUCCESS;
}

int init_host(const char* wanted, Ceed ceed) {
  const int code = CeedSetDeterministic(ceed, true);
  return code != CEED_ERROR_SUCCESS ? code : init_as(on_host, wanted, ceed);
}

int init_device(const char* wanted, Ceed ceed) { return init_as(on_device, wanted, ceed); }

const char* kind(bool release) { return release ? "" : " (development)"; }

// The two kinds of libCEED have other functions and other rules of ownership.
[[gnu::constructor]] void register_backend() {
  int major = 0, minor = 0, patch = 0;
  bool release = false;
  if (CeedGetVersion(&major, &minor, &patch, &release) != CEED_ERROR_SUCCESS || major != CEED_VERSION_MAJOR ||
      minor != CEED_VERSION_MINOR || release != CEED_VERSION_RELEASE) {
    std::fprintf(stderr, "tessera_ceed: made for libCEED %d.%d%s, and this is %d.%d.%d%s: not registered\n",
                 CEED_VERSION_MAJOR, CEED_VERSION_MINOR, kind(CEED_VERSION_RELEASE), major, minor, patch,
                 kind(release));
    return;
  }
  CeedRegister(host_resource, init_host, priority);
  if (TESSERA_CEED_HAS_GPU) CeedRegister(device_resource, init_device, priority);
}

}  // namespace

}  // namespace tessera::ceed
