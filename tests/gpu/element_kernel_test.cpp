// SPDX-License-Identifier: BSD-3-Clause
// Element kernels as they are set up and compiled, without a GPU: the rules' tunings fit, and NVRTC takes their
// sources.
#include <tessera/element/operators.hpp>
#include <tessera/gpu/detail/element/collocated.cuh>
#include <tessera/gpu/detail/element/direct.cuh>

#include <string>
#include <type_traits>
#include <vector>

#include "compiled_kernel.hpp"
#include "element_samples.hpp"
#include "fem/own_source.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T, class Function, class Form, class Shape>
using stored = device::stored_data<T, T, Function, Form, Shape, false, device::e_vector_loader<T, true>,
                                   device::e_vector_storer<T, true>>;

// Cubes, as the kernel counts them.
template <class Function, bool direct>
int cubes_in_kernel() {
  constexpr int dim = Function::dim;
  using form = device::element_form<dim, 3, 4, 3, false, false, true>;
  constexpr int entries = device::power_of(4, dim);
  using shape = device::element_shape<1, 32, 1, dim - 1, 0, direct, false, 4, 16, entries>;
  using data = stored<double, Function, form, shape>;
  using program = std::conditional_t<direct, device::direct_program<data>, device::collocated_program<data>>;
  return program::shared_entries / entries;
}
template <class F>
void check_cubes() {
  constexpr int dim = F::dim;
  const element_kernel_facts facts{.dim = dim, .of_trial = F::trial, .of_test = F::test};
  CHECK(cubes_of(facts, false) == cubes_in_kernel<F, false>());
  if constexpr (F::trial.gradient && F::trial.components == 1 && dim > 1) {
    CHECK(can_be_direct(facts));
    CHECK(cubes_of(facts, true) == cubes_in_kernel<F, true>());
  } else {
    CHECK_FALSE(can_be_direct(facts));
  }
  if constexpr (dim == 1 && F::trial.gradient) {
    element_kernel_facts own = facts;
    own.own_slopes = true;
    CHECK(can_be_direct(own));
    CHECK(cubes_of(own, true) == cubes_in_kernel<F, true>());
  }
}
template <int dim>
void check_all_cubes() {
  for_each_kind([]<operator_kind kind>(known_kind<kind>) { check_cubes<operator_function<kind, dim>>(); });
}

}  // namespace

TEST_CASE("gpu element kernel: shared memory is counted as the kernel lays it out", "[element]") {
  check_all_cubes<1>();
  check_all_cubes<2>();
  check_all_cubes<3>();
}

TEST_CASE("gpu element kernel: room for pieces is counted as the kernel lays it out", "[element]") {
  const auto check = []<int elements, int together, int batches, bool staged>() {
    using F = pointwise::diffusion<3>;
    using form = device::element_form<3, 3, 4, 3, false, false, true>;
    using shape = device::element_shape<elements, 256, 1, 2, 0, true, staged, 4, 16, 64, false, 2, together, batches>;
    using program = device::direct_program<stored<float, F, form, shape>>;
    const element_kernel_facts f{.dim = 3,
                                 .trial = 3,
                                 .points = 4,
                                 .test = 3,
                                 .of_trial = F::trial,
                                 .of_test = F::test,
                                 .factors = F::factors,
                                 .several = together > 1,
                                 .repeats = together,
                                 .entry_bytes = 4,
                                 .stored_bytes = 4};
    const element_tuning t{.elements = elements,
                           .threads = 256,
                           .last = 2,
                           .direct = true,
                           .staged = staged,
                           .pitch = {4, 16},
                           .pitch_element = 64,
                           .packed = 2,
                           .together = together,
                           .batches = batches};
    const int pieces = program::vector_bytes + (staged ? program::data_bytes : 0);
    CHECK(shared_bytes_of(f, t) ==
          whole_sixteens(program::shared_entries * 4) + batches * pieces + arrival_bytes(batches));
    CHECK(std::string(why_unfit(f, t)).empty());
  };
  check.operator()<3, 1, 1, false>();
  check.operator()<3, 1, 4, true>();
  check.operator()<5, 3, 2, true>();
}

TEST_CASE("gpu element kernel: the rules' tunings fit, on every architecture", "[element]") {
  for (const int architecture : {75, 80, 86, 90})
    for (const int dim : {1, 2, 3})
      for (int p = 1; p <= (dim == 3 ? 10 : 16); ++p)
        for (const int more : {1, 2})
          for (const int bytes : {4, 8})
            for (const sample& s : samples(dim, p, p + more, false, bytes)) {
              const gpu_limits limits = gpu_limits_of(architecture);
              const element_tuning t = ruled_element_tuning(s.facts, limits);
              INFO(s.function << " p " << p << " q " << p + more << ", " << bytes << " bytes, sm_" << architecture);
              // Coupled components in 3-D are large: what does not fit is said.
              if (shared_bytes_of(s.facts, t) > limits.shared_bytes)
                CHECK(std::string(why_unfit(s.facts, t, limits)) == "an element does not fit shared memory");
              else
                CHECK(std::string(why_unfit(s.facts, t, limits)).empty());
            }
}

TEST_CASE("gpu element kernel: the rules' tunings fill warps and leave four blocks a multiprocessor", "[element]") {
  for (int p = 1; p <= 8; ++p)
    for (const int more : {1, 2})
      for (const sample& s : samples(3, p, p + more, false, 8)) {
        if (s.facts.of_trial.components > 1) continue;
        const element_tuning t = ruled_element_tuning(s.facts);
        INFO(s.function << " p " << p << " q " << p + more);
        CHECK(t.blocks >= (s.facts.factors > 7 ? 3 : 4));
        CHECK(t.threads >= 64);
        CHECK(t.threads <= 288);
        CHECK(100 * t.elements * (t.by_plane ? s.facts.side() : s.facts.lines()) >= 75 * t.threads);
      }
}

TEST_CASE("gpu element kernel: the rules take planes of values in float and of several components", "[element]") {
  for (int p = 1; p <= 8; ++p)
    for (const int bytes : {4, 8})
      for (const int repeats : {1, 3})
        for (sample s : samples(3, p, p + 2, false, bytes)) {
          s.facts.repeats = repeats;
          s.facts.several = repeats > 1;
          const bool values = !s.facts.slopes();
          const element_tuning t = ruled_element_tuning(s.facts);
          INFO(s.function << " p " << p << ", " << bytes << " bytes, " << repeats << " times");
          CHECK(std::string(why_unfit(s.facts, t)).empty());
          CHECK(t.by_plane == (values && (bytes == 4 ? p <= 7 : p == 1 || (repeats > 1 && p <= 5))));
          if (!t.by_plane) continue;
          CHECK((t.packed == 2 && t.staged && t.together == repeats));
          CHECK(t.blocks * t.threads >= 256);
          s.facts.adjacent = false;  // elements one by one are taken by lines
          CHECK_FALSE(ruled_element_tuning(s.facts).by_plane);
          CHECK(std::string(why_unfit(s.facts, ruled_element_tuning(s.facts))).empty());
        }
}

TEST_CASE("gpu element kernel: padding takes conflicts away and little room", "[element]") {
  for (int p = 1; p <= 8; ++p)
    for (const sample& s : samples(3, p, p + 2, false, 8)) {
      const element_tuning t = ruled_element_tuning(s.facts);
      element_tuning tight = t;
      const int n = p + 2;
      tight.pitch[0] = n;
      tight.pitch[1] = n * n;
      tight.pitch_element = n * n * n;
      INFO(s.function << " p " << p);
      CHECK(shared_trips(s.facts, t) <= shared_trips(s.facts, tight));
      CHECK(10 * t.pitch_element <= 13 * tight.pitch_element);
      if (n % 2 == 0 && n >= 6) CHECK(shared_trips(s.facts, t) < shared_trips(s.facts, tight));
    }
}

TEST_CASE("gpu element kernel: what cannot run is said", "[element]") {
  const element_kernel_facts f{.dim = 3, .trial = 3, .points = 4, .test = 3};
  const element_tuning good = ruled_element_tuning(f);
  const auto why = [&](auto change) {
    element_tuning t = good;
    change(t);
    return std::string(why_unfit(f, t));
  };
  CHECK(why([](element_tuning&) {}).empty());
  CHECK(why([](element_tuning& t) { t.elements = t.threads; }) == "a line has no thread");
  CHECK(why([](element_tuning& t) { t.last = 3; }) == "there is no such last direction");
  CHECK(why([](element_tuning& t) { t.pitch[0] = 3; }) == "lines in shared memory overlap");
  CHECK(why([](element_tuning& t) { t.pitch_element = 63; }) == "lines in shared memory overlap");
  CHECK(why([](element_tuning& t) { t.blocks = 33; }) == "too many blocks are asked for");
  CHECK(why([](element_tuning& t) { t.direct = true; }) == "derivatives cannot be taken directly");
  CHECK(why([](element_tuning& t) { t.pitch_element = 40000; }) == "an element does not fit shared memory");
  CHECK(why([](element_tuning& t) { t.packed = 3; }) == "there is no such way for x and y");
  CHECK(why([](element_tuning& t) { t.elements = 1, t.together = 2; }) ==
        "not all applications to an element have threads of their own");
  CHECK(why([](element_tuning& t) { t.batches = 2; }) == "batches come in pieces, and D with them");
  CHECK(why([](element_tuning& t) { t.packed = 1; }).empty());
  CHECK(why([](element_tuning& t) { t.by_plane = true; }).empty());
  const auto why_no_pieces = [&](auto change) {
    element_kernel_facts other = f;
    change(other);
    element_tuning t = ruled_element_tuning(other);
    t.packed = 1;
    return std::string(why_unfit(other, t));
  };
  CHECK(why_no_pieces([](element_kernel_facts& o) { o.adjacent = false; }) == "x and y do not come in one piece");
  CHECK(why_no_pieces([](element_kernel_facts& o) { o.several = true; }) == "x and y do not come in one piece");
  CHECK(why_no_pieces([](element_kernel_facts& o) { o.dim = 1; }) == "x and y do not come in one piece");
  const auto why_not_by_warp = [](const element_kernel_facts& facts, int elements, bool direct) {
    return std::string(
        why_unfit(facts, {.elements = elements, .threads = 64, .last = 2, .direct = direct, .by_warp = true}));
  };
  CHECK(why_not_by_warp(f, 8, false).empty());
  CHECK(why_not_by_warp(f, 2, false) == "elements are not those of the block's warps");
  CHECK(why_not_by_warp(f, 8, true) == "a warp takes derivatives directly");
  const element_kernel_facts nine{.dim = 3, .trial = 8, .points = 9, .test = 8};
  CHECK(why_not_by_warp(nine, 2, false) == "a warp cannot hold an element");
  const element_kernel_facts large{.dim = 3, .trial = 31, .points = 32, .test = 31};
  CHECK(std::string(why_unfit(large, default_element_tuning(large))) == "an element does not fit shared memory");
}

TEST_CASE("gpu element kernel: NVRTC takes every operator, dimension and variant", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const device::element_kernel& kernel, int architecture) {
    check_compiles(kernel, architecture);
  };
  const auto kernel_of = [](const sample& s, const device::element_variant& variant) {
    element_kernel_facts facts = s.facts;
    facts.several = variant.several;
    facts.unit = facts.adjacent = variant.unit;
    facts.stored_bytes = int(size_of(variant.stored));
    return device::element_kernel{.type = s.facts.entry_bytes == 8 ? scalar_type::f64 : scalar_type::f32,
                                  .function = s.function,
                                  .text = "",
                                  .facts = facts,
                                  .tuning = default_element_tuning(facts),
                                  .variant = variant};
  };
  for (const int dim : {1, 2, 3})
    for (const sample& s : samples(dim, 2, 4, false, 8)) check(kernel_of(s, {}), 90);
  const sample diffusion = samples(3, 3, 4, true, 4)[1];
  check(kernel_of(diffusion, {.stored = scalar_type::f32}), 90);
  check(kernel_of(samples(3, 2, 3, false, 8)[0], {.stored = scalar_type::f32, .several = true, .unit = false}), 90);
  check(kernel_of(samples(2, 2, 3, false, 8)[2], {.several = true, .unit = false}), 80);

  // Both ways to derivatives, D through shared memory or not.
  for (const bool direct : {false, true})
    for (const bool staged : {false, true})
      for (const int architecture : {80, 90}) {
        device::element_kernel kernel = kernel_of(samples(3, 2, 4, false, 8)[1], {});
        kernel.tuning = ruled_element_tuning(kernel.facts);  // a record's may hold elements in warps
        kernel.tuning.direct = direct;
        kernel.tuning.staged = staged;
        check(kernel, architecture);
      }

  // A warp holds elements.
  for (const int architecture : {80, 90})
    for (const int p : {2, 5}) {
      device::element_kernel kernel = kernel_of(samples(3, p, p + 2, false, 8)[1], {});
      kernel.tuning = {.elements = elements_of_warp(kernel.facts), .threads = 32, .direct = true, .by_warp = true};
      CHECK(std::string(why_unfit(kernel.facts, kernel.tuning)).empty());
      check(kernel, architecture);
    }

  // In pieces, by planes, all components at the same time.
  for (const int architecture : {80, 90})
    for (const int pieces : {1, 2})
      for (const bool by_plane : {false, true}) {
        device::element_kernel kernel = kernel_of(samples(3, 2, 3, false, by_plane ? 8 : 4)[by_plane ? 0 : 1], {});
        kernel.facts.several = kernel.variant.several = true;
        kernel.facts.repeats = kernel.variant.repeats = 3;
        kernel.tuning = {.elements = 2,
                         .threads = 64,
                         .last = 2,
                         .staged = true,
                         .pitch = {3, 9},
                         .pitch_element = 27,
                         .packed = pieces,
                         .together = 3,
                         .batches = 2,
                         .by_plane = by_plane};
        CHECK(std::string(why_unfit(kernel.facts, kernel.tuning)).empty());
        check(kernel, architecture);
      }

  // A function of a user's: text in front of the kernel.
  device::element_kernel own = kernel_of(samples(2, 2, 4, false, 8)[0], {});
  own.function = "mine::damping";
  own.text = R"(
namespace mine {
struct damping {
  static constexpr int dim = 2, factors = 1;
  static constexpr tessera::point_shape trial{.value = true}, test{.value = true};
  double strength;
  template <class S>
  constexpr void operator()(const tessera::at_point<S, 1, 2>& u, const S (&D)[1], tessera::at_point<S, 1, 2>& v) const {
    v.value[0] = S(strength) * D[0] * sqrt(u.value[0] * u.value[0] + S(1.0)) * u.value[0];
  }
};
})";
  check(own, 90);

  // With every function, and fields beside u.
  device::element_kernel at_state = kernel_of(samples(3, 2, 4, false, 8)[2], {});
  at_state.facts.factors = 6;
  at_state.function = "tessera::testing::at_state";
  at_state.text = own_source("at_state").text;
  for (const int architecture : {80, 90}) check(at_state, architecture);

  // That evaluates a field.
  device::element_kernel field = at_state;
  field.facts.factors = 1;
  field.facts.of_test = {.components = 4, .value = true};
  field.tuning = default_element_tuning(field.facts);
  field.function = "tessera::detail::numbers_of_field<3, 1, true, true>";
  field.text = "#include <tessera/element/point_field.hpp>";
  check(field, 90);
  own.function = "mine::missing";
  CHECK(device::compile_source(device::source_of(own), {}, 90).first_error().find("missing") != std::string::npos);
}

TEST_CASE("gpu element kernel: NVRTC leaves nothing in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  // The rules' planes.
  for (const int p : {1, 3, 5, 7})
    for (const int bytes : {4, 8}) {
      if (bytes == 8 && p == 7) continue;
      const sample s = samples(3, p, p + 2, false, bytes)[0];
      const scalar_type type = bytes == 4 ? scalar_type::f32 : scalar_type::f64;
      device::element_kernel kernel{.type = type, .function = s.function, .text = "", .facts = s.facts};
      kernel.facts.several = kernel.variant.several = true;
      kernel.facts.repeats = kernel.variant.repeats = 3;
      kernel.variant.stored = type;
      kernel.tuning = ruled_element_tuning(kernel.facts);
      INFO("planes, p " << p << ", " << bytes << " bytes");
      CHECK(kernel.tuning.by_plane);
      check_compiles(kernel, 90, 0);
    }
  // Copies that a compiler unrolls took 110 registers where 28 are enough.
  for (const int pieces : {1, 2})
    for (const bool staged : {false, true}) {
      const sample s = samples(3, 2, 4, false, 4)[0];
      device::element_kernel kernel{.type = scalar_type::f32, .function = s.function, .text = "", .facts = s.facts};
      kernel.variant.stored = scalar_type::f32;
      kernel.tuning = {.elements = 8,
                       .threads = 128,
                       .blocks = 12,
                       .last = 2,
                       .staged = staged,
                       .pitch = {4, 16},
                       .pitch_element = 64,
                       .packed = pieces,
                       .batches = staged ? 2 : 1};
      INFO("packed " << pieces << (staged ? ", staged" : ""));
      CHECK(std::string(why_unfit(kernel.facts, kernel.tuning)).empty());
      check_compiles(kernel, 90, 0);
    }
  for (int p = 1; p <= 8; ++p)
    for (const sample& s : samples(3, p, p + 2, false, 8)) {
      const std::string name = s.function;
      if (name.find("mass") == std::string::npos && name.find("diffusion") == std::string::npos) continue;
      const device::element_kernel kernel{
          .function = name, .text = "", .facts = s.facts, .tuning = default_element_tuning(s.facts)};
      INFO(name << " p " << p);
      check_compiles(kernel, 90, 0);
    }
}
