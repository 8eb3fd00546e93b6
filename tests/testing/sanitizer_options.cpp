// SPDX-License-Identifier: BSD-3-Clause
// What the sanitizers ask a test executable at its start and at its end; nothing calls it elsewhere.
#include <link.h>

#include <cstddef>
#include <cstring>

namespace {

int is_nvrtc(dl_phdr_info* library, std::size_t, void*) { return std::strstr(library->dlpi_name, "libnvrtc.") ? 1 : 0; }

}  // namespace

/// Too large an allocation fails, as it does without the sanitizer, instead of ending the program: errors are tested.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

/// LLVM's OpenMP loses memory of threads when a region asks for more of them than the one before.
extern "C" const char* __lsan_default_suppressions() { return "leak:libomp"; }

/// The leak check of clang 14 itself ends with a signal now and then where NVRTC was loaded: there it is left out.
extern "C" int __lsan_is_turned_off() { return dl_iterate_phdr(is_nvrtc, nullptr); }
