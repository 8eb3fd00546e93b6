// SPDX-License-Identifier: BSD-3-Clause
// numpy.empty, torch.empty, cupy.empty.
#include "new_array.hpp"

#include <string>

#include <nanobind/stl/string.h>

#include "array.hpp"
#include "library.hpp"

namespace tessera::python {

namespace {

constexpr int type_count = int(scalar_type::i64) + 1;

nb::tuple shape_of(const index_t* shape, int rank) {
  nb::tuple made = nb::steal<nb::tuple>(PyTuple_New(rank));
  for (int d = 0; d < rank; ++d) PyTuple_SET_ITEM(made.ptr(), d, PyLong_FromLongLong(shape[d]));
  return made;
}

// A library's function `empty` and its types; kept for the life of the process, as the modules are.
struct maker {
  nb::object module, empty, types[type_count];

  explicit maker(const char* name) : module(nb::module_::import_(name)), empty(module.attr("empty")) {}
  const nb::object& type_for(scalar_type type) {
    nb::object& kept = types[int(type)];
    if (!kept.is_valid()) {
      const char* name = dtype_name(type);
      if (!nb::hasattr(module, name))
        throw nb::value_error((std::string("out: ") + nb::cast<std::string>(module.attr("__name__")) +
                               " has no entries of type " + name + "; give an output of another type")
                                  .c_str());
      kept = module.attr(name);
    }
    return kept;
  }
};

maker& maker_of(const char* name) {
  // Never freed: Python may be gone when static objects are.
  static maker* const numpy = new maker("numpy");
  static maker *torch = nullptr, *cupy = nullptr;
  if (std::string_view(name) == "numpy") return *numpy;
  maker*& kept = std::string_view(name) == "torch" ? torch : cupy;
  if (kept == nullptr) kept = new maker(name);
  return *kept;
}

}  // namespace

nb::object new_array_like(nb::handle like, scalar_type type, const index_t* shape, int rank) {
  const nb::tuple extents = shape_of(shape, rank);
  switch (kind_of(like).of) {
    case library::torch: {
      maker& torch = maker_of("torch");
      return torch.empty(extents, nb::arg("dtype") = torch.type_for(type), nb::arg("device") = like.attr("device"));
    }
    case library::cupy: {
      maker& cupy = maker_of("cupy");
      return cupy.empty(extents, cupy.type_for(type));
    }
    case library::other:
      if (nb::cast<nb::tuple>(like.attr("__dlpack_device__")())[0].equal(nb::int_(1))) break;
      throw nb::value_error(("give out=: Tessera does not know how to make arrays of " +
                             nb::cast<std::string>(like.type().attr("__module__")) + " in a GPU's memory")
                                .c_str());
    case library::buffer: break;
  }
  maker& numpy = maker_of("numpy");
  return numpy.empty(extents, numpy.type_for(type));
}

}  // namespace tessera::python
