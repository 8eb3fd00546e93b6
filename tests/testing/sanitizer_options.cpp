// SPDX-License-Identifier: BSD-3-Clause
// What the address sanitizer asks a test executable at its start; nothing calls it elsewhere.

/// Too large an allocation fails, as it does without the sanitizer, instead of ending the program: errors are tested.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
