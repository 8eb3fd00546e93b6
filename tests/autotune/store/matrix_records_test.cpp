// SPDX-License-Identifier: BSD-3-Clause
// Records of element matrices: written and read, and the shipped file as the tuner reads it.
#include <tessera/detail/element/matrix_choice.hpp>

#include <algorithm>

#include "space/as_config.hpp"
#include "space/matrix_space.hpp"
#include "store/record_json.hpp"
#include "testing/catch.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;

namespace {

record matrix_record(int p, matrix_storage how, bool either = false) {
  record r = sample_record(3);
  r.of = {.on = target::cuda,
          .in = memory_regime::stream,
          .element = element_case{
              .kind = operator_kind::diffusion, .dim = 3, .p = p, .q = p + 2, .matrices = how, .either = either}};
  r.winner = as_config(matrix_tuning{.way = matrix_way::halves, .threads = 384, .waves = 1, .along = 1});
  r.runner_up = as_config(matrix_tuning{.way = matrix_way::strips, .staged = 1});
  return r;
}

}  // namespace

TEST_CASE("records of element matrices come back as they were written", "[store][element]") {
  const scratch_folder folder;
  record_file f = sample_file();
  f.family = "matrix";
  f.device = "NVIDIA H200";
  f.target = "cuda";
  f.compute_capability = "9.0";
  f.records = {matrix_record(2, matrix_storage::full), matrix_record(2, matrix_storage::lower_packed),
               matrix_record(2, matrix_storage::full, true)};
  CHECK(file_name_for(f) == "nvidia_h200-cuda-matrix.json");
  write_records(f, (folder / "r.json").string());
  const record_file g = read_records((folder / "r.json").string());
  CHECK(g.family == "matrix");
  REQUIRE(g.records.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(g.records[i].of == f.records[i].of);
    CHECK(g.records[i].winner == f.records[i].winner);
    CHECK(g.records[i].runner_up == f.records[i].runner_up);
  }
  CHECK(merged(g, f).records.size() == 3);
  const std::string text = text_of_file((folder / "r.json").string());
  CHECK(text.find("\"storage\":\"lower_packed\"") != std::string::npos);
  CHECK(text.find("\"way\":\"halves\"") != std::string::npos);
  write_t4(g, (folder / "t4.json").string());
  CHECK(text_of_file((folder / "t4.json").string()).find("\"strips\"") != std::string::npos);
}

TEST_CASE("the tuner reads the shipped matrix records as the build does", "[store][element]") {
  const record_file f = read_records(TESSERA_RECORDS_FOLDER "/nvidia_h200-cuda-matrix.json");
  CHECK(f.family == "matrix");
  CHECK(f.records.size() == matrix_records().size());
  for (const record& r : f.records) {
    INFO(key_of(r.of));
    const jit_matrix what = jit_matrix_of(r.of, r.winner);
    CHECK(std::string(why_unfit(what.of, what.tuning)).empty());
    CHECK(std::any_of(matrix_records().begin(), matrix_records().end(), [&](const tuned_matrix& one) {
      return one.tuning == what.tuning && one.of.dim == what.of.dim && one.of.trial == what.of.trial &&
             one.of.points == what.of.points;
    }));
  }
}
