// SPDX-License-Identifier: BSD-3-Clause
// What the sanitizers ask a test executable at its start and at its end; nothing calls it elsewhere.

/// Too large an allocation fails, as it does without the sanitizer, instead of ending the program: errors are tested.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

/// LLVM's OpenMP loses memory of threads when a region asks for more of them than the one before.
extern "C" const char* __lsan_default_suppressions() { return "leak:libomp"; }
