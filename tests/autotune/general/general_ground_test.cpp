// SPDX-License-Identifier: BSD-3-Clause
// Checks of kernels in host memory: right ones pass in every type, and each kind of wrong one is found.
#include "general/general_ground.hpp"

#include <cstring>

#include "general/general_case.hpp"
#include "general/general_json.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

constexpr std::size_t plenty = std::size_t(1) << 28;

general_problem problem_of_case(const std::string& type, const char* einsum = "aeb,bdce->acde") {
  options o;
  o.einsum = einsum;
  o.extents = "a=5,b=6,c=3,d=4,e=2";
  o.types = type;
  const general_case c = general_cases_from(o).at(0);
  general_problem of;
  of.form = c.form;
  of.kind = c.kind;
  std::copy_n(c.entries, 3, of.entries);
  return of;
}

struct place_in_form {
  index_t left = 0, right = 0, out = 0;
};
// Calls f with the places of every combination of the lists' indices.
template <class F>
void each_index(const std::vector<const general_digits*>& lists, F f) {
  std::vector<general_digit> all;
  for (const general_digits* list : lists) all.insert(all.end(), list->at, list->at + list->count);
  std::vector<index_t> index(all.size(), 0);
  for (;;) {
    place_in_form at;
    for (std::size_t i = 0; i < all.size(); ++i) {
      at.left += index[i] * all[i].left;
      at.right += index[i] * all[i].right;
      at.out += index[i] * all[i].out;
    }
    f(at);
    std::size_t i = 0;
    while (i < all.size() && ++index[i] == all[i].extent) index[i++] = 0;
    if (i == all.size()) return;
  }
}

// Plain loops by the form, in double.
general_call plain(const general_problem& of) {
  return [of](const void* left, const void* right, void* out) {
    const general_form& f = of.form;
    each_index({&f.rows, &f.cols, &f.batch}, [&](const place_in_form& at) {
      complex<double> sum = 0;
      each_index({&f.inner}, [&](const place_in_form& in) {
        sum += value_in(of.kind.left, static_cast<const std::byte*>(left), std::size_t(at.left + in.left)) *
               value_in(of.kind.right, static_cast<const std::byte*>(right), std::size_t(at.right + in.right));
      });
      const std::size_t entry = size_of(of.kind.out);
      std::byte* const to = static_cast<std::byte*>(out) + std::size_t(at.out) * entry;
      switch (of.kind.out) {
        case scalar_type::f64: return void(std::memcpy(to, &sum.re, 8));
        case scalar_type::c64: return void(std::memcpy(to, &sum, 16));
        case scalar_type::c32: {
          const complex<float> narrow(sum);
          return void(std::memcpy(to, &narrow, 8));
        }
        case scalar_type::f32: {
          const auto narrow = float(sum.re);
          return void(std::memcpy(to, &narrow, 4));
        }
        case scalar_type::f16: {
          const half narrow(float(sum.re));
          return void(std::memcpy(to, &narrow, 2));
        }
        default: {
          const bfloat16 narrow(float(sum.re));
          return void(std::memcpy(to, &narrow, 2));
        }
      }
    });
  };
}

// Right, but for one entry.
general_call wrong_at(const general_problem& of, std::size_t position, double error) {
  return [of, position, error](const void* left, const void* right, void* out) {
    plain(of)(left, right, out);
    static_cast<double*>(out)[position] += error;
  };
}

}  // namespace

TEST_CASE("general ground: plain loops are right in every type and layout", "[tune]") {
  for (const char* type : {"f64", "f32", "tf32", "3xtf32", "f16", "bf16", "c32", "c64"})
    for (const char* einsum :
         {"aeb,bdce->acde", "ab,cbd->adc", "bade,ceb->ecda", "ab,cd->abcd", "abc,abc->", "ab,b->a"}) {
      const general_problem of = [&] {
        options o;
        o.einsum = einsum;
        for (const char letter : {'a', 'b', 'c', 'd', 'e'})
          if (std::string(einsum).find(letter) != std::string::npos)
            o.extents +=
                (o.extents.empty() ? "" : ",") + std::string(1, letter) + "=" + std::to_string(letter - 'a' + 3);
        o.types = type;
        const general_case c = general_cases_from(o).at(0);
        general_problem p;
        p.form = c.form;
        p.kind = c.kind;
        std::copy_n(c.entries, 3, p.entries);
        return p;
      }();
      INFO(type << ", " << einsum);
      general_ground ground(of, space_kind::cpu, 0, plenty);
      CHECK(ground.check(plain(of)).fault.empty());
      CHECK(ground.check(plain(of)).fault.empty());
    }
}

TEST_CASE("general ground: faults are found", "[tune]") {
  const general_problem of = problem_of_case("f64");
  REQUIRE(of.entries[2] == 120);
  general_ground ground(of, space_kind::cpu, 0, plenty);
  CHECK(ground.check([](const void*, const void*, void*) {}).fault.find("entry 0 ") == 0);  // writes nothing
  CHECK(ground.check(wrong_at(of, 0, 1)).fault.find("entry 0 of the output is ") == 0);
  CHECK(ground.check(wrong_at(of, 119, 1e-9)).fault.find("entry 119 ") == 0);
  const general_ground::verdict right = ground.check(plain(of));
  CHECK(right.fault.empty());
  CHECK_FALSE(right.other_was_wrong);
}

TEST_CASE("general ground: what samples miss, another tile's result shows", "[tune]") {
  // So many entries that samples are few of them.
  options o;
  o.einsum = "ab,bc->ac";
  o.extents = "a=700,b=3,c=700";
  const general_case c = general_cases_from(o).at(0);
  general_problem of;
  of.form = c.form;
  of.kind = c.kind;
  std::copy_n(c.entries, 3, of.entries);
  constexpr std::size_t missed = 3;
  {
    general_ground ground(of, space_kind::cpu, 0, plenty);
    REQUIRE(ground.check(plain(of)).fault.empty());
    CHECK(ground.check(wrong_at(of, missed, 1)).fault.find("entry 3 ") == 0);
  }
  general_ground ground(of, space_kind::cpu, 0, plenty);
  REQUIRE(ground.check(wrong_at(of, missed, 1)).fault.empty());  // nothing to compare with
  const general_ground::verdict second = ground.check(plain(of));
  CHECK(second.fault.empty());
  CHECK(second.other_was_wrong);
  CHECK(ground.check(wrong_at(of, missed, 1)).fault.find("entry 3 ") == 0);
}

TEST_CASE("general ground: as many copies as caches make necessary and memory allows", "[tune]") {
  const general_problem of = problem_of_case("f64");
  constexpr std::size_t one = 512 + 1280 + 1024;  // 60, 144 and 120 entries, in whole blocks of 256 bytes
  CHECK(general_ground(of, space_kind::cpu, 0, plenty).copies() == 2);
  CHECK(general_ground(of, space_kind::cpu, 10 * one, plenty).copies() == 10);
  CHECK(general_ground(of, space_kind::cpu, 10 * one, 7 * one).copies() == 7);
  CHECK(general_ground(of, space_kind::cpu, 10 * one, one).copies() == 1);
  CHECK(general_ground(of, space_kind::cpu, 100000 * one, plenty).copies() == 64);
  tessera::testing::check_failure(status::out_of_memory, {"MiB"},
                                  [&] { general_ground(of, space_kind::cpu, 0, one - 1); });
}

TEST_CASE("general values: integers have no 0 and are exact in every type", "[tune]") {
  int of_value[9]{};
  for (std::uint64_t i = 0; i < 8000; ++i) {
    const double value = filled_value(filling::integers, scalar_type::f64, 1, i).re;
    REQUIRE((value == double(int(value)) && value >= -4 && value <= 4));
    ++of_value[int(value) + 4];
    REQUIRE(rounded_to(scalar_type::bf16, value).re == value);
    REQUIRE(rounded_to(scalar_type::f16, value).re == value);
  }
  CHECK(of_value[4] == 0);
  for (const int at : {0, 1, 2, 3, 5, 6, 7, 8}) CHECK((of_value[at] > 850 && of_value[at] < 1150));
  const auto entries = filled_entries(filling::numbers, scalar_type::c32, 2, 10);
  REQUIRE(entries.size() == 80);
  for (std::uint64_t i = 0; i < 10; ++i)
    CHECK(value_in(scalar_type::c32, entries.data(), i) ==
          rounded_to(scalar_type::c32, filled_value(filling::numbers, scalar_type::c32, 2, i)));
}

TEST_CASE("general requests: contractions and tiles go to the worker and back", "[tune]") {
  const general_problem of = problem_of_case("f16", "bade,ceb->ecda");
  const general_problem back = problem_in(problem_json(of));
  CHECK(problem_json(back) == problem_json(of));
  CHECK((back.kind == of.kind && back.entries[1] == of.entries[1]));
  CHECK(back.form.rows.at[0].left == of.form.rows.at[0].left);
  detail::general_tile tile;
  tile.exchanged = true;
  for (int i = 0; i < of.form.rows.count; ++i) tile.rows[i] = i + 1;
  for (int i = 0; i < of.form.cols.count; ++i) tile.cols[i] = i + 2;
  for (int i = 0; i < of.form.inner.count; ++i) tile.inner[i] = i + 3;
  tile.warps_across = 4, tile.stages = 2, tile.splits = 8;
  CHECK(config_of(tile_in(tile_json(tile, of.form), of.form), of.form) == config_of(tile, of.form));
}
