// SPDX-License-Identifier: BSD-3-Clause
// Settings by name, and hashes of what a mesh and a gas are.
#include "run_identity.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

#include "simulation.hpp"

namespace tessera::blast {

namespace {

const std::string first_words = "blast checkpoint 2: ";
const std::map<std::string, std::string> hashes{
    {"mesh", "the mesh is another"}, {"walls", "the walls are others"}, {"gas", "the gas is another"}};

// Of numbers of 8 bytes, and of how many there are.
class hash {
 public:
  template <class T>
  hash& of(const std::vector<T>& numbers) {
    static_assert(sizeof(T) == 8);
    add(numbers.size());
    for (const T& each : numbers) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &each, sizeof bits);
      add(bits);
    }
    return *this;
  }
  std::string text() const {
    char found[20];
    std::snprintf(found, sizeof found, "%016llx", static_cast<unsigned long long>(value_));
    return found;
  }

 private:
  // The shift brings high bits, which alone differ in many numbers, to where the next product spreads them.
  void add(std::uint64_t bits) {
    value_ = (value_ ^ bits) * 1099511628211u;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value_ = 1469598103934665603u;
};

// By name; nothing where a line is not of this format.
std::map<std::string, std::string> parts_of(const std::string& line) {
  std::map<std::string, std::string> parts;
  if (line.compare(0, first_words.size(), first_words) != 0) return parts;
  std::istringstream in(line.substr(first_words.size()));
  for (std::string part; std::getline(in >> std::ws, part, ';');) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return {};
    parts[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return parts;
}

}  // namespace

std::string identity_of(const settings& given, const fem::gas_spaces& in) {
  std::vector<double> energies;
  for (const zone_material& each : given.materials) energies.push_back(each.energy);
  std::ostringstream text;
  text.precision(17);
  text << first_words << "problem=" << given.problem_number << "; dimensions=" << given.dim << "; zones=" << in.zones
       << "; nodes=" << in.nodes.count << "; order=" << in.order << "; energy's order=" << in.energy_order
       << "; points a direction=" << in.line_points << "; method=" << given.method_number
       << "; released energy=" << given.released << "; tolerance=" << given.solver.tolerance
       << "; limit on iterations=" << given.solver.most_iterations
       << "; energy by conjugate gradients=" << (given.solver.energy == fem::energy_solver::exact ? "no" : "yes")
       << "; mesh=" << hash().of(in.nodes.number).of(in.nodes.coordinates).text()
       << "; walls=" << hash().of(in.nodes.walls).text()
       << "; gas=" << hash().of(in.gamma).of(in.mass).of(in.exact_density).of(energies).text();
  return text.str();
}

std::string differences(const std::string& there, const std::string& here) {
  if (there == here) return "";
  const auto found = parts_of(there);
  if (found.empty()) return "its first line is not that of a checkpoint of this program";
  std::string text;
  for (const auto& [name, value] : parts_of(here)) {
    const auto at = found.find(name);
    const std::string other = at == found.end() ? "none" : at->second;
    if (other == value) continue;
    const auto by_hash = hashes.find(name);
    text += text.empty() ? "" : "; ";
    text += by_hash != hashes.end() ? by_hash->second : name + ": " + other + " there, " + value + " here";
  }
  return text.empty() ? "its first line has other entries" : text;
}

}  // namespace tessera::blast
