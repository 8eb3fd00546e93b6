// SPDX-License-Identifier: BSD-3-Clause
// Element operators from C: sets of elements and applications are converted to those of the C++ interface.
#include <tessera/fem/tessera_fem.h>

#include <tessera/c_status.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>

#include "c_function.hpp"
#include "c_options.hpp"

#include <span>
#include <vector>

using namespace tessera;
using namespace tessera::fem;
using namespace tessera::fem::detail;

namespace {

// Calls without a stream are complete when they return.
template <class T>
void wait_for(const element_operator<T>& op) {
  if (op.kernel().space() == space_kind::gpu) stream_view{}.synchronize();
}

}  // namespace

struct tessera_element_operator : typed_operator<element_operator> {};

namespace {

// The caller's numbers as ours: another type of as many bits, so host numbers are copied, and a device's only named.
class element_list {
 public:
  element_list(const tessera_element_application& a, space_kind space) : count_(std::size_t(a.count)) {
    static_assert(sizeof(index_t) == sizeof(int64_t));
    if (a.list == nullptr) return;
    tessera::detail::checked_product("element operator: a list of elements", {a.count}, sizeof(index_t));
    if (space == space_kind::cpu) copy_.assign(a.list, a.list + a.count);
    at_ = space == space_kind::cpu ? copy_.data() : reinterpret_cast<const index_t*>(a.list);
  }
  element_set set() const { return element_set::of(std::span(at_, count_)); }

 private:
  std::vector<index_t> copy_;
  const index_t* at_ = nullptr;
  std::size_t count_;
};

const tessera_element_operator& checked(const tessera_element_operator* of) {
  if (of == nullptr) refuse("null operator", status::null_pointer);
  return *of;
}

}  // namespace

extern "C" {

tessera_element_options tessera_element_defaults(const char* kind, int dim, int order) {
  tessera_element_options o{};
  o.kind = kind;
  o.dim = dim;
  o.type = TESSERA_F64;
  o.basis = first_basis();
  o.order = order;
  const auto known = kind != nullptr ? operator_from_name(kind) : std::nullopt;
  o.components = known ? coupled_components(*known, dim) : 1;
  o.rule = first_rule();
  return o;
}

tessera_status tessera_element_create(tessera_element_operator** made, const tessera_element_options* options,
                                      const tessera_element_nodes* nodes) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      if (nodes == nullptr) refuse("null nodes", status::null_pointer);
      const element_operator_options o = options_from(*options);
      return element_operator<T>(nodes_from<T>(*nodes, o, options->dim), o);
    });
  });
}

tessera_status tessera_element_create_from_data(tessera_element_operator** made, const tessera_element_options* options,
                                                int64_t elements, const void* D) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      return element_operator<T>(options->dim, elements, static_cast<const T*>(D), options_from(*options));
    });
  });
}

tessera_status tessera_element_create_from_function(tessera_element_operator** made,
                                                    const tessera_element_options* options,
                                                    const tessera_element_function* function, int64_t elements,
                                                    const void* D) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      if (function == nullptr) refuse("null function", status::null_pointer);
      const element_operator_options o = options_from(*options, true);
      return element_operator<T>(function_from<T>(*function, options->dim, o.on == target::cuda), elements,
                                 static_cast<const T*>(D), o);
    });
  });
}

tessera_status tessera_element_set_data(tessera_element_operator* of, int64_t first, int64_t count, const void* D) {
  return c_status_of(__func__, [&] {
    checked(of);
    std::visit(
        [&]<class T>(std::unique_ptr<element_operator<T>>& op) {
          op->data().set(first, count, static_cast<const T*>(D));
        },
        of->of);
  });
}

tessera_status tessera_element_get_data(const tessera_element_operator* of, int64_t first, int64_t count, void* D) {
  return c_status_of(__func__, [&] {
    checked(of).with(
        [&]<class T>(const element_operator<T>& op, T*) { op.data().get(first, count, static_cast<T*>(D)); });
  });
}

tessera_element_sizes tessera_element_sizes_of(const tessera_element_operator* of) {
  if (of == nullptr) return {};
  return of->with([](const auto& op, auto*) {
    return tessera_element_sizes{op.elements(),         op.trial_size(),         op.test_size(),
                                 op.components(),       op.test_components(),    op.kernel().points(),
                                 op.kernel().factors(), int(op.kernel().lanes())};
  });
}

tessera_element_application tessera_element_application_of(const tessera_element_operator* of, const void* x, void* y) {
  tessera_element_application a{};
  a.x = x;
  a.y = y;
  a.sides = 1;
  a.count = tessera_element_sizes_of(of).elements;
  return a;
}

tessera_status tessera_element_run(const tessera_element_operator* of, const tessera_element_application* what) {
  return c_status_of(__func__, [&] {
    if (what == nullptr) refuse("null application", status::null_pointer);
    if (what->count < 0) refuse(std::to_string(what->count) + " elements");
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      if (what->list == nullptr && (what->first < 0 || what->first > op.elements() - what->count))
        refuse(std::to_string(what->count) + " elements from " + std::to_string(what->first) + " on, of " +
               std::to_string(op.elements()));
      const element_list list(*what, op.kernel().space());
      const element_set which =
          what->list != nullptr ? list.set() : element_set::range(what->first, what->first + what->count);
      op.apply(which, {.x = static_cast<const T*>(what->x),
                       .x_layout = layout_from(what->x_layout, op.x_layout()),
                       .y = static_cast<T*>(what->y),
                       .y_layout = layout_from(what->y_layout, op.y_layout()),
                       .add = what->add != 0,
                       .sides = what->sides,
                       .x_side = what->x_side,
                       .y_side = what->y_side,
                       .in = stream_view(what->stream)});
    });
  });
}

tessera_status tessera_element_apply(const tessera_element_operator* of, const void* x, void* y, int add,
                                     void* stream) {
  tessera_element_application a = tessera_element_application_of(of, x, y);
  a.add = add;
  a.stream = stream;
  return tessera_element_run(of, &a);
}

tessera_status tessera_element_assemble(const tessera_element_operator* of, int64_t first, int64_t count, void* M) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      op.assemble(first, count, static_cast<T*>(M));
      wait_for(op);
    });
  });
}

tessera_status tessera_element_assemble_lower(const tessera_element_operator* of, int64_t first, int64_t count,
                                              void* M) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      op.assemble(first, count, static_cast<T*>(M), matrix_storage::lower_packed);
      wait_for(op);
    });
  });
}

tessera_status tessera_element_diagonal(const tessera_element_operator* of, void* y) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      op.diagonal(static_cast<T*>(y));
      wait_for(op);
    });
  });
}

const char* tessera_element_describe(const tessera_element_operator* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}

const char* tessera_element_describe_brief(const tessera_element_operator* of) {
  return of == nullptr ? nullptr : of->brief_description.c_str();
}

void tessera_element_destroy(tessera_element_operator* of) { delete of; }

}  // extern "C"
