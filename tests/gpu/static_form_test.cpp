// SPDX-License-Identifier: BSD-3-Clause
// Which operands of contract<> lie as the packed kernel takes them: at compile time, without a GPU.
#include <tessera/gpu/detail/static_form.cuh>

#include <tessera/tessera.hpp>

using namespace tessera;
using namespace tessera::device;

namespace {

// What packed_lie asks of a view.
template <class Layout, bool Batch>
struct seen {
  using layout_kind = Layout;
  using value_type = double;
  static constexpr bool is_batch = Batch, is_group = false;
};
template <index_t... E>
using cols = decltype(column_major(of_size<E...>()));
template <index_t... E>
using rows = decltype(row_major(of_size<E...>()));
template <class Layout>
using one = seen<Layout, false>;
template <class Layout>
using many = seen<Layout, true>;

template <fixed_string Text, class A, class B, class Out>
struct call {
  using form = static_form<Text, typename A::layout_kind, typename B::layout_kind, typename Out::layout_kind>;
  static constexpr std::optional<packed_layout> first = packed_layout_of<form, 0, A>(),
                                                second = packed_layout_of<form, 1, B>(),
                                                out = packed_layout_of<form, output, Out>();
};

// A tensor, one axis at a time.
using x = call<"kj,jbc->kbc", one<cols<3, 2>>, many<cols<2, 3, 4>>, many<cols<3, 3, 4>>>;
static_assert(x::first == packed_layout::shared_by_cols && x::second == packed_layout::by_cols &&
              x::out == packed_layout::by_cols);
using y = call<"kj,ajc->akc", one<cols<3, 2>>, many<cols<2, 2, 4>>, many<cols<2, 3, 4>>>;
static_assert(y::first == packed_layout::shared_by_rows && y::second == packed_layout::by_cols &&
              y::out == packed_layout::by_cols);
using z = call<"kj,abj->abk", one<cols<3, 2>>, many<cols<2, 3, 2>>, many<cols<2, 3, 3>>>;
static_assert(z::first == packed_layout::shared_by_rows && z::second == packed_layout::by_cols &&
              z::out == packed_layout::by_cols);

// Transposes and rows.
using nt = call<"ik,jk->ij", many<cols<5, 4>>, many<cols<3, 4>>, many<cols<5, 3>>>;
static_assert(nt::first == packed_layout::by_cols && nt::second == packed_layout::by_rows &&
              nt::out == packed_layout::by_cols);
using by_rows = call<"ik,kj->ij", many<rows<5, 4>>, many<rows<4, 3>>, many<rows<5, 3>>>;
static_assert(by_rows::first == packed_layout::by_rows && by_rows::second == packed_layout::by_rows &&
              by_rows::out == packed_layout::by_rows);

// Extents of 1 lie both ways.
using outer = call<"ik,kj->ij", one<cols<4, 1>>, many<cols<1, 3>>, many<cols<4, 3>>>;
static_assert(outer::first == packed_layout::shared_by_cols && outer::second == packed_layout::by_cols);

// Products one behind the other in a batch entry; one tensor that holds them all is neither packed nor shared.
using loops = call<"ikl,kjl->ijl", many<cols<5, 4, 6>>, many<cols<4, 3, 6>>, many<cols<5, 3, 6>>>;
static_assert(loops::first == packed_layout::by_cols && loops::out == packed_layout::by_cols);
using held = call<"ikl,kjl->ijl", one<cols<5, 4, 6>>, many<cols<4, 3, 6>>, many<cols<5, 3, 6>>>;
static_assert(!held::first && held::second == packed_layout::by_cols);

// Gaps.
using padded = decltype(pad_to<8>(of_size<5, 4>()));
using apart = call<"ik,kj->ij", many<padded>, many<cols<4, 3>>, many<cols<5, 3>>>;
static_assert(!apart::first && apart::second == packed_layout::by_cols);

}  // namespace
