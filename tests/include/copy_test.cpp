// SPDX-License-Identifier: BSD-3-Clause
// Copies on the host: as a block, between layouts, and what is refused before anything is written.
#include <tessera/copy.hpp>
#include <tessera/target.hpp>

#include <algorithm>
#include <vector>

#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/scattered.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using tessera::testing::check_failure;
using tessera::testing::fill_integers;
using tessera::testing::read;

namespace {

// Copies between two layouts and back, with a canary in the gaps of the destination.
template <class From, class To>
void check_copy_between(const From& from, const To& to, index_t count) {
  std::vector<double> source(2000, -77), target(2000, -99), back(2000, -55);
  const auto a = view_batch(source.data() + 1, from, count);
  const auto b = view_batch(target.data() + 3, to, count);
  const auto c = view_batch(back.data(), from, count);
  fill_integers(a, 5);
  copy(a, b);
  CHECK(read(a).value == read(b).value);
  const auto canaries = std::count(target.begin(), target.end(), -99);
  CHECK(canaries == index_t(target.size()) - a.extents().size() * count);
  copy(b, c);
  CHECK(read(a).value == read(c).value);
}

}  // namespace

TEST_CASE("a copy keeps entries whatever the layouts", "[copy]") {
  for (index_t count : {0, 1, 3, 4, 7, 8}) {
    check_copy_between(column_major(of_size(5, 3)), column_major(of_size<5, 3>()), count);
    check_copy_between(column_major(of_size(5, 3)), row_major(of_size(5, 3)), count);
    check_copy_between(row_major(of_size(5, 3), 4), tile_by<2, 2>(of_size(5, 3)), count);
    check_copy_between(pad_to<8>(of_size(5, 3)), pad_to<8>(of_size(5, 3)), count);
    check_copy_between(column_major(of_size(5, 3)), interleave<4>(of_size(5, 3)), count);
    check_copy_between(interleave<4>(of_size(5, 3)), interleave<8>(row_major(of_size(5, 3))), count);
    check_copy_between(interleave<4>(of_size(5, 3)), interleave<4>(of_size(5, 3)), count);
    check_copy_between(interleave<2>(tile_by<2, 2>(of_size(5, 3))), column_major(of_size(5, 3)), count);
  }
}

TEST_CASE("a copy from a shared tensor of a batch view spreads it", "[copy]") {
  std::vector<float> one(6), many(18);
  const auto shared = view_batch(one.data(), of_size(2, 3), 3, 0);
  fill_integers(view(one.data(), of_size(2, 3)), 1);
  copy(shared, view_batch(many.data(), of_size(2, 3), 3));
  for (std::size_t i = 0; i < many.size(); ++i) CHECK(many[i] == one[i % 6]);
}

TEST_CASE("tensors and batches of any scalar type are copied", "[copy]") {
  auto a = make_tensor<float>(of_size<5, 3>());
  tensor<float> b(of_size(5, 3));
  fill_integers(a.view(), 2);
  copy(a, b);
  CHECK(std::equal(a.begin(), a.end(), b.begin()));
  auto whole = make_batch<int>(of_size(2, 2), 3);
  auto same = make_batch<int>(row_major(of_size(2, 2)), 3);
  fill_integers(whole.view(), 3);
  copy(whole, same);
  CHECK(read(whole.view()).value == read(same.view()).value);
  CHECK(same.data()[1] == whole.data()[2]);
}

TEST_CASE("groups copy member by member, to and from batches", "[copy]") {
  auto b = make_batch<double>(of_size(5, 3), 4);
  fill_integers(b.view(), 3);
  testing::scattered<double, column_major<extents<dynamic, dynamic>>> apart(b.layout(), 4);
  copy(b, apart.group());
  CHECK(apart.equals(b.view()));
  auto back = make_batch<double>(row_major(of_size(5, 3)), 4);
  copy(apart.group(), back);
  CHECK(read(back.view()).value == read(b.view()).value);
  check_failure(status::shape_mismatch, {"copy", "group of 3", "batch of 4"},
                [&] { copy(view_group(apart.pointers().data(), of_size(5, 3), 3), b); });
  auto pointers = apart.pointers();
  pointers[2] = pointers[0];
  check_failure(status::overlap, {"copy", "group of 4"},
                [&] { copy(b, view_group(pointers.data(), of_size(5, 3), 4)); });
  check_failure(status::overlap, {"copy", "overlaps"},
                [&] { copy(view_batch(pointers[3], of_size(5, 3), 4), apart.group()); });
  check_failure(status::wrong_space, {"copy", "group of 4", "gpu"},
                [&] { copy(view_group(gpu, pointers.data(), of_size(5, 3), 4), b); });
  CHECK(apart.equals(b.view()));
}

TEST_CASE("a copy between host operands ignores a stream", "[copy]") {
  auto a = make_batch<double>(of_size(5, 3), 4), b = make_batch<double>(of_size(5, 3), 4);
  fill_integers(a.view(), 4);
  copy(a, b, stream_view{});
  CHECK(read(a.view()).value == read(b.view()).value);
}

TEST_CASE("a copy that does not fit is refused and writes nothing", "[copy]") {
  std::vector<double> memory(100, 1), target(100, -99);
  double* const p = memory.data();
  double* const q = target.data();
  check_failure(status::shape_mismatch, {"copy", "5x3", "3x5"},
                [&] { copy(view(p, of_size(5, 3)), view(q, of_size(3, 5))); });
  check_failure(status::shape_mismatch, {"copy", "5x3", "15"},
                [&] { copy(operand_of(view(p, of_size(5, 3))), view(q, of_size(15))); });
  check_failure(status::shape_mismatch, {"copy", "batch of 4", "batch of 5"},
                [&] { copy(view_batch(p, of_size(5, 3), 4), view_batch(q, of_size(5, 3), 5)); });
  check_failure(status::wrong_type, {"copy", "f64 5x3", "f32 5x3"}, [&] {
    std::vector<float> other(15);
    copy(view(p, of_size(5, 3)), view(other.data(), of_size(5, 3)));
  });
  check_failure(status::invalid_argument, {"copy", "const", "5x3"}, [&] {
    const double* fixed = q;
    copy(view(p, of_size(5, 3)), view(fixed, of_size(5, 3)));
  });
  // A view made empty-handed: the library's own factories do not let one pass.
  check_failure(status::null_pointer, {"copy", "5x3"}, [&] {
    operand nothing = operand_of(view(p, of_size(5, 3)));
    nothing.data = nullptr;
    copy(nothing, view(q, of_size(5, 3)));
  });
  CHECK(std::count(target.begin(), target.end(), -99) == 100);
}

TEST_CASE("without a GPU, a copy from device memory is an error and writes nothing", "[copy]") {
  if (is_available(target::cuda)) return testing::skip("this machine has a GPU");
  std::vector<double> memory(30, 1), target(30, -99);
  check_failure(status::no_device, {"copy", "f64 5x3 (gpu) to f64 5x3 (cpu)"},
                [&] { copy(view(gpu, memory.data(), of_size(5, 3)), view(target.data(), of_size(5, 3))); });
  check_failure(status::no_device, {"copy", "f64 5x3 (gpu) to f64 5x3 (cpu)"},
                [&] { copy(view(gpu, memory.data(), of_size(5, 3)), view(target.data(), row_major(of_size(5, 3)))); });
  CHECK(std::count(target.begin(), target.end(), -99) == 30);
}

TEST_CASE("a copy onto itself or across itself", "[copy]") {
  std::vector<double> memory(30);
  fill_integers(view(memory.data(), of_size(30)), 6);
  const std::vector<double> before = memory;
  copy(view(memory.data(), of_size(5, 3)), view(memory.data(), of_size(5, 3)));
  CHECK(memory == before);
  check_failure(status::overlap, {"copy", "5x3"},
                [&] { copy(view(memory.data(), of_size(5, 3)), view(memory.data() + 1, of_size(5, 3))); });
  check_failure(status::overlap, {"copy", "3x3"},
                [&] { copy(view(memory.data(), of_size(3, 3)), view(memory.data(), row_major(of_size(3, 3)))); });
  check_failure(status::overlap, {"copy", "5x3"}, [&] {
    copy(view_batch(memory.data(), of_size(5, 3), 2), view_batch(memory.data(), of_size(5, 3), 2, 0));
  });
  CHECK(memory == before);
}
