// SPDX-License-Identifier: BSD-3-Clause
// The command line of tessera-bench as a value.
#pragma once

#include <optional>
#include <string>

#include <tessera/regime.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

#include "peers/contraction_call.hpp"

namespace tessera::bench {

/// Of the suite tccg, beside known_products.
inline constexpr known_product integer_products[] = {
    {scalar_type::i32, "i32"},
    {scalar_type::i64, "i64"},
    {{scalar_type::i16, scalar_type::i32, scalar_type::i32}, "i16-i32"},
};
constexpr bool is_integer(const product_types& types) { return is_integer_type(types.in); }
/// As `--type` has it; null for others.
constexpr const char* type_name(const product_types& types) {
  for (const known_product& known : integer_products)
    if (known.types == types) return known.name;
  return name_of(types);
}

enum class regime { cache, stream, paper };
enum class thermal { cool, sustained };

/// What the suite models prints; rates that are not given are the machine's.
struct model_choice {
  std::string machine = "measured";
  std::optional<double> bandwidth_gb_s, f64_tflop_s, f32_tflop_s, tf32_tflop_s;
  std::optional<double> base_watts, pj_per_flop, pj_per_byte;
  std::string products = "47x84x64,63x95x64,65x130x64,111x73x64,128x128x64";  // those of Sinkin's thesis
  int tile = 16;
  std::string fractions = "0.9,0.95,0.99";
  int workers = 4;
  std::string updates = "1x16x256,4x32x64";
};

struct options {
  std::string suite;
  std::string command_line;

  // gemm
  std::string sizes = "2-32";
  double beta = 0;
  std::string shared = "none";
  std::string trans = "nn";
  std::string layout = "col";
  std::string group = "none";
  std::string conjugated = "none";
  int offset = 0;
  // contraction
  std::string row = "all";
  std::string orders = "1-8";
  std::string points = "p+2";
  // element
  std::string operators = "mass,diffusion";
  int dim = 3;
  int components = 1;
  std::string form = "partial_assembly";
  std::string geometry = "1";
  std::string shape = "cube";
  std::string function = "built-in";
  // operator
  std::string unknowns = "100k";
  std::string numbering = "box";
  // solve
  int iterations = 20;
  // tccg
  double scale = 0;  // of extents; 0: one that suits the target
  product_precision precision = product_precision::exact;
  std::string entry_function = "none";
  std::string operations = "plus_times";
  double search_seconds = 5;  // of a peer, for a row
  std::string vary;           // of a plan's tile; empty: nothing

  // hydro
  std::string gas_orders = "1-4";
  std::string gas_points;  // empty: by the target
  std::string gas_start = "straight";
  // assembly
  std::string storage = "full";
  // launch
  std::string launch_sizes = "1,2,4,8,13,16,23,32";
  // small
  std::string small_sizes = "2-16";
  std::string small_orders = "1-4";
  std::string small_batches = "1,2,4,8,16,32,64";
  // call
  std::string call_sizes = "2,3,4,5,6,8,12,16";
  // stride
  std::string strides = "1,2,4,8,16,32,64,128";
  std::optional<long long> entries;  // empty: by the target
  // registers
  int waves = 8;
  // models
  model_choice models;
  // two-site
  std::string two_site_dp = "16,32";
  std::string two_site_chi = "64,128,256";
  std::string two_site_counts = "1,4,16,64,256";
  // all suites
  product_types type = scalar_type::f64;
  std::string target_name = "best";
  int threads = 1;
  regime in = regime::cache;
  std::optional<memory_regime> assumed;  // by plans; empty: by the size of the batch, or as the environment says
  std::string numa = "local";
  std::optional<long long> batch;
  int reps = 15;
  std::string peers = "all";
  std::string profiled = "all";  // contenders whose first run a profiler looks at: a name, all or none
  std::string json_file;
  bool quiet = false;
  thermal heat = thermal::cool;
};

/// Empty if the program should exit with `exit_code` (after --help or a wrong command line).
std::optional<options> parse_command_line(int argc, const char* const* argv, int& exit_code);

const char* name_of(regime r);
const char* name_of(thermal t);

}  // namespace tessera::bench
