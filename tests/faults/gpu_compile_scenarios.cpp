// SPDX-License-Identifier: BSD-3-Clause
// Calls that compile something new each time: what failed once must be compiled when it is asked for again.
#include <tessera/fem/tessera_fem.h>
#include <tessera/chain.hpp>
#include <tessera/tessera.hpp>

#include "element_meshes.hpp"
#include "gpu_memory.hpp"

namespace tessera::faults {

namespace {

constexpr index_t count = 5;

// Inputs of ones; the first entries of the output alone are looked at, which do not depend on its size.
struct ones {
  on_gpu<double> a{std::vector<double>(8192, 1.0)}, b{std::vector<double>(8192, 1.0)}, c{std::vector<double>(32768)};
  std::vector<double> seen = std::vector<double>(8);
  int number = 0;
};

scenario of_first_entries(std::function<void(said&)> call, const std::shared_ptr<ones>& m) {
  scenario s{std::move(call), {bytes_of(m->seen)}, m};
  const auto move = [m](bool to_device) {
    double* const there = m->c.data();
    const std::size_t bytes = m->seen.size() * sizeof(double);
    if (to_device)
      device::copy(there, m->seen.data(), bytes, device::direction::host_to_device);
    else
      device::copy(m->seen.data(), there, bytes, device::direction::device_to_host);
  };
  s.send = [move] { move(true); };
  s.fetch = [move] { move(false); };
  s.renew = [m] { ++m->number; };
  return s;
}

// Not the sizes, which are others each time.
void add_whether_compiled(said& words, const std::string& text) {
  const bool is = text.find("compiled at run time") != std::string::npos &&
                  text.find("no kernel was compiled") == std::string::npos &&
                  text.find("not fused") == std::string::npos;
  words.add(is ? "compiled" : text);
}

named_scenario row() {
  return {"gpu compile, a row", [](int) {
            const auto m = std::make_shared<ones>();
            return of_first_entries(
                [=](said& words) {
                  const index_t rows = 11 + m->number;
                  const auto a = view_batch(gpu, m->a.data(), of_size(rows, 5), count);
                  const auto b = view_batch(gpu, m->b.data(), of_size(5, 3), count);
                  const auto c = view_batch(gpu, m->c.data(), of_size(rows, 3), count);
                  const plan p = make_plan(contraction("ik,kj->ij"), a, b, c);
                  add_whether_compiled(words, p.describe());
                  p.run(a, b, c);
                },
                m);
          }};
}

named_scenario fused() {
  return {"gpu compile, a chain", [](int) {
            const auto m = std::make_shared<ones>();
            return of_first_entries(
                [=](said& words) {
                  const index_t q = 4 + m->number;
                  const operand B = operand_of(view(gpu, m->b.data(), of_size(q, 3)));
                  const operand in = operand_of(view_batch(gpu, m->a.data(), of_size(3, 3), count));
                  const operand out = operand_of(view_batch(gpu, m->c.data(), of_size(q, q), count));
                  const std::vector<chain_step> steps{{contraction("kj,aj->ak"), {B}}, {contraction("kj,jb->kb"), {B}}};
                  // Where it cannot be fused its steps run, whose kernels are kept, too.
                  const chain of_steps(steps, in, out, {.fuse = false});
                  const chain c(steps, in, out);
                  add_whether_compiled(words, c.describe());
                  buffer workspace(space_kind::gpu, c.workspace_bytes(count));
                  c.run(in, out, workspace);
                  stream_view().synchronize();  // the workspace goes
                },
                m);
          }};
}

// Its text is another one each time.
named_scenario own_function() {
  return {"gpu compile, a user's function", [](int) {
            const auto m = std::make_shared<ones>();
            return of_first_entries(
                [=](said& words) {
                  struct owned {
                    tessera_element_operator* made = nullptr;
                    ~owned() { tessera_element_destroy(made); }
                  } op;
                  const std::string source =
                      "#include <tessera/element/pointwise.hpp>\nstruct mine" + std::to_string(m->number) +
                      " {\n"
                      "  static constexpr int dim = 2, factors = 1;\n"
                      "  static constexpr tessera::point_shape trial{.value = true}, test{.value = true};\n"
                      "  template <class S>\n"
                      "  constexpr void operator()(const tessera::at_point<S, 1, 2>& u, const S (&D)[1],\n"
                      "                            tessera::at_point<S, 1, 2>& v) const {\n"
                      "    v.value[0] = D[0] * u.value[0];\n"
                      "  }\n};\n";
                  const std::string type = "mine" + std::to_string(m->number);
                  tessera_element_options o = tessera_element_defaults("mass", 2, 1);
                  o.target = "cuda";
                  tessera_element_function f{};
                  f.name = "mine";
                  f.dim = 2;
                  f.components = f.test_components = f.takes_value = f.gives_value = f.factors = 1;
                  f.source = source.c_str();
                  f.source_type = type.c_str();
                  const std::vector<double> D(9 * count, 1.0);
                  expect_ok(tessera_element_create_from_function(&op.made, &o, &f, count, D.data()));
                  words.add(tessera_element_describe_brief(op.made));
                  expect_ok(tessera_element_apply(op.made, m->a.data(), m->c.data(), 0, nullptr));
                  stream_view().synchronize();  // D goes
                },
                m);
          }};
}

}  // namespace

scenarios gpu_compile_scenarios() { return {row(), fused(), own_function()}; }

}  // namespace tessera::faults
