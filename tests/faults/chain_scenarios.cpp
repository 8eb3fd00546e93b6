// SPDX-License-Identifier: BSD-3-Clause
// Chains and networks with their workspaces, and executors: batches, groups, several rounds.
#include <tessera/chain.hpp>
#include <tessera/executor.hpp>
#include <tessera/tessera.hpp>

#include "scenario.hpp"

namespace tessera::faults {

namespace {

// Values at points from values at nodes, times D, in two dimensions.
struct element_data {
  static constexpr index_t d = 3, q = 4, count = 150;
  std::vector<double> B = numbers<double>(q * d, 1), D = numbers<double>(q * q * count, 2),
                      x = numbers<double>(d * d * count, 3), y = std::vector<double>(q * q * count);

  operand in() { return operand_of(view_batch(x.data(), of_size(d, d), count)); }
  operand out() { return operand_of(view_batch(y.data(), of_size(q, q), count)); }
  chain made(int threads) {
    const operand b = operand_of(view(B.data(), of_size(q, d)));
    std::vector<chain_step> steps{
        {contraction("kj,aj->ak"), {b}},
        {contraction("kj,jb->kb"), {b}},
        {contraction("ab,ab->ab", add), {operand_of(view_batch(D.data(), of_size(q, q), count))}}};
    return chain(std::move(steps), in(), out(), {.threads = threads});
  }
};

named_scenario whole_chain() {
  return {"a chain, made and run", [](int threads) {
            const auto m = std::make_shared<element_data>();
            return scenario{[=](said& words) {
                              const chain c = m->made(threads);
                              words.add(c.describe());
                              words.add(c.describe(detail_level::brief));
                              buffer workspace(space_kind::cpu, c.workspace_bytes(m->count));
                              c.run(m->in(), m->out(), workspace);
                            },
                            {bytes_of(m->y)}};
          }};
}

named_scenario run_of_chain() {
  return {"a run of a chain", [](int threads) {
            const auto m = std::make_shared<element_data>();
            const auto c = std::make_shared<const chain>(m->made(threads));
            const auto workspace = std::make_shared<buffer>(space_kind::cpu, c->workspace_bytes(m->count));
            return scenario{[=](said&) { c->run(m->in(), m->out(), *workspace); }, {bytes_of(m->y)}};
          }};
}

// A mass operator, which one element kernel runs: its table mirrors itself.
struct mass_data {
  static constexpr index_t d = 3, q = 4, count = 61;
  std::vector<double> B = numbers<double>(q * d, 1), D = numbers<double>(q * q * q * count, 2),
                      x = numbers<double>(d * d * d * count, 3), y = std::vector<double>(d * d * d * count);

  mass_data() {
    for (index_t i = 0; i < q * d / 2; ++i) B[std::size_t(q * d - 1 - i)] = B[std::size_t(i)];
  }
  operand in() { return operand_of(view_batch(x.data(), of_size(d, d, d), count)); }
  operand out() { return operand_of(view_batch(y.data(), of_size(d, d, d), count)); }
  chain made(int threads) {
    const operand b = operand_of(view(B.data(), of_size(q, d)));
    std::vector<chain_step> steps{
        {contraction("ka,abc->kbc"), {b}},
        {contraction("kb,abc->akc"), {b}},
        {contraction("kc,abc->abk"), {b}},
        {contraction("abc,abc->abc"), {operand_of(view_batch(D.data(), of_size(q, q, q), count))}},
        {contraction("ak,abc->kbc"), {b}},
        {contraction("bk,abc->akc"), {b}},
        {contraction("ck,abc->abk"), {b}}};
    return chain(std::move(steps), in(), out(), {.threads = threads});
  }
};

named_scenario mass_as_chain() {
  return {"a chain that is a mass operator, made and run", [](int threads) {
            const auto m = std::make_shared<mass_data>();
            return scenario{[=](said& words) {
                              const chain c = m->made(threads);
                              words.add(c.describe());
                              buffer workspace(space_kind::cpu, c.workspace_bytes(m->count));
                              c.run(m->in(), m->out(), workspace);
                            },
                            {bytes_of(m->y)}};
          }};
}

// Products of two shapes, evenly spaced and not, one of which reads what an earlier one wrote.
struct mixed_list {
  std::vector<double> a = numbers<double>(2000, 1), b = numbers<double>(2000, 2), c = std::vector<double>(3000);
  std::vector<executor_item> items() {
    std::vector<executor_item> all;
    const contraction product("ik,kj->ij"), added("ik,kj->ij", add);
    for (index_t i = 0; i < 17; ++i) {
      all.push_back(make_item(product, view(a.data() + 20 * i, of_size(5, 3)), view(b.data() + 20 * i, of_size(3, 4)),
                              view(c.data() + 20 * i, of_size(5, 4))));
      all.push_back(make_item(added, view(a.data() + 10 * i, of_size(2, 2)),
                              view(b.data() + 4 * (i * i % 17), of_size(2, 2)),
                              view(c.data() + 1000 + 4 * i, of_size(2, 2))));
    }
    all.push_back(make_item(product, view(c.data(), of_size(5, 3)), view(b.data(), of_size(3, 4)),
                            view(c.data() + 2000, of_size(5, 4))));
    return all;
  }
};

named_scenario made_executor() {
  return {"an executor, made and run", [](int threads) {
            const auto m = std::make_shared<mixed_list>();
            return scenario{[=](said& words) {
                              const executor all(m->items(), {.threads = threads});
                              words.add(all.describe());
                              all.run();
                            },
                            {bytes_of(m->c)}};
          }};
}

// Three matrices for each entry, the second one the same for all, and a letter that only it has.
struct network_data {
  static constexpr index_t count = 40;
  std::vector<double> a = numbers<double>(3 * 4 * count, 1), b = numbers<double>(4 * 5 * 2, 2),
                      c = numbers<double>(5 * 6 * count, 3), y = std::vector<double>(3 * 6 * count);
  std::vector<operand> operands() {
    return {operand_of(view_batch(a.data(), of_size(3, 4), count)), operand_of(view(b.data(), of_size(4, 5, 2))),
            operand_of(view_batch(c.data(), of_size(5, 6), count)),
            operand_of(view_batch(y.data(), of_size(3, 6), count))};
  }
  network made(int threads) {
    return make_network_of("ij,jkx,kl->il", operands().data(), 4, {.plans = {.threads = threads}});
  }
};

named_scenario whole_network() {
  return {"a network, made and run", [](int threads) {
            const auto m = std::make_shared<network_data>();
            return scenario{[=](said& words) {
                              const network n = m->made(threads);
                              words.add(n.describe());
                              n.run_operands(m->operands().data(), 4, {});
                            },
                            {bytes_of(m->y)}};
          }};
}

named_scenario run_of_network() {
  return {"a run of a network", [](int threads) {
            const auto m = std::make_shared<network_data>();
            const auto n = std::make_shared<const network>(m->made(threads));
            return scenario{[=](said&) { n->run_operands(m->operands().data(), 4, {}); }, {bytes_of(m->y)}};
          }};
}

}  // namespace

scenarios chain_scenarios() {
  return {whole_chain(), run_of_chain(), mass_as_chain(), made_executor(), whole_network(), run_of_network()};
}

}  // namespace tessera::faults
