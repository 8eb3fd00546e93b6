// SPDX-License-Identifier: BSD-3-Clause
// Tensors, batches, groups and plain memory: made, copied between layouts, through C++ and C.
#include <tessera/device_facts.hpp>
#include <tessera/tessera.hpp>

#include "scenario.hpp"
#include "testing/scattered.hpp"

namespace tessera::faults {

namespace {

constexpr index_t count = 9;

named_scenario containers() {
  return {"tensors, batches and a group", [](int) {
            return scenario{[](said& words) {
              auto a = make_tensor<double>(of_size(5, 3)), b = make_tensor<double>(of_size(5, 3));
              tensor<float> of_any_rank(of_size(2, 3, 4));
              auto batches = make_batch<half>(of_size<4, 4>(), count);
              auto g = make_group<double>(of_size(5, 3));
              g.push_back(b);
              g.push_back(a);
              const auto seen = g.view();
              auto copied = g;
              copied.push_back(a);
              words.add(text_of(of_any_rank.extents()));
              words.add(std::to_string(copied.view().count() + seen.count() + batches.count()));
            }};
          }};
}

// 2 MiB: pages of it are first touched by all threads.
named_scenario large_tensor() {
  return {"a large tensor", [](int) {
            return scenario{[](said& words) {
              const auto a = make_tensor<double>(of_size(512, 512));
              words.add(a.data()[0] == 0 && a.data()[512 * 512 - 1] == 0 ? "zeroed" : "not zeroed");
            }};
          }};
}

// What the system says of this machine is found once a process.
named_scenario device_facts() {
  return {"device facts", [](int) {
            return scenario{[](said& words) {
              words.add(device_name(target::reference));
              words.add(std::to_string(core_cache_bytes()) + " " + std::to_string(first_cache_bytes()) + " " +
                        std::to_string(last_level_cache_bytes(target::reference)) + std::string(40, '.'));
            }};
          }};
}

template <class From, class To>
named_scenario copies(const std::string& name, From from_layout, To to_layout) {
  return {"copy, " + name, [=](int) {
            struct memory {
              std::vector<double> from = numbers<double>(40 * count), to = std::vector<double>(40 * count);
            };
            const auto m = std::make_shared<memory>();
            return scenario{[=](said& words) {
                              words.add(std::string(100, '.'));
                              copy(view_batch(m->from.data(), from_layout, count),
                                   view_batch(m->to.data(), to_layout, count));
                            },
                            {bytes_of(m->to)}};
          }};
}

// Group to group, in both directions of their members.
named_scenario copies_of_groups() {
  return {"copy, groups", [](int) {
            using apart = testing::scattered<double, column_major<extents<dynamic, dynamic>>>;
            struct memory {
              apart from{column_major(of_size(5, 3)), count}, to{column_major(of_size(5, 3)), count};
            };
            const auto m = std::make_shared<memory>();
            return scenario{[=](said&) { copy(m->from.group(), m->to.group()); }, {bytes_of(m->to.memory())}};
          }};
}

named_scenario through_c() {
  return {"memory and copies through C", [](int) {
            const auto from = std::make_shared<std::vector<float>>(numbers<float>(15 * count));
            const auto to = std::make_shared<std::vector<float>>(std::size_t(15 * count));
            return scenario{[=](said& words) {
                              struct owned {
                                void* memory = nullptr;
                                ~owned() { tessera_free(TESSERA_CPU, memory); }
                              } middle;
                              const int64_t extent[] = {5, 3};
                              expect_ok(tessera_allocate(&middle.memory, TESSERA_CPU, to->size() * sizeof(float)));
                              const auto packed = [&](void* data) {
                                return tessera_packed(TESSERA_F32, TESSERA_CPU, data, 2, extent, count);
                              };
                              const tessera_operand in = packed(from->data()), out = packed(to->data());
                              tessera_operand by_rows = packed(middle.memory);
                              by_rows.stride[0] = 3, by_rows.stride[1] = 1;
                              expect_ok(tessera_copy(&in, &by_rows));
                              expect_ok(tessera_copy(&by_rows, &out));
                              words.add(tessera_target_available("reference") != 0 ? "there" : "not there");
                            },
                            {bytes_of(*to)}};
          }};
}

}  // namespace

scenarios container_scenarios() {
  return {containers(),
          device_facts(),
          large_tensor(),
          copies("dense", of_size(5, 3), of_size(5, 3)),
          copies("by rows", of_size(5, 3), row_major(of_size(5, 3))),
          copies("padded", column_major(of_size(5, 3), 7), of_size(5, 3)),
          copies_of_groups(),
          through_c()};
}

}  // namespace tessera::faults
