// SPDX-License-Identifier: BSD-3-Clause
// Groups of contract<>: bit for bit the batch's result, in any mixture with batches and shared tensors.
#include <omp.h>

#include <cmath>
#include <numeric>

#include "contract_group_case.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("a group gives the batch's bits, wherever it stands", "[cpu][contract][group]") {
  for (const scaling s : {assign, scaling{2, -0.5}}) {
    check_mixtures<"ik,kj->ij", double>(of_size<5, 3>(), of_size<3, 4>(), of_size<5, 4>(), s);
    check_mixtures<"ik,kj->ij", double, mixtures::groups_alone>(of_size(5, 3), of_size(3_c, 4), of_size(5, 4), s);
    check_mixtures<"ij,ij->ij", float>(of_size<5, 3>(), of_size<5, 3>(), of_size<5, 3>(), s);
  }
}

TEST_CASE("a table shared by a group, and kernel (9)", "[cpu][contract][group]") {
  auto table = make_tensor<double>(of_size<4, 3>());
  fill_fractions(table.view(), 1);
  auto x = filled<double>(of_size<3, 3, 3>(), 6, 2);
  auto y = make_batch<double>(of_size<3, 4, 3>(), 6);
  contract<"kj,ajc->akc">(table, x, y);
  scattered x_apart(x.view());
  scattered<double, column_major<extents<3, 4, 3>>> y_apart(column_major(of_size<3, 4, 3>()), 6);
  contract<"kj,ajc->akc">(table, x_apart.group(), y_apart.group());
  CHECK(y_apart.equals(y.view()));

  auto d = filled<double>(of_size<3, 4, 2>(), 6, 3);
  auto out = make_batch<double>(of_size<3, 3, 2, 3>(), 6);
  contract<"si,sj,ksl->kilj">(table, table, d, out);
  scattered d_apart(d.view());
  scattered<double, column_major<extents<3, 3, 2, 3>>> out_apart(column_major(of_size<3, 3, 2, 3>()), 6);
  contract<"si,sj,ksl->kilj">(table, table, d_apart.group(), out_apart.group());
  CHECK(out_apart.equals(out.view()));
  // Every factor a group: the same table again and again is fine for an input.
  const std::vector<double*> tables(6, table.data());
  const auto many = view_group(tables.data(), of_size<4, 3>(), 6);
  scattered<double, column_major<extents<3, 3, 2, 3>>> again(column_major(of_size<3, 3, 2, 3>()), 6);
  contract<"si,sj,ksl->kilj">(many, many, d_apart.group(), again.group());
  CHECK(again.equals(out.view()));
}

TEST_CASE("a group that owns nothing runs like the pointers in it, on any number of threads",
          "[cpu][contract][group]") {
  const index_t count = 401;
  auto a = filled<double>(of_size<6, 6>(), count, 1), b = filled<double>(of_size<6, 6>(), count, 2);
  auto wanted = make_batch<double>(of_size<6, 6>(), count), found = make_batch<double>(of_size<6, 6>(), count);
  contract<"ik,kj->ij">(a, b, wanted);
  auto left = make_group<double>(of_size<6, 6>()), out = make_group<double>(of_size<6, 6>());
  for (index_t i = 0; i < count; ++i) {
    left.push_back(a(i));
    out.push_back(found(i));
  }
  for (const int threads : {1, 2, 3}) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    std::fill(found.begin(), found.end(), std::nan(""));
    contract<"ik,kj->ij">(left, b, out);
    omp_set_num_threads(before);
    CHECK(std::equal(found.begin(), found.end(), wanted.begin()));
  }
}

TEST_CASE("beta = 0 never reads a group, empty groups do nothing, integers work", "[cpu][contract][group]") {
  auto a = filled<double>(of_size<3, 2>(), 4, 1);
  auto b = filled<double>(of_size<2, 3>(), 4, 2);
  auto wanted = make_batch<double>(of_size<3, 3>(), 4);
  contract<"ik,kj->ij">(a, b, wanted);
  scattered out(wanted.view());
  for (double* member : out.pointers()) std::fill(member, member + 9, std::nan(""));
  contract<"ik,kj->ij">(a, b, out.group());
  CHECK(out.equals(wanted.view()));

  const auto none = make_group<double>(of_size<3, 3>());
  contract<"ik,kj->ij">(view_batch(a.data(), of_size<3, 2>(), 0), view_batch(b.data(), of_size<2, 3>(), 0), none);
  // Tensors without entries need no address.
  const std::vector<double*> nowhere(4);
  contract<"ik,kj->ij">(view_group(nowhere.data(), of_size(3, 0), 4), view_group(nowhere.data(), of_size(0, 3), 4),
                        out.group(), scaling{1, 1});
  CHECK(out.equals(wanted.view()));
}

TEST_CASE("contract over groups in integers", "[cpu][contract][group]") {
  auto a = make_batch<int>(of_size(3, 2), 4), b = make_batch<int>(of_size(2, 3), 4),
       c = make_batch<int>(of_size(3, 3), 4);
  fill_integers(a.view(), 1);
  fill_integers(b.view(), 2);
  contract<"ik,kj->ij">(a, b, c);
  scattered a_apart(a.view());
  scattered<int, std::remove_cvref_t<decltype(c.layout())>> out(c.layout(), 4);
  contract<"ik,kj->ij">(a_apart.group(), b, out.group());
  CHECK(out.equals(c.view()));
}

TEST_CASE("a pointwise product of groups may be in place", "[cpu][contract][group]") {
  auto x = filled<double>(of_size<5>(), 4, 1), d = filled<double>(of_size<5>(), 4, 2);
  scattered x_apart(x.view());
  const auto g = x_apart.group();
  contract<"i,i->i">(g, d, g);
  contract<"i,i->i">(x, d, x);
  CHECK(x_apart.equals(x.view()));
}

TEST_CASE("what is wrong with a group is said with its member, before anything is written", "[cpu][contract][group]") {
  auto a = filled<double>(of_size(3, 2), 4, 1), b = filled<double>(of_size(2, 3), 4, 2);
  const auto c = filled<double>(of_size(3, 3), 4, 3);
  scattered a_apart(a.view()), out(c.view());
  const auto sizes = of_size(3, 3);
  const auto refused = [&](status code, std::initializer_list<std::string_view> words, const auto& x, const auto& y,
                           const auto& z) {
    check_failure(code, words, [&] { contract<"ik,kj->ij">(x, y, z); });
    CHECK(out.equals(c.view()));
  };
  refused(status::shape_mismatch, {"ik,kj->ij", "3x2, 2x3 -> 3x3", "input 1 is a group of 3", "a group of 4"},
          view_group(a_apart.pointers().data(), of_size(3, 2), 3), b, out.group());
  refused(status::shape_mismatch, {"input 2 is a batch of 4", "a group of 3"},
          view_group(a_apart.pointers().data(), of_size(3, 2), 3), b, view_group(out.pointers().data(), sizes, 3));
  refused(status::shape_mismatch, {"2x3, 2x3", "'k'"}, view_group(a_apart.pointers().data(), of_size(2, 3), 4), b,
          out.group());

  std::vector<double*> twice = out.pointers();
  twice[3] = twice[1];
  refused(status::overlap, {"3x2, 2x3 -> 3x3", "members 1 and 3"}, a, b, view_group(twice.data(), sizes, 4));
  twice[3] = twice[1] + 8;
  refused(status::overlap, {"members 1 and 3"}, a, b, view_group(twice.data(), sizes, 4));
  refused(status::overlap, {"two entries of the output share one address"}, a, b,
          view_group(out.pointers().data(), strided(sizes, 1, 0), 4));

  std::vector<double*> inside = a_apart.pointers();
  inside[2] = out.pointers()[1] + 8;
  refused(status::overlap, {"the output overlaps input 1", "member 1 of the output's group", "member 2 of the input's"},
          view_group(inside.data(), of_size(3, 2), 4), b, out.group());
  refused(status::overlap, {"the output overlaps input 2", "member 3 of the output's group"}, a,
          view(out.pointers()[3], of_size(2, 3)), out.group());
  refused(status::overlap, {"the output overlaps input 1", "member 0 of the input's group"},
          view_group(inside.data() + 2, of_size(3, 2), 1), view(b.data(), of_size(2, 3)),
          view_batch(out.pointers()[1], sizes, 1));

  twice[3] = nullptr;
  check_failure(status::null_pointer, {"view_group", "member 3", "3x3"}, [&] { view_group(twice.data(), sizes, 4); });
  check_failure(status::null_pointer, {"view_group", "4 tensors", "3x3"},
                [&] { view_group(static_cast<double**>(nullptr), sizes, 4); });
  check_failure(status::overflow, {"view_group", "-1"}, [&] { view_group(twice.data(), sizes, -1); });
}

TEST_CASE("the tiles of one matrix are a group: they lie in each other's gaps", "[cpu][contract][group]") {
  // 6 x 6, in four tiles of 3 x 3.
  std::vector<double> matrix(36, -1);
  const auto tile = column_major(of_size<3, 3>(), 6);
  std::vector<double*> tiles;
  for (const index_t at : {0, 3, 18, 21}) tiles.push_back(matrix.data() + at);
  auto a = filled<double>(of_size<3, 3>(), 4, 1), b = filled<double>(of_size<3, 3>(), 4, 2);
  auto wanted = make_batch<double>(of_size<3, 3>(), 4);
  contract<"ik,kj->ij">(a, b, wanted);
  contract<"ik,kj->ij">(a, b, view_group(tiles.data(), tile, 4));
  index_t wrong = 0;
  for (index_t t = 0; t < 4; ++t)
    for (index_t j = 0; j < 3; ++j)
      for (index_t i = 0; i < 3; ++i) wrong += tiles[std::size_t(t)][i + 6 * j] != wanted(t)(i, j);
  CHECK(wrong == 0);
  tiles[1] -= 1;
  check_failure(status::overlap, {"members 0 and 1"},
                [&] { contract<"ik,kj->ij">(a, b, view_group(tiles.data(), tile, 4)); });
}
