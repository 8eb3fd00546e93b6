// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of blast are taken only by runs of the same mesh, walls and gas, and say what differs.
#include <fstream>
#include <string>

#include "materials.hpp"
#include "simulation.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::blast;

namespace {

std::string refusal(const settings& given, const std::string& checkpoint) {
  simulation of(given);
  try {
    of.load(checkpoint);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("blast: checkpoints of other walls, meshes and gases", "[blast]") {
  zone_mesh mesh = box_of_zones({{0, 0.5, 1}, {0, 1}});
  const temporary_file same, open, moved, kept;
  write_mfem_mesh(same.name(), mesh);
  mesh.sides.pop_back();
  write_mfem_mesh(open.name(), mesh);
  const settings given{.problem_number = 2, .mesh = same.name(), .refinements = 1};
  {
    simulation of(given);
    for (int i = 0; i < 3; ++i) of.step();
    of.save(kept.name());
  }
  CHECK(refusal(given, kept.name()).empty());
  settings other = given;
  other.mesh = open.name();
  CHECK(refusal(other, kept.name()) == "the checkpoint '" + kept.name() + "' is of another run: the walls are others");
  mesh = box_of_zones({{0, 0.5, 1.25}, {0, 1}});
  write_mfem_mesh(moved.name(), mesh);
  other.mesh = moved.name();
  CHECK(refusal(other, kept.name()).find("the mesh is another") != std::string::npos);

  // Gases: gamma, then the density, then the energy alone.
  const zone_material sod{.attribute = 1, .density = 1, .energy = 2.5, .gamma = 1.4};
  settings with = given;
  with.materials = {sod};
  simulation of(with);
  of.step();
  of.save(kept.name());
  CHECK(refusal(with, kept.name()).empty());
  for (const zone_material& each : {zone_material{1, 1, 2.5, 1.5}, {1, 1.1, 2.5, 1.4}, {1, 1, 2.6, 1.4}}) {
    with.materials = {each};
    CHECK(refusal(with, kept.name()) == "the checkpoint '" + kept.name() + "' is of another run: the gas is another");
  }

  // Sizes and settings by name.
  with.materials = {sod};
  with.refinements = 0;
  CHECK(refusal(with, kept.name()).find("zones: 8 there, 2 here") != std::string::npos);
  with.refinements = 1;
  with.method_number = 3;
  CHECK(refusal(with, kept.name()).find(": method: 4 there, 3 here") != std::string::npos);
  std::ofstream(kept.name()) << "blast checkpoint 1: problem 2\n";
  CHECK(refusal(with, kept.name()).find("its first line is not that of a checkpoint") != std::string::npos);
}

TEST_CASE("blast: a restart with a smaller CFL number makes smaller steps", "[blast]") {
  const temporary_file kept;
  settings given{.problem_number = 2, .dim = 1, .final_time = 0.2};
  simulation of(given);
  for (int i = 0; i < 5; ++i) of.step();
  of.save(kept.name());
  of.step();
  given.cfl = 0.1;
  simulation slower(given);
  slower.load(kept.name());
  slower.step();
  CHECK(slower.run().last_dt() < 0.3 * of.run().last_dt());
  CHECK(slower.run().repeats() > 0);  // each of 0.85 of the length of the one before
}

TEST_CASE("blast: materials as text, and their zones", "[blast]") {
  const zone_material read = material_from("3:0.125:2:1.5");
  CHECK(read.attribute == 3);
  CHECK(read.density == 0.125);
  CHECK(read.energy == 2);
  CHECK(read.gamma == 1.5);
  for (const char* wrong : {"", "1", "1:1:1", "1:1:1:1.4:2", "1:1:1:1.4 ", "x:1:1:1.4", "1,1,1,1.4", "1:0:1:1.4",
                            "1:-1:1:1.4", "1:1:-1:1.4", "1:1:1:1", "1:nan:1:1.4", "1:1:inf:1.4"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(material_from(wrong), Catch::Contains("the material '" + std::string(wrong) + "': "));
  }
  zone_mesh mesh = box_of_zones({{0, 0.5, 1}});
  mesh.attributes[1] = 2;
  CHECK_NOTHROW(check_materials({{.attribute = 1}, {.attribute = 2}}, mesh));
  CHECK_THROWS_WITH(check_materials({{.attribute = 3}}, mesh), Catch::Contains("no zone of the mesh has attribute 3"));
  CHECK_THROWS_WITH(check_materials({{.attribute = 2}, {.attribute = 2}}, mesh),
                    Catch::Contains("attribute 2 has two materials"));

  // The energy of a blast comes on top of that of materials.
  const simulation of({.problem_number = 1, .refinements = 1, .materials = {{1, 2, 3, 1.4}}, .released = 4});
  CHECK(std::abs(of.history()[0].internal - (2 * 3 + 1)) < 1e-13);
}
