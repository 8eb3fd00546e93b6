// SPDX-License-Identifier: BSD-3-Clause
// Plans, groups, chains and executors on a GPU: made and run.
#include <tuple>

#include <tessera/chain.hpp>
#include <tessera/executor.hpp>
#include <tessera/tessera.hpp>

#include "gpu_memory.hpp"

namespace tessera::faults {

namespace {

constexpr index_t count = 37;

// Known to no header of the library: no strides describe it, so that the device gets a table.
struct backwards {
  index_t rows, cols;
  constexpr auto extents() const { return of_size(rows, cols); }
  constexpr index_t offset(index_t i, index_t j) const { return rows * cols - 1 - i - rows * j; }
};

template <class T>
struct product_memory {
  on_gpu<T> a{numbers<T>(64 * count, 1)}, b{numbers<T>(64 * count, 2)}, c{std::vector<T>(64 * count)};
};

template <class T, class A, class B, class C>
void add_product(scenarios& all, const std::string& name, const contraction& what, A a_layout, B b_layout, C c_layout) {
  const auto views = [=](product_memory<T>& m) {
    return std::tuple(view_batch(gpu, m.a.data(), a_layout, count), view_batch(gpu, m.b.data(), b_layout, count),
                      view_batch(gpu, m.c.data(), c_layout, count));
  };
  all.push_back({"gpu plan, " + name, [=](int) {
                   const auto m = std::make_shared<product_memory<T>>();
                   return with_output(
                       [=](said& words) {
                         const auto [a, b, c] = views(*m);
                         const plan p = make_plan(what, a, b, c);
                         words.add(p.describe());
                         p.run(a, b, c);
                       },
                       m->c, m);
                 }});
  all.push_back({"gpu run, " + name, [=](int) {
                   const auto m = std::make_shared<product_memory<T>>();
                   const auto all_views = views(*m);
                   const auto made = [&](const auto&... view) { return make_plan(what, view...); };
                   const plan p = std::apply(made, all_views);
                   const auto run = [=](const auto&... view) { p.run(view...); };
                   return with_output([=](said&) { std::apply(run, all_views); }, m->c, m);
                 }});
}

named_scenario groups() {
  return {"gpu plan, groups", [](int) {
            const auto m = std::make_shared<product_memory<double>>();
            return with_output(
                [=](said& words) {
                  const auto group_of = [](double* memory) {
                    auto g = make_group<double>(gpu, of_size(4, 4));
                    for (index_t b = count - 1; b >= 0; --b) g.push_back(view(gpu, memory + 40 * b, of_size(4, 4)));
                    return g;
                  };
                  const auto a = group_of(m->a.data()), b = group_of(m->b.data()), c = group_of(m->c.data());
                  const plan p = make_plan(contraction("ik,kj->ij"), a.view(), b.view(), c.view());
                  words.add(p.describe());
                  p.run(a.view(), b.view(), c.view());
                },
                m->c, m);
          }};
}

named_scenario through_c() {
  return {"gpu plan through C", [](int) {
            const auto m = std::make_shared<product_memory<double>>();
            return with_output(
                [=](said& words) {
                  struct owned {
                    tessera_plan* made = nullptr;
                    ~owned() { tessera_plan_destroy(made); }
                  } p;
                  const int64_t extent[] = {6, 6};
                  const auto packed = [&](double* data) {
                    return tessera_packed(TESSERA_F64, TESSERA_GPU, data, 2, extent, count);
                  };
                  const tessera_operand all[] = {packed(m->a.data()), packed(m->b.data()), packed(m->c.data())};
                  expect_ok(tessera_plan_create(&p.made, "ik,kj->ij", 1, 1, all, 3, "cuda", 0));
                  words.add(tessera_plan_describe(p.made));
                  expect_ok(tessera_plan_run(p.made, all, 3, nullptr));
                },
                m->c, m);
          }};
}

named_scenario chained(bool fuse) {
  return {std::string("gpu chain, ") + (fuse ? "fused" : "staged"), [=](int) {
            const auto m = std::make_shared<product_memory<double>>();
            const operand B = operand_of(view(gpu, m->b.data(), of_size(4, 3)));
            const operand in = operand_of(view_batch(gpu, m->a.data(), of_size(3, 3), count));
            const operand out = operand_of(view_batch(gpu, m->c.data(), of_size(4, 4), count));
            const std::vector<chain_step> steps{{contraction("kj,aj->ak"), {B}}, {contraction("kj,jb->kb", add), {B}}};
            // Where it cannot be fused its steps run, whose kernels are kept from here on.
            const chain of_steps(steps, in, out, {.fuse = false});
            return with_output(
                [=](said& words) {
                  const chain c(steps, in, out, {.fuse = fuse});
                  words.add(c.describe());
                  buffer workspace(space_kind::gpu, c.workspace_bytes(count));
                  c.run(in, out, workspace);
                  stream_view().synchronize();  // the workspace goes
                },
                m->c, m);
          }};
}

named_scenario listed() {
  return {"gpu executor", [](int) {
            const auto m = std::make_shared<product_memory<double>>();
            return with_output(
                [=](said& words) {
                  std::vector<executor_item> items;
                  const contraction product("ik,kj->ij");
                  for (index_t i = 0; i < 9; ++i)
                    for (const index_t n : {3, 4})
                      items.push_back(make_item(product, view(gpu, m->a.data() + 16 * (i * i % 9), of_size(n, n)),
                                                view(gpu, m->b.data() + 16 * i, of_size(n, n)),
                                                view(gpu, m->c.data() + 300 * (n - 3) + 16 * i, of_size(n, n))));
                  const executor all(items);
                  words.add(all.describe());
                  all.run();
                },
                m->c, m);
          }};
}

}  // namespace

scenarios gpu_plan_scenarios() {
  scenarios all{groups(), through_c(), chained(true), chained(false), listed()};
  const contraction product("ik,kj->ij"), added("ik,kj->ij", add);
  const auto square = of_size(6, 6);
  add_product<double>(all, "packed", product, square, square, square);
  add_product<float>(all, "compiled while it is made", added, of_size(7, 3), of_size(3, 5), of_size(7, 5));
  add_product<complex<double>>(all, "c64", product, of_size(4, 3), of_size(3, 5), of_size(4, 5));
  add_product<double>(all, "with a table of offsets", added, backwards{4, 3}, of_size(3, 5), of_size(4, 5));
  add_product<double>(all, "pointwise", contraction("ij,ij->ij"), square, square, square);
  return all;
}

}  // namespace tessera::faults
