// SPDX-License-Identifier: BSD-3-Clause
// Memory, streams and copies of a GPU.
#include <tessera/tessera.hpp>

#include "gpu_memory.hpp"

namespace tessera::faults {

namespace {

constexpr index_t count = 9;

struct copy_memory {
  std::vector<double> here = numbers<double>(15 * count), back = std::vector<double>(15 * count);
  on_gpu<double> there{std::vector<double>(15 * count)};
};

named_scenario objects() {
  return {"gpu tensors, buffers and streams", [](int) {
            return scenario{[](said&) {
              const auto a = make_tensor<double>(gpu, of_size(5, 3));
              const auto b = make_batch<float>(gpu, of_size(5, 3), count);
              const buffer c(space_kind::gpu, 1000);
              const stream of_mine;
              of_mine.synchronize();
              void* pinned = device::allocate_pinned(100);
              device::deallocate_pinned(pinned);
            }};
          }};
}

named_scenario to_device() {
  return {"gpu copy to the device", [](int) {
            const auto m = std::make_shared<copy_memory>();
            const auto size = of_size(5, 3);
            return with_output(
                [=](said&) {
                  copy(view_batch(m->here.data(), size, count), view_batch(gpu, m->there.data(), size, count));
                },
                m->there, m);
          }};
}

named_scenario in_a_stream() {
  return {"gpu copies in a stream, there and back", [](int) {
            const auto m = std::make_shared<copy_memory>();
            const auto size = of_size(5, 3);
            return scenario{[=](said&) {
                              const stream of_mine;
                              const auto there = view_batch(gpu, m->there.data(), size, count);
                              copy(view_batch(m->here.data(), size, count), there, of_mine);
                              copy(there, view_batch(m->back.data(), size, count), of_mine);
                              of_mine.synchronize();
                            },
                            {bytes_of(m->back)},
                            m,
                            {},
                            [] { stream_view().synchronize(); }};
          }};
}

named_scenario rearranged() {
  return {"gpu copy to another layout", [](int) {
            const auto m = std::make_shared<copy_memory>();
            const auto size = of_size(5, 3);
            return with_output(
                [=](said&) {
                  copy(view_batch(m->here.data(), size, count),
                       view_batch(gpu, m->there.data(), row_major(size), count));
                },
                m->there, m);
          }};
}

}  // namespace

scenarios gpu_memory_scenarios() { return {objects(), to_device(), in_a_stream(), rearranged()}; }

}  // namespace tessera::faults
