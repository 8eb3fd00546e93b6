// SPDX-License-Identifier: BSD-3-Clause
// The error type, and that its codes are the C API's.
#include <tessera/tessera.h>
#include <tessera/error.hpp>

#include <type_traits>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

static_assert(int(status::ok) == TESSERA_OK && int(status::invalid_argument) == TESSERA_INVALID_ARGUMENT);
static_assert(int(status::bad_einsum) == TESSERA_BAD_EINSUM && int(status::shape_mismatch) == TESSERA_SHAPE_MISMATCH);
static_assert(int(status::null_pointer) == TESSERA_NULL_POINTER && int(status::overlap) == TESSERA_OVERLAP);
static_assert(int(status::overflow) == TESSERA_OVERFLOW && int(status::wrong_space) == TESSERA_WRONG_SPACE);
static_assert(int(status::wrong_type) == TESSERA_WRONG_TYPE && int(status::no_target) == TESSERA_NO_TARGET);
static_assert(int(status::no_device) == TESSERA_NO_DEVICE && int(status::out_of_memory) == TESSERA_OUT_OF_MEMORY);
static_assert(int(status::launch_failure) == TESSERA_LAUNCH_FAILURE && int(status::internal) == TESSERA_INTERNAL);
static_assert(std::is_base_of_v<std::runtime_error, error>);

}  // namespace

TEST_CASE("an error carries its text and its code", "[error]") {
  const error plain("reshape: 5x3 has 15 entries");
  CHECK(plain.code() == status::invalid_argument);
  CHECK(std::string(plain.what()) == "reshape: 5x3 has 15 entries");
  CHECK(error("copy", status::overlap).code() == status::overlap);
}
