// SPDX-License-Identifier: BSD-3-Clause
// Runs of networks: workspaces, several threads, and what is refused in which words.
#include <tessera/batch.hpp>
#include <tessera/group.hpp>
#include <tessera/memory.hpp>
#include <tessera/network.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "src/network/steps.hpp"

#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using plain_matrix = tensor<double, cpu, extents<dynamic, dynamic>>;

plain_matrix filled_matrix(index_t rows, index_t cols, double first) {
  plain_matrix m = make_tensor<double>(of_size(rows, cols));
  for (index_t j = 0; j < cols; ++j)
    for (index_t i = 0; i < rows; ++i) m(i, j) = first + double((3 * i + 2 * j) % 5) - 2;
  return m;
}

// out = a b c, by hand.
plain_matrix product_of(const plain_matrix& a, const plain_matrix& b, const plain_matrix& c) {
  plain_matrix out = make_tensor<double>(of_size(a.extents()(0), c.extents()(1)));
  for (index_t i = 0; i < a.extents()(0); ++i)
    for (index_t l = 0; l < c.extents()(1); ++l)
      for (index_t j = 0; j < b.extents()(0); ++j)
        for (index_t k = 0; k < b.extents()(1); ++k) out(i, l) += a(i, j) * b(j, k) * c(k, l);
  return out;
}

struct three_matrices {
  plain_matrix a = filled_matrix(20, 30, 1), b = filled_matrix(30, 10, 0), c = filled_matrix(10, 25, 2),
               out = filled_matrix(20, 25, 7);
  plain_matrix wanted = product_of(a, b, c);
  network made = make_network("ab,bc,cd->ad", a, b, c, out);

  bool holds() const { return std::equal(out.begin(), out.end(), wanted.begin()); }
};

void refuse(const char* text, std::initializer_list<std::string_view> words) {
  const operand none[4];
  check_failure(status::bad_einsum, {"network", text}, [&] { make_network_of(text, none, 4); });
  check_failure(status::bad_einsum, words, [&] { make_network_of(text, none, 4); });
}

}  // namespace

TEST_CASE("a network with a caller's workspace", "[network]") {
  three_matrices t;
  CHECK(t.made.workspace_bytes() == 20 * 10 * sizeof(double));
  buffer workspace(space_kind::cpu, t.made.workspace_bytes());
  t.made.run_in(workspace, t.a, t.b, t.c, t.out);
  CHECK(t.holds());
  const std::size_t before = allocation_count();
  const network without = make_network("ab,bc,cd->ad", t.a, t.b, t.c, t.out, network_options{.own_workspace = false});
  CHECK(allocation_count() == before);
  CHECK(without.describe().find("1600 bytes, given by the caller") != std::string::npos);
  std::fill(t.out.begin(), t.out.end(), 0.0);
  without.run_in(workspace_view(workspace.data(), 1600), t.a, t.b, t.c, t.out);
  CHECK(t.holds());
  std::fill(t.out.begin(), t.out.end(), 0.0);
  without.run_on_in(stream_view{}, workspace, t.a, t.b, t.c, t.out);
  CHECK(t.holds());
  check_failure(status::invalid_argument, {"run network", "\"ab,bc,cd->ad\" over 20x30", "no workspace", "1600 bytes"},
                [&] { without.run(t.a, t.b, t.c, t.out); });
  char* const at = static_cast<char*>(workspace.data());
  check_failure(status::invalid_argument, {"a workspace of 1599 bytes, 1600 needed"}, [&] {
    without.run_in({at, 1599}, t.a, t.b, t.c, t.out);
  });
  check_failure(status::invalid_argument, {"begins 8 bytes behind a multiple of 64"}, [&] {
    without.run_in({at + 8, 1600}, t.a, t.b, t.c, t.out);
  });
  check_failure(status::null_pointer, {"a null pointer for a workspace of 1600 bytes"}, [&] {
    without.run_in({nullptr, 1600}, t.a, t.b, t.c, t.out);
  });
  check_failure(status::overlap, {"the workspace overlaps input 1"}, [&] {
    without.run_in({t.a.data(), 4800}, t.a, t.b, t.c, t.out);
  });
  check_failure(status::overlap, {"the workspace overlaps the output"}, [&] {
    without.run_in({t.out.data(), 4000}, t.a, t.b, t.c, t.out);
  });
  const plan pair = make_plan(contraction("ab,bc->ac"), t.a, t.b, make_tensor<double>(of_size(20, 10)));
  CHECK(pair.workspace_bytes() == 0);
}

TEST_CASE("runs of one network on several threads at a time", "[network]") {
  const three_matrices t;
  std::atomic<int> wrong{0};
  const auto work = [&](int number) {
    plain_matrix mine = filled_matrix(20, 30, number), out = make_tensor<double>(of_size(20, 25));
    const plain_matrix wanted = product_of(mine, t.b, t.c);
    for (int i = 0; i < 200; ++i) {
      std::fill(out.begin(), out.end(), -1.0);
      t.made.run(mine, t.b, t.c, out);
      wrong += !std::equal(out.begin(), out.end(), wanted.begin());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) threads.emplace_back(work, i);
  }
  CHECK(wrong == 0);
  // Each workspace is used again: at most one for each thread was allocated, and now none is.
  const std::size_t before = allocation_count();
  plain_matrix out = make_tensor<double>(of_size(20, 25));
  t.made.run(t.a, t.b, t.c, out);
  CHECK(allocation_count() == before + 1);  // of `out`
  CHECK(std::equal(out.begin(), out.end(), t.wanted.begin()));
}

TEST_CASE("a text that is no network says why", "[network]") {
  refuse("ij,jk,kl->iz", {"'z'", "in no input"});
  refuse("ij,jk,kl->ii", {"'i'", "repeated in the output"});
  refuse("ij,jj,kl->i", {"'j'", "repeated in input 2", "diagonals"});
  refuse("i?,jk,k->i", {"unexpected character '?'"});
  refuse("ij,jk->ik->", {"unexpected character '-'"});
  refuse("ij,jk->i,k", {"unexpected character ','"});
  refuse("ij,jk,kl", {"ab,bc,cd->ad"});
  refuse("ij->ij", {"1 input, not 2 to 32"});
  refuse("abcdefghijklmnopq,i,j->i", {"more than " + std::to_string(max_rank) + " letters"});
  std::string many = "a";
  for (int i = 0; i < 32; ++i) many += ",a";
  refuse((many + "->a").c_str(), {"33 inputs, not 2 to 32"});
  const operand none[3];
  check_failure(status::bad_einsum, {"a zero byte behind \"i,i->i\""},
                [&] { make_network_of(std::string_view("i,i->i\0", 7), none, 3); });
}

namespace {

// out(a,d) = sum over b, c, e of A(a,b) B(b,c) C(c,d) D(c,e), in Int; e is in one input alone.
template <class Int>
void check_integers(index_t offset) {
  const auto filled = [&](index_t rows, index_t cols) {
    auto m = make_tensor<Int>(of_size(rows, cols));
    for (index_t j = 0; j < cols; ++j)
      for (index_t i = 0; i < rows; ++i) m(i, j) = Int((3 * i + 2 * j + offset) % 5 - 2);
    return m;
  };
  const auto a = filled(6, 7), b = filled(7, 5), c = filled(5, 4), d = filled(5, 3);
  auto out = filled(6, 4);
  make_network("ab,bc,cd,ce->ad", a, b, c, d, out).run(a, b, c, d, out);
  for (index_t i = 0; i < 6; ++i)
    for (index_t l = 0; l < 4; ++l) {
      Int sum = 0;
      for (index_t j = 0; j < 7; ++j)
        for (index_t k = 0; k < 5; ++k)
          for (index_t e = 0; e < 3; ++e) sum = Int(sum + a(i, j) * b(j, k) * c(k, l) * d(k, e));
      CHECK(out(i, l) == sum);
    }
}

}  // namespace

TEST_CASE("networks of integers are exact", "[network]") {
  check_integers<short>(0);
  check_integers<int>(1);
  check_integers<long long>(2);
  auto a = make_tensor<int>(of_size(2, 2)), b = make_tensor<int>(of_size(2, 2)), out = make_tensor<int>(of_size(2, 2));
  check_failure(status::wrong_type, {"input 1 is i32, input 2 i32, the output i32, with sums in f32"},
                [&] { make_network("ab,bc->ac", a, b, out, network_options{.sum = scalar_type::f32}); });
}

TEST_CASE("operands that do not fit a network are refused with their extents", "[network]") {
  three_matrices t;
  const char* const text = "ab,bc,cd->ad";
  check_failure(status::invalid_argument, {"3 operands given, 4 needed; they are 20x30 30x10 20x25"},
                [&] { make_network(text, t.a, t.b, t.out); });
  check_failure(status::shape_mismatch,
                {"over 20x30, 10x25, 30x10 -> 20x25", "input 1 and input 2 disagree", "'b'", "30 and 10"},
                [&] { make_network(text, t.a, t.c, t.b, t.out); });
  check_failure(status::shape_mismatch, {"input 2 has rank 2, the einsum gives it 1 letters"},
                [&] { make_network("ab,b,cd->ad", t.a, t.b, t.c, t.out); });
  const plain_matrix& constant = t.out;
  check_failure(status::invalid_argument, {"the output is const"},
                [&] { make_network(text, t.a, t.b, t.c, constant); });
  auto f = make_tensor<float>(of_size(10, 25));
  check_failure(status::wrong_type, {"input 1 is f64, input 2 f64, input 3 f32, the output f64", "sums in f64"},
                [&] { make_network(text, t.a, t.b, f, t.out); });
  check_failure(status::wrong_type, {"imaginary part"}, [&] {
    make_network(text, t.a, t.b, t.c, t.out, network_options{.scale = {{0, 1}, 0}});
  });
  auto members = make_group<double>(of_size(10, 25));
  members.push_back(t.c.view());
  check_failure(status::invalid_argument, {"input 3 is a group", "executor"},
                [&] { make_network(text, t.a, t.b, members, t.out); });

  check_failure(status::shape_mismatch, {"input 3 has extents 30x10, the network was made for 10x25"},
                [&] { t.made.run(t.a, t.b, t.b, t.out); });
  check_failure(status::overlap, {"the output overlaps input 1"}, [&] {
    plain_matrix large = make_tensor<double>(of_size(20, 30));
    t.made.run(large, t.b, t.c, view(large.data(), of_size(20, 25)));
  });
  check_failure(status::invalid_argument, {"3 operands given, 4 needed"}, [&] { t.made.run(t.a, t.b, t.out); });
  check_failure(status::null_pointer, {"a null pointer for 4 operands"}, [&] { t.made.run_operands(nullptr, 4, {}); });
  auto batched = make_batch<double>(of_size(20, 30), 2);
  check_failure(status::shape_mismatch, {"input 1 is a batch"}, [&] { t.made.run(batched, t.b, t.c, t.out); });
  auto outs = make_batch<double>(of_size(20, 25), 3);
  const network of_batch = make_network(text, batched, t.b, t.c, outs);
  check_failure(status::shape_mismatch, {"input 1 is a batch of 2, the output of 3"},
                [&] { of_batch.run(batched, t.b, t.c, outs); });
}

TEST_CASE("results that are needed at the same time are apart", "[network]") {
  using detail::network_step;
  // ((0 1) (2 3)) ((4 5) 6), step by step; numbers from 7 on are results.
  std::vector<network_step> steps(6);
  const int operands[][2] = {{0, 1}, {2, 3}, {7, 8}, {4, 5}, {10, 6}, {9, 11}};
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].first = operands[i][0], steps[i].second = operands[i][1];
  const std::vector<std::size_t> bytes{100, 50, 70, 100, 10, 0};
  const std::size_t all = detail::place_results(steps, bytes, 7, 64);
  CHECK(all == 128 + 64 + 70);
  CHECK(steps[0].at == 0);
  CHECK(steps[1].at == 128);
  CHECK(steps[2].at == 192);
  CHECK(steps[3].at == 0);  // where the first two were
  CHECK(steps[4].at == 128);
  // What is the same for all batch entries stays.
  for (std::size_t i = 3; i < steps.size(); ++i) steps[i].batched = true;
  detail::place_results(steps, bytes, 7, 64);
  CHECK(steps[3].at == 0);
  steps[3].first = 7;  // step 1, by each block of the batch
  detail::place_results(steps, bytes, 7, 64);
  CHECK(steps[3].at != 0);
}
