// SPDX-License-Identifier: BSD-3-Clause
// What is conserved, and checkpoints.
#include "simulation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "start.hpp"

namespace tessera::blast {

namespace {

// The mesh before it is refined: a file's, or the problem's own.
zone_mesh coarse_mesh(const settings& given) {
  const int dim = given.dim == 0 ? 2 : given.dim;
  if (given.mesh.empty()) return mesh_of(problem_of(given.problem_number, dim), dim);
  zone_mesh mesh = read_mfem_mesh(given.mesh);
  if (given.dim != 0 && given.dim != mesh.dim)
    throw std::runtime_error("the mesh '" + given.mesh + "' is " + std::to_string(mesh.dim) + "-D, not " +
                             std::to_string(given.dim) + "-D");
  return mesh;
}

settings with_dimension(settings given, int dim) {
  given.dim = dim;
  return given;
}

std::string text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

// Of numbers, to tell one mesh from another.
template <class T>
std::uint64_t hash_of(const std::vector<T>& numbers, std::uint64_t hash = 1469598103934665603u) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  for (std::size_t i = 0; i < numbers.size() * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

// What two runs have in common if one goes on where the other ended.
std::string identity(const settings& given, const fem::gas_spaces& in) {
  std::ostringstream text;
  text << "blast checkpoint 1: problem " << given.problem_number << ", " << given.dim << "-D, " << in.zones
       << " zones, " << in.nodes.count << " nodes, orders " << in.order << " " << in.energy_order << ", "
       << in.line_points << " points, method " << given.method_number << ", released energy " << text_of(given.released)
       << ", tolerance " << text_of(given.solver.tolerance) << ", " << given.solver.most_iterations
       << " iterations, energy solver " << int(given.solver.energy) << ", mesh " << std::hex
       << hash_of(in.nodes.coordinates, hash_of(in.nodes.number));
  return text.str();
}

template <class T>
void put(std::ostream& out, const T* at, std::size_t count) {
  out.write(reinterpret_cast<const char*>(at), std::streamsize(count * sizeof(T)));
}
template <class T>
void get(std::istream& in, T* at, std::size_t count) {
  in.read(reinterpret_cast<char*>(at), std::streamsize(count * sizeof(T)));
}

}  // namespace

simulation::simulation(const settings& given)
    : mesh_(refined(coarse_mesh(given), given.refinements)),
      given_(with_dimension(given, mesh_.dim)),
      which_(problem_of(given.problem_number, mesh_.dim)),
      in_(make_spaces(mesh_, which_, given.order)),
      run_(in_, which_.physics, initial_state(mesh_, in_, which_, std::ldexp(given_.released, -given_.dim)),
           {.method = fem::gas_method_of(given.method_number),
            .final_time = given.final_time,
            .cfl = given.cfl,
            .masses = given.solver,
            .space = given.space}) {
  record_now(0);
}

void simulation::step() {
  run_.step();
  record_now(run_.last_dt());
}

void simulation::record_now(double dt) {
  const fem::gas_masses& of = run_.masses();
  const double *x = run_.state(), *v = x + in_.kinematic();
  record made{.step = steps(),
              .time = time(),
              .dt = dt,
              .internal = of.internal_energy(v + in_.kinematic()),
              .kinetic = of.kinetic_energy(v),
              .potential = of.potential_energy(x, which_.physics.gravity)};
  for (int c = 0; c < in_.dim; ++c) made.momentum[std::size_t(c)] = of.momentum(v, c);
  history_.push_back(made);
}

void simulation::save(const std::string& file) const {
  namespace fs = std::filesystem;
  const fs::path target = fs::exists(file) ? fs::canonical(file) : fs::path(file);
  if (fs::exists(target) && !fs::is_regular_file(target))
    throw std::runtime_error("the checkpoint '" + file + "' is no file");
  const std::string unfinished = target.string() + ".part";
  const fem::gas_run_state kept = run_.kept();
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << identity(given_, in_) << '\n';
    const std::int64_t counts[] = {kept.steps, kept.repeats, std::int64_t(history_.size()),
                                   std::int64_t(kept.numbers.size())};
    const double times[] = {kept.time, kept.dt};
    put(out, counts, 4);
    put(out, times, 2);
    put(out, history_.data(), history_.size());
    put(out, kept.numbers.data(), kept.numbers.size());
    out << "end";
    if (!out.flush()) throw std::runtime_error("cannot write the checkpoint '" + unfinished + "'");
  }
  std::error_code failed;
  fs::rename(unfinished, target, failed);
  if (failed) throw std::runtime_error("cannot replace the checkpoint '" + file + "': " + failed.message());
}

void simulation::load(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read the checkpoint '" + file + "'");
  std::string found;
  std::getline(in, found);
  if (found != identity(given_, in_))
    throw std::runtime_error("the checkpoint '" + file + "' is of another run: it has\n  " + found +
                             "\nand this is\n  " + identity(given_, in_));
  std::int64_t counts[4] = {};
  double times[2] = {};
  get(in, counts, 4);
  get(in, times, 2);
  const std::int64_t bytes = std::int64_t(std::filesystem::file_size(file));
  if (!in || counts[2] < 1 || counts[2] > bytes / std::int64_t(sizeof(record)) || counts[3] != in_.state_size())
    throw std::runtime_error("the checkpoint '" + file + "' is damaged");
  std::vector<record> history(static_cast<std::size_t>(counts[2]));
  std::vector<double> state(std::size_t(in_.state_size()));
  get(in, history.data(), history.size());
  get(in, state.data(), state.size());
  char end[4] = {};
  in.read(end, 3);
  if (!in || std::string(end) != "end") throw std::runtime_error("the checkpoint '" + file + "' is not whole");
  if (times[0] >= given_.final_time)
    throw std::runtime_error("the checkpoint '" + file + "' is of time " + text_of(times[0]) +
                             ", not before the final time " + text_of(given_.final_time));
  run_.go_on_from(
      {.steps = long(counts[0]), .repeats = long(counts[1]), .time = times[0], .dt = times[1], .numbers = state});
  history_ = history;
}

}  // namespace tessera::blast
