// SPDX-License-Identifier: BSD-3-Clause
// Which record a general contraction takes: its own, the nearest one that the model agrees with, or none.
#include <tessera/detail/general_records.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <tessera/detail/general_candidates.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/tuning_records.hpp>

#include "general/gpu_rates.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/given_records.hpp"
#include "testing/says.hpp"

using namespace tessera;
using namespace tessera::testing;
using detail::general_choice;
using detail::general_kind;
using detail::general_tile;
using detail::tuned_general;

namespace {

constexpr const char* h200 = "NVIDIA H200";
constexpr const char* f64 = "f64 by tensor cores";

// "aed,dbc->abce" of these extents.
general_form form_of_extents(index_t a, index_t b, index_t c, index_t d, index_t e,
                             const char* text = "aed,dbc->abce") {
  const index_t extent_of[] = {a, b, c, d, e};
  const einsum parsed = parse_einsum(text);
  operand_facts facts[max_inputs + 1];
  for (const int o : {0, 1, output}) {
    facts[o].rank = parsed.operand[o].rank;
    index_t stride = 1;
    for (int i = 0; i < facts[o].rank; ++i) {
      facts[o].extent[i] = extent_of[parsed.operand[o].letter[i] - 'a'];
      facts[o].stride[i] = stride;
      stride *= facts[o].extent[i];
    }
  }
  return lower_general(parsed, facts);
}

general_tile models_first(const general_form& form) {
  return candidates_of(form, detail::rates_of_h200).found.front().tile;
}

std::optional<general_choice> chosen_from(const std::vector<tuned_general>& records, const general_form& form,
                                          const general_kind& kind = {}, const char* device = h200) {
  return choose_general(records, form, kind, device, detail::rates_of_device(device));
}

}  // namespace

TEST_CASE("general records: a form's own record is taken whatever the model says") {
  const general_form form = form_of_extents(96, 40, 30, 64, 20);
  general_tile slow = models_first(form);
  slow.rows[0] = 1;  // the model would never choose it
  const std::vector<tuned_general> records{{f64, h200, false, form, slow},
                                           {f64, h200, false, form_of_extents(96, 40, 30, 64, 21), models_first(form)}};
  REQUIRE(cost_of(slow, form, detail::rates_of_h200).seconds >
          2 * cost_of(models_first(form), form, detail::rates_of_h200).seconds);
  const auto own = chosen_from(records, form);
  REQUIRE(own);
  CHECK(own->from == &records[0]);
  CHECK(own->distance == 0);
  CHECK(own->tile.rows[0] == 1);
  // The record of another GPU has to please the model.
  const auto elsewhere = chosen_from({records[0]}, form, {}, "NVIDIA H100");
  CHECK_FALSE(elsewhere);
}

TEST_CASE("general records: two sizes have tiles of their own, and others take the nearer one, clipped") {
  const general_form small = form_of_extents(24, 16, 10, 32, 8), large = form_of_extents(192, 64, 40, 256, 48);
  const std::vector<tuned_general> records{{f64, h200, false, small, models_first(small)},
                                           {f64, h200, false, large, models_first(large)}};
  REQUIRE(text_of(records[0].tile, small) != text_of(records[1].tile, large));
  const general_form near_small = form_of_extents(20, 16, 11, 32, 8),
                     near_large = form_of_extents(192, 64, 40, 240, 44);
  const auto of_small = chosen_from(records, near_small), of_large = chosen_from(records, near_large);
  REQUIRE(of_small);
  REQUIRE(of_large);
  CHECK(of_small->from == &records[0]);
  CHECK(of_large->from == &records[1]);
  CHECK(of_small->distance > 0);
  for (const auto& [choice, form] : {std::pair(of_small, near_small), std::pair(of_large, near_large)}) {
    CHECK(why_no_tile(choice->tile, form).empty());
    const double best = cost_of(models_first(form), form, detail::rates_of_h200).seconds;
    CHECK(cost_of(choice->tile, form, detail::rates_of_h200).seconds <= detail::most_of_modelled * best);
  }
}

TEST_CASE("general records: the model may object to a neighbour's tile") {
  const general_form small = form_of_extents(24, 4, 3, 32, 2), wanted = form_of_extents(190, 4, 3, 250, 2);
  general_tile tile = models_first(small);
  tile.rows[0] = 2;
  const std::vector<tuned_general> records{{f64, h200, false, small, tile}};
  CHECK_FALSE(chosen_from(records, wanted));
  // With a model that is slow everywhere there is nothing to object to.
  CHECK(choose_general(records, wanted, {}, h200, detail::rates_of_h200, 1.0));
}

TEST_CASE("general records: distances") {
  const general_form form = form_of_extents(24, 16, 10, 32, 8);
  CHECK(detail::distance_between(form, form) == 0);
  CHECK(std::abs(detail::distance_between(form, form_of_extents(48, 16, 10, 32, 8)) - 1) < 1e-12);
  // Columns b and c are one digit in every tensor: 160 and 40.
  CHECK(std::abs(detail::distance_between(form, form_of_extents(24, 8, 5, 64, 8)) - 3) < 1e-12);
  // Digits in another order in a tensor, another number of digits, another stride of 1.
  CHECK(std::isinf(detail::distance_between(form, form_of_extents(24, 16, 10, 32, 8, "ead,dbc->abce"))));
  CHECK(std::isinf(detail::distance_between(form, form_of_extents(24, 16, 10, 32, 8, "aed,dcb->abce"))));
  CHECK(std::isinf(detail::distance_between(form, form_of_extents(24, 16, 10, 32, 8, "aed,bcd->abce"))));
  CHECK(std::isinf(detail::distance_between(form, form_of_extents(24, 16, 10, 32, 8, "aed,dbc->aebc"))));
  CHECK(detail::text_of(form) == "rows 24:1:1 8:24:3840, columns 160:32:24, sum 32:192:1, batch 1");
}

TEST_CASE("general records: padded tensors are another form of no distance in extents") {
  const general_form form = form_of_extents(24, 16, 10, 32, 8);
  general_form padded = form;
  padded.rows.at[1].out += 8;
  general_tile slow = models_first(form);
  slow.rows[0] = 1;
  CHECK(chosen_from({{f64, h200, false, form, slow}}, form));
  CHECK_FALSE(chosen_from({{f64, h200, false, form, slow}}, padded));
  CHECK(chosen_from({{f64, h200, false, form, models_first(form)}}, padded));
}

TEST_CASE("general records: kinds") {
  const general_form form = form_of_extents(96, 40, 30, 64, 20);
  const general_tile tile = models_first(form);
  general_kind with_functions;
  with_functions.functions_name = "relu(A)";
  const general_kind single = detail::exact_kind(scalar_type::f32, scalar_type::f32, scalar_type::f32);
  const std::string of_functions = text_of(with_functions);
  const std::vector<tuned_general> records{{f64, h200, false, form, tile}, {of_functions, h200, false, form, tile}};
  CHECK_FALSE(chosen_from(records, form, single));
  CHECK(chosen_from(records, form, with_functions)->from == &records[1]);
  CHECK(chosen_from(records, form)->from == &records[0]);
  CHECK(chosen_from({records[0]}, form, with_functions));
  CHECK_FALSE(chosen_from({records[1]}, form));
  CHECK_FALSE(chosen_from({}, form));
}

TEST_CASE("general records: of another GPU") {
  const general_form form = form_of_extents(96, 40, 30, 64, 20);
  const general_tile tile = models_first(form);
  const std::vector<tuned_general> records{{f64, "NVIDIA H100", false, form, tile}, {f64, h200, false, form, tile}};
  CHECK(chosen_from(records, form)->from == &records[1]);
  CHECK(chosen_from({records[0]}, form));
  // A neighbour of this GPU that is nearer than the difference between GPUs.
  const std::vector<tuned_general> both{{f64, "NVIDIA H100", false, form, tile},
                                        {f64, h200, false, form_of_extents(96, 40, 30, 64, 19), tile}};
  CHECK(chosen_from(both, form)->from == &both[1]);
}

TEST_CASE("general records: a tile must be inside of its form") {
  const general_form form = form_of_extents(24, 16, 10, 32, 8);
  general_tile tile = models_first(form);
  CHECK(why_no_tile(tile, form).empty());
  const auto broken = [&](auto change) {
    general_tile other = tile;
    change(other);
    return why_no_tile(other, form);
  };
  CHECK(broken([](general_tile& t) { t.rows[0] = 25; }) == "a box of 25 in a digit of 24");
  CHECK(broken([](general_tile& t) { t.inner[0] = 0; }) == "a box of 0 in a digit of 32");
  CHECK(broken([](general_tile& t) { t.panel = -1; }) == "panels of -1 boxes, not 0 (none) to 1048576");
  CHECK(broken([](general_tile& t) { t.panel = (1 << 20) + 1; }).find("panels of 1048577 boxes") == 0);
  CHECK(broken([](general_tile& t) { t.panel = 1 << 20; }).empty());
  CHECK(says(broken([](general_tile& t) { t.warps_down = 33; }), "warps"));
  CHECK(says(broken([](general_tile& t) { t.stages = 0; }), "stages"));
  CHECK(says(broken([](general_tile& t) { t.splits = 4097; }), "splits"));
  general_form huge = form;
  huge.rows.at[0].extent = huge.rows.at[1].extent = 1 << 20;
  general_tile whole = tile;
  whole.rows[0] = whole.rows[1] = 1 << 20;
  CHECK(why_no_tile(whole, huge) == "a box of more than 65536 entries");
  const general_tile fitting = clipped(tile, form_of_extents(3, 2, 2, 4, 1));
  CHECK(fitting.rows[0] == std::min(3, tile.rows[0]));
}

namespace {

std::string general_file(const std::string& record, const std::string& hash) {
  return R"({"schema": 1, "device": "Example GPU", "target": "cuda", "compute_capability": "9.0", "source_hash": ")" +
         hash + R"(", "records": [)" + record + "]}";
}

constexpr const char* form_members =
    R"("rows": [[24, 1, 1], [8, 24, 3840]], "columns": [[160, 32, 24]], "sum": [[32, 192, 1]], "batch": [])";

std::string general_record(const std::string& members = form_members,
                           const std::string& tile = R"("rows": [24, 2], "columns": [16], "sum": [8])") {
  return R"({"family": "general", "kind": "f64 by tensor cores", )" + members + R"(, "tile": {)" + tile +
         R"(, "exchanged": true, "warps": [2, 4], "stages": 3, "splits": 2}, "seconds": 1e-3})";
}

// Where the tile of a plan on that GPU is from; "" where it has none of a record.
std::string source_for(const general_form& form) {
  const auto found = detail::recorded_choice(form, {}, "Example GPU", detail::rates_of_h200);
  return found ? found->source : "";
}

}  // namespace

TEST_CASE("general records: a file given at run time is taken first") {
  const general_form form = form_of_extents(24, 16, 10, 32, 8);
  {
    const given_records file(general_file(general_record(), std::string(detail::general_source_hash())));
    const auto tile = detail::recorded_tile(form, {}, "Example GPU", detail::rates_of_h200);
    REQUIRE(tile);
    CHECK(tile->exchanged);
    CHECK(tile->rows[0] == 24);
    CHECK(tile->rows[1] == 2);
    CHECK(tile->cols[0] == 16);
    CHECK(tile->inner[0] == 8);
    CHECK((tile->warps_down == 2 && tile->warps_across == 4 && tile->stages == 3 && tile->splits == 2));
    const std::string source = source_for(form);
    INFO(source);
    CHECK(says(source, "record of this contraction on Example GPU, in " + file.path));
    CHECK_FALSE(says(source, "earlier version"));
  }
  const given_records file(general_file(general_record(), "of other kernels"));
  CHECK(says(source_for(form), "earlier version of the kernels"));
  overlay_records("");
  CHECK_FALSE(says(source_for(form), file.path));
}

TEST_CASE("general records: faults of a file are named") {
  const auto refuses = [](const std::string& record, std::initializer_list<std::string_view> words) {
    const record_text file(general_file(record, ""));
    INFO(record);
    check_failure(status::invalid_argument, words, [&] { overlay_records(file.path); });
  };
  refuses(general_record(R"("rows": [[24, 1]], "columns": [], "sum": [], "batch": [])"),
          {"record 0", "rows", "2 strides"});
  refuses(general_record(R"("rows": [[0, 1, 1]], "columns": [], "sum": [], "batch": [])"), {"rows", "0", "1.."});
  refuses(general_record(R"("rows": [], "columns": [], "sum": [])"), {"batch", "missing"});
  refuses(general_record(form_members, R"("rows": [24], "columns": [16], "sum": [8])"), {"rows", "2 integers"});
  refuses(general_record(form_members, R"("rows": [25, 2], "columns": [16], "sum": [8])"),
          {"record 0", "a tile that the contraction cannot have", "a box of 25 in a digit of 24"});
  refuses(general_record() + ", " + general_record(), {"record 1", "a second one", "rows 24:1:1 8:24:3840"});
  std::string nameless = general_record();
  nameless.replace(nameless.find("f64 by tensor cores"), 19, "");
  refuses(nameless, {"kind"});
  std::string many = R"("rows": [)";
  for (int i = 0; i <= max_rank; ++i) many += std::string(i > 0 ? ", " : "") + "[2, 1, 1]";
  refuses(general_record(many + R"(], "columns": [], "sum": [], "batch": [])"), {"rows", std::to_string(max_rank)});
  const record_text of_cpu(R"({"schema": 1, "device": "x", "target": "avx2", "records": [)" + general_record() + "]}");
  check_failure(status::invalid_argument, {"of GPUs"}, [&] { overlay_records(of_cpu.path); });
}
