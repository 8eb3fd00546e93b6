// SPDX-License-Identifier: BSD-3-Clause
// Parses the command line with CLI11.
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <set>

#include <tessera/detail/cpu_isas.hpp>
#include <tessera/element/operator_names.hpp>

#include "measure/machine.hpp"
#include "measure/number_option.hpp"
#include "models/known_machines.hpp"

namespace tessera::bench {

namespace {

constexpr int most_threads = 4096;
constexpr long long most_entries = 1000000000000;  // of a batch: more does not fit any memory
constexpr int most_samples = 1000000;
constexpr double largest_beta = 1e6;  // errors are bounded relative to the old output

// How large the batches of a suite are.
void add_batch(CLI::App& app, options& o) {
  const std::map<std::string, regime> regimes{
      {"cache", regime::cache}, {"stream", regime::stream}, {"paper", regime::paper}};
  app.add_option("--regime", o.in, "cache (half of L2), stream (memory) or paper (10,000; GPU 100,000)")
      ->transform(CLI::CheckedTransformer(regimes));
  app.add_option("--batch", o.batch, "batch entries, overrides the regime")->check(integer_between(1, most_entries));
}

// What plans take the regime to be.
void add_assumed(CLI::App& app, options& o) {
  app.add_option_function<std::string>(
         "--assume", [&o](const std::string& name) { o.assumed = regime_from_name(name); },
         "the regime that plans take the batch to be in, whatever its size: cache or stream; auto: by its size")
      ->check(CLI::IsMember({"auto", "cache", "stream"}));
}

void add_common(CLI::App& app, options& o, bool has_integers) {
  const std::map<std::string, thermal> states{{"cool", thermal::cool}, {"sustained", thermal::sustained}};
  const auto set_type = [&o](const std::string& name) {
    for (const known_product& known : known_products)
      if (name == known.name) o.type = known.types;
    for (const known_product& known : integer_products)
      if (name == known.name) o.type = known.types;
  };
  std::vector<std::string> types;
  for (const known_product& known : known_products) types.emplace_back(known.name);
  if (has_integers)
    for (const known_product& known : integer_products) types.emplace_back(known.name);
  app.add_option_function<std::string>("--type", set_type,
                                       "entries, f16-f32: from half to float, f32/f64: float summed in double")
      ->check(CLI::IsMember(types));
  app.add_option("--target", o.target_name, "best, reference, " + detail::cpu_isa_names() + " or cuda");
  app.add_option("--threads", o.threads, "OpenMP threads of a CPU case; 0: all")
      ->check(integer_between(0, most_threads));
  app.add_option("--reps", o.reps, "least samples of each contender")->check(integer_between(1, most_samples));
  app.add_option("--peers", o.peers, "all, none or a list of names");
  app.add_option(
      "--numa", o.numa,
      "NUMA nodes of the operands: local (first touch), interleaved or halves; the last two also with nodes: "
      "halves:1,0");
  app.add_option("--profile", o.profiled,
                 "contenders of a GPU whose first run lies between cudaProfilerStart and Stop: all, none or a name");
  app.add_option("--json", o.json_file, "write the results to this file");
  app.add_flag("--quiet", o.quiet, "no table");
  app.add_option("--thermal", o.heat, "cool (a rest before each GPU case) or sustained (3 s of load first)")
      ->transform(CLI::CheckedTransformer(states));
}

void add_gemm(CLI::App& app, options& o) {
  app.add_option("--sizes", o.sizes, "2-32 | 3x5x4,... | random:COUNT:SEED");
  app.add_option("--beta", o.beta, "C = A B + beta C")->check(real_between(-largest_beta, largest_beta));
  app.add_option("--shared", o.shared, "operand shared by the batch: none, a or b")
      ->check(CLI::IsMember({"none", "a", "b"}));
  app.add_option("--trans", o.trans, "nn, tn, nt or tt; mixed: these in turn")
      ->check(CLI::IsMember({"nn", "tn", "nt", "tt", "mixed"}));
  app.add_option("--layout", o.layout, "col, row or interleaved:W");
  app.add_option("--group", o.group, "operands given as arrays of pointers: none, a, b, c, ab, ... abc")
      ->check(CLI::IsMember({"none", "a", "b", "c", "ab", "ac", "bc", "abc"}));
  app.add_option("--conj", o.conjugated, "operands read conjugated, of complex types: none, a, b, ab")
      ->check(CLI::IsMember({"none", "a", "b", "ab"}));
  app.add_option("--offset", o.offset, "shift every view by this many entries")->check(integer_between(0, 1 << 20));
}

void add_launch(CLI::App& app, options& o) {
  app.add_option("--sizes", o.launch_sizes, "1,2,4,8,13,16,23,32 | 2-32 | 3x5x4,...");
}

void add_two_site(CLI::App& app, options& o) {
  app.add_option("--dp", o.two_site_dp, "rows of G, from 1 to 1024: 16,32 | 2-8");
  app.add_option("--chi", o.two_site_chi, "rows of M, from 1 to 8192: 64,128,256");
  app.add_option("--batches", o.two_site_counts, "entries of an update, from 1 to 100000: 1,4,16,64,256");
}

void add_small(CLI::App& app, options& o) {
  app.add_option("--sizes", o.small_sizes, "squares from 2 to 16: 2-16, 3,5, or none");
  app.add_option("--p", o.small_orders, "orders of the contraction by a middle index, from 1 to 4, or none");
  app.add_option("--batches", o.small_batches, "entries that a call gets: 1,2,4,8,16,32,64");
}

void add_call(CLI::App& app, options& o) {
  app.add_option("--sizes", o.call_sizes, "2,3,4,5,6,8,12,16 | 2-32 | 3x5x4,...");
  app.add_option("--batch", o.batch, "products of the larger run")->check(integer_between(2, 1000000));
}

void add_contraction(CLI::App& app, options& o) {
  app.add_option("--row", o.row, "rows of Table 1: 4b, a list, or all");
  app.add_option("--p", o.orders, "orders, as 1-8 or 2,4");
  app.add_option("--q", o.points, "points per direction: p+1, p+2 or a number");
  app.add_option("--beta", o.beta, "0 overwrites the result, 1 adds to it")
      ->check(real_between(-largest_beta, largest_beta));
}

void add_chain(CLI::App& app, options& o) {
  app.add_option("--dim", o.dim, "3 or 2")->check(integer_between(0, 9));
  app.add_option("--p", o.orders, "orders, as 1-8 or 2,4");
  app.add_option("--q", o.points, "points per direction: p+1, p+2 or a number");
  app.add_option("--beta", o.beta, "0 overwrites the result, 1 adds to it")
      ->check(real_between(-largest_beta, largest_beta));
}

void add_operator_choice(CLI::App& app, options& o) {
  app.add_option("--operator", o.operators, list_of_operators() + "; a list of these, or all");
  app.add_option("--dim", o.dim, "3 or 2")->check(integer_between(0, 9));
  app.add_option("--components", o.components, "of the vectors")->check(integer_between(1, 1000));
  app.add_option("--p", o.orders, "orders, as 1-8 or 2,4");
  app.add_option("--q", o.points, "points per direction: p+1, p+2, a number, or gll: the nodes");
}

void add_assembly(CLI::App& app, options& o) {
  add_operator_choice(app, o);
  app.add_option("--storage", o.storage, "full, lower (the packed triangle of symmetric matrices) or both");
}

void add_form(CLI::App& app, options& o) {
  app.add_option("--form", o.form, "partial_assembly (D is stored) or matrix_free (computed from the nodes)");
  app.add_option("--geometry", o.geometry, "matrix_free: order of the elements' map, a number or p");
}

void add_operator(CLI::App& app, options& o) {
  add_operator_choice(app, o);
  add_form(app, o);
  app.add_option("--unknowns", o.unknowns, "numbers of x, approximately: 100k or 100k,5M");
  app.add_option("--numbering", o.numbering,
                 "box (direction by direction), mesh (elements in random order, nodes by entities close to each other) "
                 "or random");
}

void add_solve(CLI::App& app, options& o) {
  add_operator(app, o);
  app.add_option("--iterations", o.iterations, "of a solve")->check(integer_between(1, 10000));
}

void add_hydro(CLI::App& app, options& o) {
  app.add_option("--dim", o.dim, "3 or 2")->check(integer_between(0, 9));
  app.add_option("--k", o.gas_orders, "orders of the velocity, up to 8, as 1-8 or 2,4; the energy has k - 1");
  app.add_option(
      "--points", o.gas_points,
      "quadrature points of all zones, approximately: 500k or 1M,4M; 4M, on a GPU 16M, where it is not given");
  app.add_option("--start", o.gas_start, "zones at the start: straight, or bent: each point has a Jacobian of its own")
      ->check(CLI::IsMember({"straight", "bent"}));
}

void add_tccg(CLI::App& app, options& o) {
  const std::map<std::string, product_precision> precisions{
      {"exact", product_precision::exact}, {"tf32", product_precision::tf32}, {"tf32x3", product_precision::tf32x3}};
  app.add_option("--row,--rows", o.row, "rows from 1 to 48: 12, 1-8,12, or all");
  app.add_option("--precision", o.precision,
                 "of float products on a GPU: exact, or by tensor cores in tf32, or in three products, tf32x3")
      ->transform(CLI::CheckedTransformer(precisions));
  app.add_option("--function", o.entry_function, "of both inputs and the result: none or leaky_relu")
      ->check(CLI::IsMember({"none", "leaky_relu"}));
  app.add_option("--operations", o.operations, "that multiply and add: plus_times, or min_plus, of f32 or f64")
      ->check(CLI::IsMember({"plus_times", "min_plus"}));
  app.add_option("--search", o.search_seconds, "seconds a row in which cutensor-best tries kernels")
      ->check(real_between(0, 3600));
  app.add_option(
         "--vary", o.vary,
         "of the plan's tile on a GPU, measured with each value instead of peers: stages of the pipeline, splits "
         "of the sum, panel of tiles that run together, or side: rows or columns down")
      ->check(CLI::IsMember({"stages", "splits", "panel", "side"}));
  app.add_option("--scale", o.scale, "of all extents, at most 1; 1 on a GPU, 0.25 on a CPU, where it is not given")
      ->check(real_between(0.001, 1));
  app.add_option("--beta", o.beta, "0 overwrites the result, 1 adds to it")
      ->check(real_between(-largest_beta, largest_beta));
}

void add_element(CLI::App& app, options& o) {
  add_operator_choice(app, o);
  add_form(app, o);
  app.add_option("--shape", o.shape, "cube, or simplex: triangles or tetrahedra, by dense tables")
      ->check(CLI::IsMember({"cube", "simplex"}));
  app.add_option("--function", o.function,
                 "built-in, or own: diffusion on a GPU as a user's function, compiled at run time")
      ->check(CLI::IsMember({"built-in", "own"}));
  app.add_option("--beta", o.beta, "0 overwrites the result, 1 adds to it")->check(integer_between(0, 1));
}

void add_stride(CLI::App& app, options& o) {
  app.add_option("--strides", o.strides, "in entries, powers of 2: 1,2,4,8,16,32,64,128");
  app.add_option("--entries", o.entries, "of each of the two arrays, a power of 2; 2^24, on a GPU 2^27")
      ->check(integer_between(1024, 1LL << 31));
}

void add_registers(CLI::App& app, options& o) {
  app.add_option("--waves", o.waves, "blocks, in numbers of threads that fill the GPU")
      ->check(integer_between(1, 1000));
}

void add_models(CLI::App& app, options& o) {
  model_choice& m = o.models;
  app.add_option("--machine", m.machine,
                 "measured: this GPU, or without one this CPU; or by its data sheet " + models::names_of_machines());
  app.add_option("--bandwidth", m.bandwidth_gb_s, "GB/s, instead of the machine's")->check(real_between(1e-3, 1e9));
  app.add_option("--peak-f64", m.f64_tflop_s, "TFLOP/s, instead of the machine's")->check(real_between(1e-6, 1e6));
  app.add_option("--peak-f32", m.f32_tflop_s, "TFLOP/s")->check(real_between(1e-6, 1e6));
  app.add_option("--peak-tf32", m.tf32_tflop_s, "TFLOP/s")->check(real_between(1e-6, 1e6));
  app.add_option("--base-watts", m.base_watts, "power without work, for the energy model")->check(real_between(0, 1e6));
  app.add_option("--pj-per-flop", m.pj_per_flop, "picojoules of a flop")->check(real_between(0, 1e6));
  app.add_option("--pj-per-byte", m.pj_per_byte, "picojoules of a byte from memory")->check(real_between(0, 1e6));
  app.add_option("--sizes", m.products, "products C = A B + C, M x N x K: 47x84x64,...");
  app.add_option("--tile", m.tile, "to whose multiples extents are padded")->check(integer_between(1, 1024));
  app.add_option("--fractions", m.fractions, "that run in parallel, from 0 to 1: 0.9,0.95,0.99");
  app.add_option("--workers", m.workers, "that they run on")->check(integer_between(1, 1000000));
  app.add_option("--updates", m.updates, "two-site updates, batch x physical x bond extent: 1x16x256,4x32x64");
}

}  // namespace

std::optional<options> parse_command_line(int argc, const char* const* argv, int& exit_code) {
  CLI::App app("Measures Tessera: tessera-bench SUITE [options]");
  app.require_subcommand(1);
  options o;
  for (int i = 0; i < argc; ++i) o.command_line += (i ? " " : "") + std::string(i ? argv[i] : "tessera-bench");
  const std::set<std::string> suites{"limits", "gemm",   "contraction", "chain",  "element", "operator",
                                     "solve",  "hydro",  "assembly",    "launch", "small",   "call",
                                     "tccg",   "stride", "registers",   "models", "two-site"};
  CLI::App* const limits = app.add_subcommand("limits", "bandwidths and peaks of this machine");
  CLI::App* const gemm = app.add_subcommand("gemm", "batched small matrix products");
  CLI::App* const contraction = app.add_subcommand("contraction", "the contractions of Table 1");
  CLI::App* const chain = app.add_subcommand("chain", "the mass operator as a chain of contractions, fused and staged");
  CLI::App* const element = app.add_subcommand("element", "element operators B^T D B on E-vectors");
  CLI::App* const global = app.add_subcommand("operator", "operators between L-vectors, gather and scatter included");
  CLI::App* const solve = app.add_subcommand("solve", "iterations of conjugate gradients on such operators");
  CLI::App* const hydro = app.add_subcommand("hydro", "phases of Lagrangian hydrodynamics: forces, masses, a step");
  CLI::App* const tccg = app.add_subcommand("tccg", "the 48 contractions of the TCCG benchmark");
  CLI::App* const assembly = app.add_subcommand("assembly", "the matrices B^T D B of elements");
  CLI::App* const launch = app.add_subcommand("launch", "many products launched one by one, at once, and as a graph");
  CLI::App* const small = app.add_subcommand("small", "few products at once in a caller's loop: inline, and by a plan");
  CLI::App* const call = app.add_subcommand("call", "the fixed cost of a run of a plan on a CPU");
  CLI::App* const stride = app.add_subcommand("stride", "loads and stores of neighbours that are entries apart");
  CLI::App* const registers = app.add_subcommand("registers", "multiply-adds of threads that hold many registers");
  CLI::App* const models = app.add_subcommand("models", "what models of performance and energy say of this machine");
  CLI::App* const two_site = app.add_subcommand("two-site", "two-site updates of tensor networks, in one launch");
  for (CLI::App* suite : {stride, registers, models, limits, gemm, contraction, chain, element, global, solve, hydro,
                          tccg, two_site, assembly, launch, small, call})
    add_common(*suite, o, suite == tccg);
  for (CLI::App* suite : {limits, gemm, contraction, chain, element, assembly, launch, small}) add_batch(*suite, o);
  for (CLI::App* suite : {gemm, contraction, chain, launch, tccg}) add_assumed(*suite, o);
  add_gemm(*gemm, o);
  add_contraction(*contraction, o);
  add_chain(*chain, o);
  add_element(*element, o);
  add_operator(*global, o);
  add_solve(*solve, o);
  add_hydro(*hydro, o);
  add_tccg(*tccg, o);
  add_assembly(*assembly, o);
  add_launch(*launch, o);
  add_small(*small, o);
  add_call(*call, o);
  add_stride(*stride, o);
  add_registers(*registers, o);
  add_models(*models, o);
  add_two_site(*two_site, o);
  const std::string first = argc > 1 ? argv[1] : "";
  if (!first.empty() && first[0] != '-' && !suites.contains(first)) {
    std::fprintf(stderr,
                 "tessera-bench: no suite is called '%s'; there are: limits gemm contraction chain element operator "
                 "solve hydro tccg assembly launch small call stride registers models two-site\n",
                 first.c_str());
    exit_code = 2;
    return std::nullopt;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    exit_code = app.exit(e) == 0 ? 0 : 2;
    return std::nullopt;
  }
  const CLI::App& suite = *app.get_subcommands().front();
  o.suite = suite.get_name();
  // What suites without a choice work on is in memory, and so is what their bound is measured on.
  if (suite.get_option_no_throw("--regime") == nullptr) o.in = regime::stream;
  if (o.threads == 0) o.threads = this_machine().cores;
  return o;
}

const char* name_of(regime r) { return r == regime::cache ? "cache" : r == regime::stream ? "stream" : "paper"; }

const char* name_of(thermal t) { return t == thermal::cool ? "cool" : "sustained"; }

}  // namespace tessera::bench
