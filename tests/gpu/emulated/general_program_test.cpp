// SPDX-License-Identifier: BSD-3-Clause
// Kernels of general contractions on the host: what NVRTC compiles on a GPU, with functions in the place of its
// instructions, exact in integers.
#include <set>
#include <sstream>

#include "kernel.hpp"
#include "kernel_cases.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// The numbers of a kernel's general_numbers, by their order in it.
std::vector<int> numbers_in(const std::string& name) {
  const std::string before = "general_numbers{";
  std::istringstream text(name.substr(name.find(before) + before.size()));
  std::vector<int> found;
  char comma = 0;
  for (int value = 0; text >> value; text >> comma) found.push_back(value);
  return found;
}

}  // namespace

TEST_CASE("gpu general programs: results on the host", "[general]") {
  const std::vector<kernel_case> cases = kernel_cases();
  const std::vector<emulated_kernel> kernels = emulated_kernels();
  REQUIRE(kernels.size() == cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const kernel_case& c = cases[i];
    const device::general_code made = device::general_source(c.of.form, c.kind, c.tile);
    INFO("case " << i << ": " << text_of(c.kind) << ", " << c.of.text() << "; " << text_of(c.tile, c.of.form));
    for (const std::size_t variant : {0, 1}) REQUIRE(made.source.kernels[variant] == kernels[i].name[variant]);
    const std::vector<char> wanted = c.of.after();
    for (const index_t shift : {0, 1})
      for (const bool backwards : {false, true})
        for (const bool late : {false, true}) {
          INFO("from entry " << shift << (backwards ? ", last thread first" : "") << (late ? ", late copies" : ""));
          CHECK(run_emulated(c, kernels[i], made, shift, backwards ? 1 : 2, {backwards, late}, wanted).wrong == 0);
        }
  }
}

TEST_CASE("gpu general programs: the kernels on the host are of every sort", "[general]") {
  std::set<std::string> sorts;
  for (const emulated_kernel& kernel : emulated_kernels())
    for (const std::string name : kernel.name) {
      const std::vector<int> numbers = numbers_in(name);
      REQUIRE(numbers.size() == 11);
      const std::size_t way = name.find("way::") + 5;
      const std::string by = name.substr(way, name.find(',', way) - way);
      sorts.insert(by);
      sorts.insert(by + " " + std::to_string(numbers[2]) + "x" + std::to_string(numbers[3]));
      sorts.insert(by + " depth " + std::to_string(numbers[4]));
      sorts.insert(std::to_string(numbers[5]) + " stages");
      sorts.insert(std::to_string(numbers[6]) + " splits");
      if (numbers[10] > 1) sorts.insert(by + (numbers[2] * numbers[3] == 1 ? " of lanes in parts" : " in parts"));
      sorts.insert(by + " out " + std::to_string(numbers[7]));
      if (const std::size_t second = name.find("second_matrix"); second != std::string::npos)
        sorts.insert(by + " and a matrix " + (name.find("true", second) != std::string::npos ? "down" : "across"));
      for (const char* place : {"place::none", "place::out", "place::own"})
        if (name.find(place) != std::string::npos) sorts.insert(place);
    }
  for (const char* wanted : {"f64",
                             "tf32",
                             "three_tf32",
                             "halves",
                             "fma 8x4",
                             "fma 4x8",
                             "fma 2x16",
                             "fma 16x2",
                             "fma 1x1",
                             "f64 in parts",
                             "halves in parts",
                             "fma in parts",
                             "fma of lanes in parts",
                             "f64 depth 4",
                             "f64 depth 8",
                             "tf32 depth 4",
                             "three_tf32 depth 8",
                             "halves depth 8",
                             "halves depth 16",
                             "1 stages",
                             "2 stages",
                             "3 stages",
                             "4 stages",
                             "1 splits",
                             "2 splits",
                             "3 splits",
                             "4 splits",
                             "f64 out 1",
                             "f64 out 2",
                             "three_tf32 out 2",
                             "halves out 1",
                             "halves out 2",
                             "halves out 4",
                             "halves out 8",
                             "fma out 1",
                             "fma out 2",
                             "fma out 4",
                             "f64 and a matrix across",
                             "fma and a matrix across",
                             "fma and a matrix down",
                             "place::none",
                             "place::out",
                             "place::own"}) {
    INFO(wanted);
    CHECK(sorts.contains(wanted));
  }
}
