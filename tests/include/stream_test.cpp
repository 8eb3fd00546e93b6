// SPDX-License-Identifier: BSD-3-Clause
// Streams on a machine without a GPU: views are plain values, owning one is an error.
#include <tessera/stream.hpp>
#include <tessera/target.hpp>
#include <tessera/tensor.hpp>

#include "testing/failure.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using tessera::testing::check_failure;

TEST_CASE("a stream view is a handle", "[stream]") {
  static_assert(stream_view{}.handle() == nullptr);
  int somewhere = 0;
  CHECK(stream_view(&somewhere).handle() == &somewhere);
}

TEST_CASE("without a GPU, device memory and streams are errors", "[stream]") {
  if (is_available(target::cuda)) return testing::skip("this machine has a GPU");
  check_failure(status::no_device, {"stream"}, [] { stream{}; });
  check_failure(status::no_device, {"tensor", "5x3"}, [] { make_tensor<double>(gpu, of_size<5, 3>()); });
}
