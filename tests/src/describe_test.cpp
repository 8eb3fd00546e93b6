// SPDX-License-Identifier: BSD-3-Clause
// describe() says what runs and why: contraction, canonical form, sizes, target, row and reason.
#include <tessera/batch.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/plan.hpp>

#include <string>

#include "testing/catch.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

std::string described(const char* text, auto a_layout, auto x_layout, auto y_layout, target where) {
  auto a = make_tensor<double>(a_layout);
  auto x = make_batch<double>(x_layout, 3);
  auto y = make_batch<double>(y_layout, 3);
  const plan p = make_plan(contraction(text), a, x, y, on(where));
  CHECK(p.where() == where);
  CHECK(p.describe().find(p.row()) != std::string::npos);
  return p.describe();
}

void check_words(const std::string& text, std::initializer_list<const char*> words) {
  INFO(text);
  for (const char* word : words) {
    INFO("must say: " << word);
    CHECK(text.find(word) != std::string::npos);
  }
}

// Numbers without any symmetry.
std::vector<double> made_up(int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(1.0 / (i + 1));
  return all;
}

void check_names_source(const evaluation<double>& A) {
  const std::string brief = A.describe(detail_level::brief);
  INFO(brief << "\n" << A.describe());
  CHECK(brief.find('\n') == std::string::npos);
  const std::size_t at = brief.find("; tuning");
  REQUIRE(at != std::string::npos);
  const std::string source = brief.substr(at);
  CHECK((source.find(": default") != std::string::npos || source.find(": record ") != std::string::npos));
  CHECK(A.describe().find(source.find("record") != std::string::npos ? "record" : "default") != std::string::npos);
}

}  // namespace

TEST_CASE("a description names contraction, form, sizes, target, row and reason", "[describe]") {
  for (target where : cpu_targets()) {
    const std::string name = name_of(where);
    check_words(described("kj,jbc->kbc", of_size(5, 2), of_size(2, 3, 4), of_size(5, 3, 4), where),
                {"\"kj,jbc->kbc\"", "5x2, 2x3x4 -> 5x3x4", "(8a)", "5 rows", "12 columns", "sum of 2", "1 loop steps",
                 ("runs on " + name).c_str(), "because: "});
    check_words(described("kj,ajc->akc", of_size(5, 2), of_size(3, 2, 4), of_size(3, 5, 4), where),
                {"(8b)", "4 loop steps"});
    check_words(described("ab,ab->ab", of_size(5, 2), of_size(5, 2), of_size(5, 2), where), {"(pointwise)", "10 rows"});
    check_words(described("ij,jk->ik", tile_by<2, 2>(of_size(5, 3)), of_size(3, 4), of_size(5, 4), where),
                {"1 operand(s) addressed by table"});
  }
}

TEST_CASE("the reason tells a missing record from operands that do not fit it", "[describe]") {
  check_words(described("ij,jk->ik", of_size(5, 3), of_size(3, 4), of_size(5, 4), target::reference),
              {"reference", "plain loops"});
  for (target where : cpu_targets()) {
    if (where == target::reference) continue;
    // 4 x 4 has a row in every build; 31 x 29 x 27 has none.
    const std::string exact = described("ij,jk->ik", of_size(4, 4), of_size(4, 4), of_size(4, 4), where);
    check_words(exact, {"gemm f64 4x4x4", "because: "});
    CHECK(exact.find("no record for these sizes\n") == std::string::npos);
    CHECK(exact.find("generic") == std::string::npos);
    check_words(described("ij,jk->ik", of_size(31, 27), of_size(27, 29), of_size(31, 29), where),
                {"generic", "no record"});
    check_words(described("ij,jk->ik", of_size(4, 4), of_size(4, 4), row_major(of_size(4, 4)), where),
                {"generic", "packed"});
    // A table that all products share may lie in any way.
    check_words(described("ij,jk->ik", row_major(of_size(4, 4)), of_size(4, 4), of_size(4, 4), where),
                {"gemm f64 4x4x4"});
  }
}

TEST_CASE("a brief description is one line: the kernel, and where its tuning comes from", "[describe]") {
  auto a = make_tensor<double>(of_size(4, 4));
  auto x = make_batch<double>(of_size(4, 4), 3), y = make_batch<double>(of_size(4, 4), 3);
  for (target where : cpu_targets()) {
    const plan p = make_plan(contraction("ij,jk->ik"), a, x, y, on(where));
    const std::string brief = p.describe(detail_level::brief), full = p.describe();
    INFO(brief << "\n" << full);
    CHECK(brief.find('\n') == std::string::npos);
    const std::string kernel = p.row() + " on " + name_of(where) + ": ";
    REQUIRE(brief.starts_with(kernel));
    CHECK(full.find("because: " + brief.substr(kernel.size())) != std::string::npos);
    CHECK(full == p.describe(detail_level::full));
  }
}

TEST_CASE("a brief description of every kind of element operator names the source of its tuning",
          "[describe][element]") {
  constexpr int d = 3, q = 4;
  for (const target where : cpu_targets())
    for (const operator_kind kind : all_operator_kinds)
      for (const int dim : {2, 3}) {
        INFO(name_of(kind) << " " << dim << "-D on " << name_of(where));
        evaluation_spec s{.kind = kind, .dim = dim, .trial = d, .points = q};
        s.components = coupled_components(kind, dim);
        s.interpolate = made_up(q * d);
        s.differentiate = made_up(q * q);
        s.on = where;
        check_names_source(evaluation<double>(s));
        s.gradients = made_up(q * d);
        check_names_source(evaluation<double>(s));
        s.run = element_run{};
        CHECK(evaluation<double>(s).describe(detail_level::brief).ends_with("; tuning: as given"));
        dense_evaluation_spec dense{.kind = kind, .dim = dim, .components = s.components, .points = q};
        dense.trial = {d, made_up(q * d), made_up(q * d * dim)};
        dense.on = where;
        check_names_source(evaluation<double>(dense));
      }
}

TEST_CASE("a brief description of a user's function names the source of its tuning", "[describe][element]") {
  compiled_function<double> own{.dim = 2, .factors = 1};
  own.trial = own.test = {.components = 1, .value = true, .gradient = false};
  own.at_points = [](const points_block<double>&, const void*) {};
  evaluation_spec s{.trial = 3, .points = 4};
  s.interpolate = made_up(12);
  check_names_source(evaluation<double>(s, own));
  dense_evaluation_spec dense{.points = 4};
  dense.trial = {3, made_up(12), {}};
  check_names_source(evaluation<double>(dense, own));
}

TEST_CASE("describing does not depend on the number of threads", "[describe]") {
  auto a = make_tensor<float>(of_size(5, 3));
  auto x = make_batch<float>(of_size(3, 4), 3), y = make_batch<float>(of_size(5, 4), 3);
  const contraction what("ij,jk->ik");
  const target best = default_cpu_target();
  CHECK(make_plan(what, a, x, y, on(best, 1)).describe() == make_plan(what, a, x, y, on(best, 2)).describe());
}
