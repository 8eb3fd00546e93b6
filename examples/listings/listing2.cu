// SPDX-License-Identifier: BSD-3-Clause
// Listing 2 with device memory: a tensor on the GPU, filled by Thrust, copied to the host, also asynchronously.
#include <tessera/gpu/thrust.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cstdio>

#include <thrust/fill.h>

int main() try {
  using namespace tessera;
  // snippet tensors
  // A tensor of 5 x 3 on the GPU, one on the CPU.
  auto d_ts = make_tensor<float>(gpu, of_size<5, 3>());
  auto ts = make_tensor<float>(of_size<5, 3>());

  // Thrust fills device memory; copy goes either way.
  thrust::fill(d_ts.begin(), d_ts.end(), 9.0f);
  copy(d_ts, ts);

  // With a stream a copy is asynchronous: its result is there once the stream was waited for.
  auto again = make_tensor<float>(of_size<5, 3>());
  const stream s;
  copy(d_ts, again, s);
  s.synchronize();
  // end snippet
  const auto nine = [](float x) { return x == 9; };
  return std::all_of(ts.begin(), ts.end(), nine) && std::all_of(again.begin(), again.end(), nine) ? 0 : 1;
} catch (const tessera::error& e) {
  std::printf("%s\n", e.what());
  return e.code() == tessera::status::no_device ? 4 : 1;
}
