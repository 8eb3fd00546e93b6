// SPDX-License-Identifier: BSD-3-Clause
// Operators around functions of the user's: compiled ones, ones that are called for blocks of points, and C callbacks.
#include <tessera/fem/tessera_fem.h>
#include <tessera/cpu/element/own_function.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/fem/element_operator.hpp>

#include "element_meshes.hpp"

namespace tessera::faults {

namespace {

struct own_memory {
  static constexpr int dim = 2, d = 3, q = 4;
  index_t elements = elements_in(dim);
  std::vector<double> x = numbers<double>(d * d * elements), y = std::vector<double>(std::size_t(d * d * elements)),
                      D = numbers<double>(q * q * 3 * elements);
  fem::element_operator_options options{.trial = {.order = d - 1}, .points = q};
};

void twice(const points_block<double>& b, const void* state) {
  const double by = *static_cast<const double*>(state);
  for (index_t n = 0; n < b.count; ++n) b.value_out[n] = by * b.D[n] * b.value[n];
}

compiled_function<double> called_for_blocks() {
  return {.name = "twice",
          .dim = own_memory::dim,
          .factors = 3,
          .state = std::make_shared<const double>(2.0),
          .trial = {.value = true},
          .test = {.value = true},
          .at_points = twice};
}

using make_function = compiled_function<double> (*)();

void add(scenarios& all, const std::string& name, make_function function) {
  all.push_back({"operator, " + name, [=](int) {
                   const auto m = std::make_shared<own_memory>();
                   return scenario{[=](said& words) {
                                     const fem::element_operator<double> op(function(), m->elements, m->D.data(),
                                                                            m->options);
                                     words.add(op.describe());
                                     op.apply(m->x.data(), m->y.data());
                                   },
                                   {bytes_of(m->y)}};
                 }});
  all.push_back({"apply, " + name, [=](int) {
                   const auto m = std::make_shared<own_memory>();
                   const auto op = std::make_shared<const fem::element_operator<double>>(function(), m->elements,
                                                                                         m->D.data(), m->options);
                   return scenario{[=](said& words) {
                                     words.add(std::string(100, '.'));
                                     op->apply(m->x.data(), m->y.data());
                                   },
                                   {bytes_of(m->y)}};
                 }});
}

extern "C" void twice_from_c(const tessera_point_block* b, void* context) {
  const double by = *static_cast<const double*>(context);
  for (index_t n = 0; n < b->count; ++n)
    static_cast<double*>(b->value_out)[n] =
        by * static_cast<const double*>(b->D)[n] * static_cast<const double*>(b->value)[n];
}

named_scenario through_c() {
  return {"operator through C, a callback", [](int) {
            const auto m = std::make_shared<own_memory>();
            return scenario{
                [=](said& words) {
                  struct owned {
                    tessera_element_operator* made = nullptr;
                    ~owned() { tessera_element_destroy(made); }
                  } op;
                  double by = 2;
                  tessera_element_options o = tessera_element_defaults("mass", own_memory::dim, 2);
                  tessera_element_function f{};
                  f.dim = own_memory::dim;
                  f.components = f.test_components = f.takes_value = f.gives_value = 1;
                  f.factors = 3;
                  f.at_points = twice_from_c;
                  f.context = &by;
                  expect_ok(tessera_element_create_from_function(&op.made, &o, &f, m->elements, m->D.data()));
                  words.add(tessera_element_describe(op.made));
                  expect_ok(tessera_element_apply(op.made, m->x.data(), m->y.data(), 0, nullptr));
                },
                {bytes_of(m->y)}};
          }};
}

}  // namespace

scenarios own_function_scenarios() {
  scenarios all{through_c()};
  add(all, "a compiled function", [] { return own_function<double>(pointwise::diffusion<2>{}, "diffusion"); });
  add(all, "a function of blocks", called_for_blocks);
  return all;
}

}  // namespace tessera::faults
