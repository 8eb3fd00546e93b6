// SPDX-License-Identifier: BSD-3-Clause
// General contractions with everything at run time, on a GPU: drawn ones of all types, pairs and functions, long sums,
// sizes beyond 32 bits, and through the interface of kinds.
#include <tessera/gpu/detail/general/any_kernel.hpp>
#include <tessera/gpu/detail/general/any_work.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "testing/catch.hpp"
#include "testing/draw_any.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
using device::any_type;
using device::any_way;

namespace {

buffer on_gpu(const std::vector<char>& from) {
  buffer made(space_kind::gpu, std::max<std::size_t>(from.size(), 1));
  copy_memory(made.data(), from.data(), from.size());
  return made;
}
char* bytes_of(const buffer& of) { return static_cast<char*>(of.data()); }

// The tensors of a case on the GPU.
struct any_on_gpu {
  const any_case& of;
  buffer left, right, addend, out;

  explicit any_on_gpu(const any_case& c)
      : of(c),
        left(on_gpu(c.left.bytes)),
        right(on_gpu(c.right.bytes)),
        addend(on_gpu(c.addend.bytes)),
        out(on_gpu(c.out.bytes)) {}
  device::general_arguments arguments() const {
    return of.arguments(bytes_of(left), bytes_of(right), bytes_of(addend), bytes_of(out));
  }
  std::vector<char> found() const {
    std::vector<char> made(of.out.bytes.size());
    copy_memory(made.data(), out.data(), made.size());
    return made;
  }
};

// By the way that is chosen, or by a certain one.
void check_on_gpu(const any_case& of, std::optional<any_way> way = {}, bool wide = false) {
  INFO(of.text());
  const any_on_gpu on(of);
  device::any_work work = any_work_of(of.form, of.types, of.functions, on.arguments(), of.batch, way);
  if (wide) work.wide = true;
  INFO("way " << int(work.way) << ", " << work.tiles << " tiles");
  if (work.tiles > 0) device::queue_any(work, nullptr);
  CHECK(of.wrong(on.found(), of.after()) == 0);
}
// Each way in turn, every fifth time with divisions of 64 bits.
void check_drawn(unsigned seed, int most, index_t steps) {
  INFO("seed " << seed);
  const any_way ways[] = {any_way::large_tiles, any_way::small_tiles, any_way::single};
  const std::optional<any_way> way = seed % 4 == 0 ? std::nullopt : std::optional(ways[seed % 4 - 1]);
  check_on_gpu(draw_any(seed, most, steps), way, seed % 5 == 0);
}

// A packed product of matrices of small integers.
any_case product_of(index_t rows, index_t cols, index_t inner, any_type type) {
  any_case of;
  of.form.rows = {1, {{rows, 1, 0, 1}}};
  of.form.cols = {1, {{cols, 0, inner, rows}}};
  of.form.inner = {1, {{inner, rows, 1, 0}}};
  of.types = {.left = type, .right = type, .out = type, .sum = type};
  const auto fill = [&](any_memory& memory, index_t entries, int seed) {
    memory.type = type;
    memory.bytes.resize(std::size_t(entries * device::size_of(type)));
    for (index_t i = 0; i < entries; ++i)
      write_any(type, (long double)((i * 7 + i / 5 + seed) % 9 - 4), memory.at(memory.bytes.data(), i));
  };
  fill(of.left, rows * inner, 1);
  fill(of.right, inner * cols, 2);
  fill(of.out, rows * cols, 3);
  return of;
}

}  // namespace

TEST_CASE("gpu contractions at run time: drawn ones", "[gpu][general]") {
  if (no_gpu()) return;
  for (unsigned seed = 10000; seed < 10600; ++seed) check_drawn(seed, seed % 3 == 0 ? 40 : 17, 20000);
}

TEST_CASE("gpu contractions at run time: 20000 drawn ones", "[.long]") {
  if (no_gpu()) return;
  for (unsigned seed = 20000; seed < 40000; ++seed) check_drawn(seed, seed % 3 == 0 ? 100 : 17, 20000);
}

TEST_CASE("gpu contractions at run time: a few drawn ones", "[gpu][general][sanitize]") {
  if (no_gpu()) return;
  for (unsigned seed = 40000; seed < 40060; ++seed) check_drawn(seed, 9, 2000);
}

TEST_CASE("gpu contractions at run time: long sums and many tiles", "[gpu][general]") {
  if (no_gpu()) return;
  for (const any_type type : {any_type::f64, any_type::f32, any_type::i64}) {
    check_on_gpu(product_of(1, 1, 100003, type));
    check_on_gpu(product_of(3, 2, 50021, type));
    check_on_gpu(product_of(40, 30, 2000, type));
    check_on_gpu(product_of(501, 1, 700, type));
    check_on_gpu(product_of(201, 190, 77, type));
    check_on_gpu(product_of(77, 130, 300, type), any_way::small_tiles);
  }
}

TEST_CASE("gpu contractions at run time: by kinds, of a batch in a stream", "[gpu][general]") {
  if (no_gpu()) return;
  const any_case of = product_of(70, 33, 20, any_type::f64);
  const any_on_gpu on(of);
  device::general_arguments with = on.arguments();
  with.alpha = 2;
  with.beta = -1;
  void* const stream = device::stream_create();
  run_any(of.form, {.reads_out = true}, {.result = {device::any_function_kind::relu}}, with, 1, stream);
  device::stream_synchronize(stream);
  device::stream_destroy(stream);
  any_case wanted = of;
  wanted.types.reads_out = true;
  wanted.functions.result = {device::any_function_kind::relu};
  wanted.alpha = 2;
  wanted.beta = -1;
  CHECK(wanted.wrong(on.found(), wanted.after()) == 0);
}

TEST_CASE("gpu contractions at run time: more tiles than a launch has blocks", "[gpu][general][.big]") {
  if (no_gpu()) return;
  any_case of = product_of(2, 3, 2, any_type::f32);
  of.batch = (1 << 20) + 77;
  for (any_memory* m : {&of.left, &of.right, &of.out}) {
    const std::vector<char> first = m->bytes;
    m->batch_stride = index_t(first.size()) / 4;
    m->bytes.clear();
    for (index_t b = 0; b < of.batch; ++b) m->bytes.insert(m->bytes.end(), first.begin(), first.end());
  }
  for (const any_way way : {any_way::small_tiles, any_way::single}) check_on_gpu(of, way);
}

TEST_CASE("gpu contractions at run time: sizes beyond 32 bits", "[gpu][general][.big]") {
  if (no_gpu()) return;
  constexpr index_t count = (index_t(1) << 32) + 5;
  // A sum of so many terms of one entry each.
  any_case sum = product_of(1, 1, 1, any_type::f64);
  sum.form.inner = {1, {{count, 0, 0, 0}}};
  for (any_memory* m : {&sum.left, &sum.right}) write_any(any_type::f64, 1, m->bytes.data());
  const any_on_gpu on(sum);
  device::queue_any(any_work_of(sum.form, sum.types, {}, on.arguments(), 1), nullptr);
  CHECK(read_any(any_type::f64, on.found().data()).real() == (long double)(count));

  // So many outputs, left(i mod 7) with strides 0, by single threads and by tiles.
  general_form form;
  form.rows = {2, {{7, 1, 0, 1}, {count / 7, 0, 0, 7}}};
  form.cols = {1, {{2, 0, 1, count}}};
  constexpr index_t all = 2 * count;
  const any_case of = product_of(7, 2, 1, any_type::f64);
  const any_on_gpu small(of);
  for (const any_way way : {any_way::single, any_way::small_tiles}) {
    const buffer out(space_kind::gpu, std::size_t(all) * sizeof(short));
    device::general_arguments with = small.arguments();
    with.out = out.data();
    const device::any_types types{.out = any_type::i16};
    const device::any_work work = any_work_of(form, types, {}, with, 1, way);
    CHECK(work.wide);
    device::queue_any(work, nullptr);
    for (const index_t col : {0, 1})
      for (const index_t row : {index_t(3), (index_t(1) << 31) + 1, (index_t(1) << 32) - 2}) {
        short found = 0;
        copy_memory(&found, static_cast<const short*>(out.data()) + row + col * count, sizeof(found));
        CHECK(found == (of.left.read(row % 7) * of.right.read(col)).real());
      }
  }
}
