// SPDX-License-Identifier: BSD-3-Clause
// The mass operator by each of its strategies, with its mesh.
#include <tessera/fem/strategies/mass.hpp>

#include "scenario.hpp"

namespace tessera::faults {

namespace {

named_scenario mass_by(fem::strategy how) {
  return {std::string("mass operator, ") + fem::name_of(how), [how](int threads) {
            struct memory {
              std::vector<double> x = numbers<double>(9 * 12), y = std::vector<double>(9 * 12);
            };
            const auto m = std::make_shared<memory>();
            return scenario{[=](said& words) {
                              const fem::mesh domain({4, 3}, 1);
                              fem::mass_operator<double> mass(domain, 2, {.how = how, .plans = {.threads = threads}});
                              words.add(mass.describe());
                              auto M = mass.matrices();
                              mass.assemble(M);
                              const auto of = [](std::vector<double>& v) {
                                return fem::packed_operand(scalar_type::f64, space_kind::cpu, of_size(9), 12, v.data());
                              };
                              mass.apply(of(m->x), of(m->y));
                            },
                            {bytes_of(m->y)}};
          }};
}

}  // namespace

scenarios mass_scenarios() {
  scenarios all;
  for (const fem::strategy how : fem::all_strategies) all.push_back(mass_by(how));
  return all;
}

}  // namespace tessera::faults
