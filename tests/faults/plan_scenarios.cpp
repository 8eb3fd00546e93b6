// SPDX-License-Identifier: BSD-3-Clause
// Plans: made and run, of several contractions, types, layouts and targets, through C++ and C.
#include <tessera/tessera.hpp>

#include "scenario.hpp"
#include "testing/scattered.hpp"
#include "testing/targets.hpp"

namespace tessera::faults {

namespace {

constexpr index_t count = 101;  // enough for two threads

// Columns in reversed order, which no strides describe.
struct scrambled {
  index_t rows, cols;
  constexpr auto extents() const { return of_size(rows, cols); }
  constexpr index_t offset(index_t i, index_t j) const { return (cols - 1 - j) * (rows + 1) + (rows - 1 - i); }
};

// The memory of a product's operands.
template <class In, class Out>
struct memory {
  std::vector<In> a = numbers<In>(12000, 1), b = numbers<In>(12000, 2);
  std::vector<Out> c = std::vector<Out>(12000);
};

// One that makes its plan anew in each call, and one that runs a plan.
template <class Memory, class A, class B, class C>
void add_pair(scenarios& all, const std::string& name, const contraction& what, target on, A a, B b, C c) {
  all.push_back({"plan, " + name, [=](int threads) {
                   const auto m = std::make_shared<Memory>();
                   return scenario{[=](said& words) {
                                     const auto x = a(*m);
                                     const auto y = b(*m);
                                     auto z = c(*m);
                                     const plan p = make_plan(what, x, y, z, {.on = on, .threads = threads});
                                     words.add(p.describe());
                                     words.add(p.describe(detail_level::brief));
                                     p.run(x, y, z);
                                   },
                                   {bytes_of(m->c)}};
                 }});
  all.push_back({"run, " + name, [=](int threads) {
                   const auto m = std::make_shared<Memory>();
                   auto x = std::make_shared<decltype(a(*m))>(a(*m));
                   auto y = std::make_shared<decltype(b(*m))>(b(*m));
                   auto z = std::make_shared<decltype(c(*m))>(c(*m));
                   const plan p = make_plan(what, *x, *y, *z, {.on = on, .threads = threads});
                   return scenario{[=](said& words) {
                                     // A run need not allocate.
                                     words.add(p.describe(detail_level::brief));
                                     p.run(*x, *y, *z);
                                   },
                                   {bytes_of(m->c)},
                                   m};
                 }});
}

template <class In, class Out = In>
void add_product(scenarios& all, const std::string& name, const contraction& what, target on) {
  add_pair<memory<In, Out>>(
      all, name + " on " + name_of(on), what, on, [](auto& m) { return view_batch(m.a.data(), of_size(5, 4), count); },
      [](auto& m) { return view_batch(m.b.data(), of_size(4, 6), count); },
      [](auto& m) { return view_batch(m.c.data(), of_size(5, 6), count); });
}

void add_layouts(scenarios& all, target on) {
  using doubles = memory<double, double>;
  const contraction product("ik,kj->ij", add);
  const std::string where = std::string(" on ") + name_of(on);
  const auto b = [](auto& m) { return view_batch(m.b.data(), of_size(4, 6), count); };
  const auto c = [](auto& m) { return view_batch(m.c.data(), of_size(5, 6), count); };
  const auto lanes = [](auto e) { return interleaved<8, column_major<decltype(e)>>(column_major(e)); };
  add_pair<doubles>(
      all, "interleaved" + where, product, on,
      [=](auto& m) { return view_batch(m.a.data(), lanes(of_size(5, 4)), count); },
      [=](auto& m) { return view_batch(m.b.data(), lanes(of_size(4, 6)), count); },
      [=](auto& m) { return view_batch(m.c.data(), lanes(of_size(5, 6)), count); });
  add_pair<doubles>(
      all, "by rows, padded" + where, product, on,
      [](auto& m) { return view_batch(m.a.data(), row_major(of_size(5, 4), 7), count); }, b,
      [](auto& m) { return view_batch(m.c.data(), column_major(of_size(5, 6), 8), count); });
  add_pair<doubles>(
      all, "a layout of the user's" + where, product, on,
      [](auto& m) {
        return view_batch(m.a.data(), scrambled{5, 4}, count);
      },
      b, c);
  add_pair<doubles>(
      all, "pointwise" + where, contraction("abc,abc->abc"), on,
      [](auto& m) { return view_batch(m.a.data(), of_size(3, 4, 9), count); },
      [](auto& m) { return view_batch(m.b.data(), of_size(3, 4, 9), count); },
      [](auto& m) { return view_batch(m.c.data(), of_size(3, 4, 9), count); });
  add_pair<doubles>(
      all, "a shared input, three letters" + where, contraction("kj,jbc->kbc"), on,
      [](auto& m) { return view(m.a.data(), of_size(4, 3)); },
      [](auto& m) { return view_batch(m.b.data(), of_size(3, 4, 5), count); },
      [](auto& m) { return view_batch(m.c.data(), of_size(4, 4, 5), count); });
}

// Groups: looked at when they are made, in the call.
void add_groups(scenarios& all, target on) {
  using testing::scattered;
  using apart = scattered<double, column_major<extents<dynamic, dynamic>>>;
  struct memory {
    apart a{column_major(of_size(5, 4)), count}, b{column_major(of_size(4, 6)), count},
        c{column_major(of_size(5, 6)), count};
  };
  all.push_back({std::string("plan over groups on ") + name_of(on), [on](int threads) {
                   const auto m = std::make_shared<memory>();
                   std::fill(m->a.memory().begin(), m->a.memory().end(), 2.0);
                   std::fill(m->b.memory().begin(), m->b.memory().end(), 3.0);
                   return scenario{[=](said& words) {
                                     const auto a = m->a.group(), b = m->b.group();
                                     const auto c = m->c.group();
                                     const plan p =
                                         make_plan(contraction("ik,kj->ij"), a, b, c, {.on = on, .threads = threads});
                                     words.add(p.describe());
                                     p.run(a, b, c);
                                   },
                                   {bytes_of(m->c.memory())}};
                 }});
}

named_scenario three_inputs() {
  return {"plan, three inputs", [](int threads) {
            const auto m = std::make_shared<memory<double, double>>();
            return scenario{[=](said& words) {
                              const auto B = view(m->a.data(), of_size(4, 3));
                              const auto D = view_batch(m->b.data(), of_size(4, 5), count);
                              auto M = view_batch(m->c.data(), of_size(3, 5, 3), count);
                              const plan p = make_plan(contraction("ki,kj,kl->ilj"), B, B, D, M, {.threads = threads});
                              words.add(p.describe());
                              p.run(B, B, D, M);
                            },
                            {bytes_of(m->c)}};
          }};
}

struct c_plan {
  tessera_plan* made = nullptr;
  ~c_plan() { tessera_plan_destroy(made); }
};

// members: of the output, which is then a group.
void add_through_c(scenarios& all, target on, bool grouped) {
  const std::string name = name_of(on);
  all.push_back({std::string("plan through C, ") + (grouped ? "a group on " : "batches on ") + name, [=](int threads) {
                   const auto m = std::make_shared<memory<double, double>>();
                   const auto members = std::make_shared<std::vector<void*>>();
                   for (index_t b = 0; b < count; ++b) members->push_back(m->c.data() + 40 * (count - 1 - b));
                   return scenario{
                       [=](said& words) {
                         const int64_t a[] = {5, 4}, b[] = {4, 6}, c[] = {5, 6};
                         tessera_operand all_of[] = {
                             tessera_packed(TESSERA_F64, TESSERA_CPU, m->a.data(), 2, a, count),
                             tessera_packed(TESSERA_F64, TESSERA_CPU, m->b.data(), 2, b, count),
                             tessera_packed(TESSERA_F64, TESSERA_CPU, m->c.data(), 2, c, count)};
                         if (grouped) all_of[2].members = members->data();
                         c_plan p;
                         expect_ok(tessera_plan_create(&p.made, "ik,kj->ij", 1.5, 0, all_of, 3, name.c_str(), threads));
                         words.add(tessera_plan_describe(p.made));
                         words.add(tessera_plan_describe_brief(p.made));
                         expect_ok(tessera_plan_run(p.made, all_of, 3, nullptr));
                       },
                       {bytes_of(m->c)}};
                 }});
}

}  // namespace

scenarios plan_scenarios() {
  scenarios all;
  for (const target on : testing::cpu_targets()) {
    const contraction product("ik,kj->ij");
    add_product<double>(all, "f64", product, on);
    add_product<float>(all, "f32", contraction("ik,kj->ij", {1.5, -0.5}), on);
    add_layouts(all, on);
    add_groups(all, on);
    for (const bool grouped : {false, true}) add_through_c(all, on, grouped);
  }
  const target plain = target::reference;
  add_product<complex<float>>(all, "c32", contraction("ik,kj->ij"), plain);
  add_product<complex<double>>(all, "c64", contraction("ik,kj->ij", add), plain);
  add_product<half>(all, "f16", contraction("ik,kj->ij"), plain);
  add_product<bfloat16, float>(all, "bf16 to f32", contraction("ik,kj->ij"), plain);
  add_product<float>(all, "f32 in f64", contraction("ik,kj->ij", sums_in<double>(add)), plain);
  add_product<short, int>(all, "i16 to i32", contraction("ik,kj->ij", add), plain);
  const contraction paths = contraction("ik,kj->ij").with({.a = relu, .result = leaky_relu(0.5)}).over(min_plus);
  add_product<double>(all, "min_plus with functions", paths, plain);
  all.push_back(three_inputs());
  return all;
}

}  // namespace tessera::faults
