// SPDX-License-Identifier: BSD-3-Clause
// Step control, what is conserved, and checkpoints.
#include "simulation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

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
std::string identity(const settings& given, const spaces& in) {
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
      forces_(in_, which_),
      masses_(in_, given.solver),
      motion_(in_, which_, method_of(given.method_number), forces_, masses_),
      state_(initial_state(mesh_, in_, which_, std::ldexp(given_.released, -given_.dim))),
      before_(state_.size()) {
  if (!(given.final_time > 0)) throw std::runtime_error("the final time is not positive");
  const step_limit limit = motion_.limit_at(state_.data());
  if (!(limit.rate > 0)) throw std::runtime_error("the gas is at rest and cold: nothing will happen");
  if (limit.rate >= tangled_rate)
    throw std::runtime_error("the gas has no numbers at the start, in zone " + std::to_string(limit.zone) +
                             " of the refined mesh: is the mesh one that the problem is defined on?");
  dt_ = printed_dt_ = given.cfl / limit.rate;
  record_now(0);
}

void simulation::step() {
  const double first_dt = dt_;
  for (;;) {
    const bool last = time_ + dt_ >= given_.final_time;
    const double dt = last ? given_.final_time - time_ : dt_;
    before_.swap(state_);
    motion_.begin_step();
    motion_.advance(before_.data(), dt, state_.data());
    const step_limit limit = motion_.limit_at(state_.data());
    const double longest = given_.cfl / limit.rate;
    if (longest < dt) {
      ++repeats_;
      motion_.forget();
      before_.swap(state_);
      dt_ = 0.85 * dt;
      if (dt_ >= 2.22e-16) continue;
      dt_ = first_dt;
      throw step_crashed("step " + std::to_string(step_ + 1) + " at time " + text_of(time_) +
                         " got shorter than 2.2e-16: zone " + std::to_string(limit.zone) + " has determinant " +
                         text_of(limit.determinant) + " and allows " + text_of(longest) + " at its point " +
                         std::to_string(limit.point));
    }
    time_ = last ? given_.final_time : time_ + dt;
    printed_dt_ = longest > 1.25 * dt ? 1.02 * dt : dt;
    if (!last) dt_ = printed_dt_;
    ++step_;
    finished_ = last;
    record_now(dt);
    return;
  }
}

double simulation::energy_norm() const {
  double sum = 0;
  for (std::size_t i = std::size_t(2 * in_.kinematic()); i < state_.size(); ++i) sum += state_[i] * state_[i];
  return std::sqrt(sum);
}

void simulation::record_now(double dt) {
  record made{.step = step_,
              .time = time_,
              .dt = dt,
              .internal = forces_.internal_energy(state_.data()),
              .kinetic = forces_.kinetic_energy(state_.data())};
  const double* v = state_.data() + in_.kinematic();
  for (int c = 0; c < in_.dim; ++c)
    for (index_t i = 0; i < in_.nodes.count; ++i)
      made.momentum[std::size_t(c)] += masses_.node_masses()[std::size_t(i)] * v[i + in_.nodes.count * c];
  if (which_.gravity != vec{}) made.potential = forces_.potential_energy(state_.data());
  history_.push_back(made);
}

void simulation::save(const std::string& file) const {
  namespace fs = std::filesystem;
  const fs::path target = fs::exists(file) ? fs::canonical(file) : fs::path(file);
  if (fs::exists(target) && !fs::is_regular_file(target))
    throw std::runtime_error("the checkpoint '" + file + "' is no file");
  const std::string unfinished = target.string() + ".part";
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << identity(given_, in_) << '\n';
    const std::int64_t counts[] = {step_, repeats_, std::int64_t(history_.size()), std::int64_t(state_.size())};
    const double times[] = {time_, dt_};
    put(out, counts, 4);
    put(out, times, 2);
    put(out, history_.data(), history_.size());
    put(out, state_.data(), state_.size());
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
  if (!in || counts[2] < 1 || counts[2] > bytes / std::int64_t(sizeof(record)) ||
      std::size_t(counts[3]) != state_.size())
    throw std::runtime_error("the checkpoint '" + file + "' is damaged");
  std::vector<record> history(static_cast<std::size_t>(counts[2]));
  std::vector<double> state(state_.size());
  get(in, history.data(), history.size());
  get(in, state.data(), state.size());
  char end[4] = {};
  in.read(end, 3);
  if (!in || std::string(end) != "end") throw std::runtime_error("the checkpoint '" + file + "' is not whole");
  if (times[0] >= given_.final_time)
    throw std::runtime_error("the checkpoint '" + file + "' is of time " + text_of(times[0]) +
                             ", not before the final time " + text_of(given_.final_time));
  step_ = counts[0];
  repeats_ = counts[1];
  time_ = times[0];
  dt_ = printed_dt_ = times[1];
  history_ = history;
  state_ = state;
  finished_ = false;
  motion_.forget();
  motion_.limit_at(state_.data());
}

}  // namespace tessera::blast
