// SPDX-License-Identifier: BSD-3-Clause
// Machine code is compared by what it does, not by what it is called or where it lies.
#include "restamp/compared_code.hpp"

#include "small_objects.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

code_comparison compared(const std::string& former, const std::string& latter) {
  return compared_code({read_object(object_of(former), "a.o")}, {read_object(object_of(latter), "a.o")});
}

bool are_same(const std::string& former, const std::string& latter) { return compared(former, latter).same(); }

}  // namespace

TEST_CASE("machine code: other names, the same code", "[tune][restamp]") {
  const code_comparison same = compared(kernel_source("run_direct"), kernel_source("direct_products_of_all"));
  CHECK(same.same());
  CHECK(same.objects == 1);
  CHECK(same.functions == 3);
  CHECK(same.data >= 2);  // the factor, the table
  CHECK(same.renamed == 0);
}

TEST_CASE("machine code: a constant, an instruction or the called function differs", "[tune][restamp]") {
  const std::string before = kernel_source("run");
  CHECK_FALSE(are_same(before, kernel_source("run", "5.0")));
  CHECK_FALSE(are_same(before, kernel_source("run", "x[0]")));
  const code_comparison other = compared(before, kernel_source("run", "3.0", "second"));
  REQUIRE(other.differences.size() == 1);
  CHECK(other.differences[0].starts_with("a.o: "));
}

TEST_CASE("machine code: functions in another order are the same", "[tune][restamp]") {
  const std::string one = "double one(const double* x) { return x[0] + x[1]; }\n",
                    two = "double two(const double* x) { return x[0] * x[2] - x[1]; }\n";
  CHECK(are_same(one + two, two + one));
  CHECK_FALSE(are_same(one + two, one));
  CHECK_FALSE(are_same(one, one + two));
}

TEST_CASE("machine code: functions of other objects count by name where both builds name them", "[tune][restamp]") {
  const auto calls = [](const std::string& name, const std::string& other) {
    return "double " + name + "(double); double " + other + "(double);\n" + "double call(double x) { return " + name +
           "(x) + 1; }\ndouble again(double x) { return " + other + "(x) * 2; }\n";
  };
  const code_comparison renamed = compared(calls("former", "kept"), calls("latter", "kept"));
  CHECK(renamed.same());
  CHECK(renamed.renamed == 1);
  CHECK_FALSE(are_same(calls("one", "two"), calls("two", "one")));
}

TEST_CASE("machine code: what cannot be compared is refused", "[tune][restamp]") {
  const object_code good = read_object(object_of(kernel_source("run")), "a.o");
  object_code other = good;
  other.compiler = "another 1.0";
  check_failure(status::invalid_argument, {"a.o", "another 1.0"}, [&] { compared_code({good}, {other}); });
  other = good;
  other.machine = good.machine == 62 ? 183 : 62;
  check_failure(status::invalid_argument, {"other processors"}, [&] { compared_code({good}, {other}); });
  check_failure(status::invalid_argument, {"no functions"}, [] { compared_code({}, {}); });
  CHECK_FALSE(compared_code({good}, {}).same());
}

TEST_CASE("machine code: broken objects are refused, however they end", "[tune][restamp]") {
  const std::string whole = object_of(kernel_source("run"));
  check_failure(status::invalid_argument, {"a.o: no ELF object", "-flto"}, [] { read_object("BC\xc0\xde", "a.o"); });
  std::string other = whole;
  other[18] = 3;  // i386
  check_failure(status::invalid_argument, {"x86-64, aarch64 or CUDA"}, [&] { read_object(other, "a.o"); });
  int refused = 0;
  for (std::size_t size = 4; size < whole.size(); size += 16) try {
      read_object(std::string_view(whole).substr(0, size), "a.o");
    } catch (const error&) {
      ++refused;
    }
  CHECK(refused > 0);
  for (std::size_t at = 16; at < whole.size(); ++at) {  // whatever a byte is: read or refused
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0xff);
    try {
      hashes_of(read_object(damaged, "a.o"), {});
    } catch (const error&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
}
