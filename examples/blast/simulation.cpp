// SPDX-License-Identifier: BSD-3-Clause
// What is conserved, and checkpoints.
#include "simulation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <tessera/error.hpp>

#include "memory_need.hpp"
#include "replacement.hpp"
#include "run_identity.hpp"
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

zone_mesh fine_mesh(const settings& given) {
  const zone_mesh mesh = coarse_mesh(given);
  check_materials(given.materials, mesh);
  check_memory(mesh, given.refinements, given.order, memory_of_machine());
  return refined(mesh, given.refinements);
}

// Where zones have gases of their own nothing is known of the solution.
problem problem_for(const settings& given, int dim) {
  problem made = problem_of(given.problem_number, dim);
  made.velocity_known = made.velocity_known && given.materials.empty();
  return made;
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
    : mesh_(fine_mesh(given)),
      given_(with_dimension(given, mesh_.dim)),
      which_(problem_for(given, mesh_.dim)),
      in_(make_spaces(mesh_, which_, given.materials, given.order)),
      run_(in_, which_.physics,
           initial_state(mesh_, in_, which_, given.materials, std::ldexp(given_.released, -given_.dim)),
           {.method = fem::gas_method_of(given.method_number),
            .final_time = given.final_time,
            .cfl = given.cfl,
            .masses = given.solver,
            .space = given.space}),
      identity_(identity_of(given_, in_)) {
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
  if (fs::exists(file) && !fs::is_regular_file(file))
    throw std::runtime_error("the checkpoint '" + file + "' is no file");
  const fem::gas_run_state kept = run_.kept();
  replacement made(file, "the checkpoint ");
  std::ostream& out = made.out();
  out << identity_ << '\n';
  const std::int64_t counts[] = {kept.steps, kept.repeats, std::int64_t(history_.size()),
                                 std::int64_t(kept.numbers.size())};
  const double times[] = {kept.time, kept.dt};
  put(out, counts, 4);
  put(out, times, 2);
  put(out, history_.data(), history_.size());
  put(out, kept.numbers.data(), kept.numbers.size());
  out << "end";
  made.finish();
}

void simulation::load(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read the checkpoint '" + file + "'");
  std::string found;
  std::getline(in, found);
  const std::string others = differences(found, identity_);
  if (!others.empty()) throw std::runtime_error("the checkpoint '" + file + "' is of another run: " + others);
  std::int64_t counts[4] = {};
  double times[2] = {};
  get(in, counts, 4);
  get(in, times, 2);
  const std::int64_t bytes = std::int64_t(std::filesystem::file_size(file));
  if (!in || counts[0] < 0 || counts[1] < 0 || counts[2] < 1 || counts[2] > bytes / std::int64_t(sizeof(record)) ||
      counts[3] != in_.state_size())
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
  try {
    run_.go_on_from(
        {.steps = long(counts[0]), .repeats = long(counts[1]), .time = times[0], .dt = times[1], .numbers = state});
  } catch (const error& refused) {
    throw error("the checkpoint '" + file + "': " + refused.what(), refused.code());
  }
  history_ = history;
}

}  // namespace tessera::blast
