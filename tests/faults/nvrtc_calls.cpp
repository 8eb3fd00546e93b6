// SPDX-License-Identifier: BSD-3-Clause
// What the library finds in the place of NVRTC's functions when it looks them up.
#include <cstddef>
#include <cstring>

#include "gpu_calls.hpp"
#include "injection.hpp"

namespace tessera::faults {

std::atomic<long>& kept_by_gpu() {
  static std::atomic<long> kept{0};
  return kept;
}
long live_objects() { return kept_by_gpu(); }

}  // namespace tessera::faults

namespace {

using namespace tessera::faults;

constexpr int no_memory = 1;
using program = void*;
using texts = const char* const*;

// `Number` tells entries of one type apart.
template <int Number, class... Argument>
struct entry {
  static inline int (*real)(Argument...) = nullptr;
  static int call(Argument... a) { return refuses() ? no_memory : real(a...); }
};
using create = entry<0, program*, const char*, const char*, int, texts, texts>;
using destroy = entry<1, program*>;

int create_counted(program* to, const char* text, const char* name, int headers, texts header_texts, texts names) {
  const int code = create::call(to, text, name, headers, header_texts, names);
  if (code == 0) ++kept_by_gpu();
  return code;
}
int destroy_counted(program* of) {
  if (*of == nullptr) return 0;
  --kept_by_gpu();
  return destroy::real(of);
}

template <class Entry, class... Argument>
void* in_place_of(void* found, int (*call)(Argument...)) {
  Entry::real = reinterpret_cast<int (*)(Argument...)>(found);
  return reinterpret_cast<void*>(call);
}
template <int Number, class... Argument>
void* failing(void* found) {
  using one = entry<Number, Argument...>;
  return in_place_of<one>(found, &one::call);
}

struct replaced_entry {
  const char* name;
  void* (*in_place_of)(void* found);
};
constexpr replaced_entry replaced[] = {
    {"nvrtcCreateProgram", [](void* found) { return in_place_of<create>(found, &create_counted); }},
    {"nvrtcDestroyProgram", [](void* found) { return in_place_of<destroy>(found, &destroy_counted); }},
    {"nvrtcAddNameExpression", failing<2, program, const char*>},
    {"nvrtcCompileProgram", failing<3, program, int, texts>},
    {"nvrtcGetLoweredName", failing<4, program, const char*, const char**>},
    {"nvrtcGetCUBINSize", failing<5, program, std::size_t*>},
    {"nvrtcGetCUBIN", failing<6, program, char*>},
    {"nvrtcGetProgramLogSize", failing<7, program, std::size_t*>},
    {"nvrtcGetProgramLog", failing<8, program, char*>}};

}  // namespace

extern "C" {

void* __real_dlsym(void* library, const char* name);

void* __wrap_dlsym(void* library, const char* name) {
  void* const found = __real_dlsym(library, name);
  if (found == nullptr) return found;
  for (const replaced_entry& one : replaced)
    if (std::strcmp(name, one.name) == 0) return one.in_place_of(found);
  return found;
}

}  // extern "C"
