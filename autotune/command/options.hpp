// SPDX-License-Identifier: BSD-3-Clause
// The command line of tessera-tune as a value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

#include "restamp/restamp.hpp"
#include "tuning_case.hpp"

namespace tessera::tune {

enum class action { tune, space, explain, compare, simulate, report, t4, restamp, code };

struct size3 {
  index_t m = 1, n = 1, k = 1;
  friend bool operator==(const size3&, const size3&) = default;
};

struct options {
  action what = action::tune;
  std::string family = "all";  // of tune: gemm, then element; elsewhere gemm; element, matrix and general by name
  std::string sizes = "2-16,axes,17-32";
  std::string form = "packed";               // layouts of operands: packed_layouts_text.hpp
  std::string operators = "mass,diffusion";  // of families element and matrix, these six
  std::string storages = "all";              // full, lower_packed or all: of family matrix
  std::string orders = "1-8";
  std::string points = "p+1,p+2";
  std::string dims = "3";
  std::string components = "1";
  std::string rows;     // of family general, these six: "1-8,12", rows of TCCG; empty: all, unless einsum is given
  std::string einsum;   // "bda,dc->abc"
  std::string extents;  // of its letters: "a=312,b=312"
  double scale = 1;     // of the extents of rows
  std::string search = "model";  // or random
  std::optional<double> within;  // of random: ends once enough tiles so near the best were drawn
  bool model_only = false;       // print candidates and measure nothing
  std::string targets = "all";   // or a list of names
  std::string types = "all";     // f64, f32 or all; of family general a list of more: general_kind_from
  std::string regimes = "all";   // cache, stream or all
  std::string budget = "20m";    // 90s, 10m, 2h
  std::string strategy = "elimination";
  std::optional<double> share;    // fraction of a case's candidates to measure; empty: the family's default
  std::optional<int> candidates;  // most candidates of a case in a search; likewise
  std::string folder = ".";       // where the record and the report go
  std::string journal;            // empty: in the cache folder
  std::string recording;          // write all timings here
  bool fresh = false;             // rename an earlier journal
  bool stale = false;             // only what the record in the folder has from earlier kernels
  bool may_lack_record = false;   // of --stale: a family that has no record has nothing stale
  bool quiet = false;
  std::vector<std::string> files;   // of compare, simulate, report, t4 and code
  std::string against = "default";  // of compare: default, nearest or a record file
  double least = 0;                 // of compare: below this a case fails
  std::string size;                 // of explain, family gemm
  restamp_request restamp;
  std::string hash;                // of code
  std::vector<std::string> cases;  // of code
};

/// Empty if the program should exit with `exit_code` (after --help or a wrong command line).
std::optional<options> parse_command_line(int argc, const char* const* argv, int& exit_code);

/// "2-32", "5", "3x5x4,8": squares and products; "axes": contractions of low orders by a middle and by the last index,
/// which have rows in every full build. Throws, naming the part that is no size up to `most`.
std::vector<size3> sizes_from(const std::string& text, index_t most = 32);
/// The cases of --operator, --p, --q and --dim: "mass,diffusion" or "all", "1-4,8", "p+1,5,gll", "2,3". Throws, naming
/// the part that is wrong.
std::vector<element_case> element_cases_from(const options& o);
/// The same on a target, in each type and regime; on a GPU always from memory. Throws if a target has no records of
/// such cases.
std::vector<tuning_case> element_cases_on(target on, const options& o);
/// The given value, else the default of the family: a model ranks the candidates of gemm; those of element are drawn at
/// random, so that more of them are measured; on a CPU they are few, and all are measured.
double share_of(const options& o, target on);
int candidates_of(const options& o, target on);
/// "90s", "10m", "1.5h". Throws otherwise.
double seconds_from(const std::string& text);
/// Throws, naming the available ones.
packed_layouts layouts_of_form(const std::string& text);
std::vector<scalar_type> types_from(const std::string& text);
std::vector<memory_regime> regimes_from(const std::string& text);
/// "all": this CPU's best instruction set, and the GPU if there is one. Throws where a named one is not available.
std::vector<target> targets_from(const std::string& text);

}  // namespace tessera::tune
