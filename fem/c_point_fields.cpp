// SPDX-License-Identifier: BSD-3-Clause
// Fields at quadrature points from C.
#include <tessera/fem/tessera_fem.h>

#include <tessera/c_status.hpp>
#include <tessera/fem/point_fields.hpp>

#include "c_options.hpp"
#include "c_restriction.hpp"

using namespace tessera;
using namespace tessera::fem;
using namespace tessera::fem::detail;

struct tessera_point_fields : typed_operator<point_fields> {};

namespace {

const tessera_point_fields& checked(const tessera_point_fields* of) {
  if (of == nullptr) refuse("null point fields", status::null_pointer);
  return *of;
}

template <class T>
field_numbers<T> numbers_from(void* D, int factors, int first) {
  return {.D = static_cast<T*>(D), .factors = factors, .first = first};
}

}  // namespace

extern "C" {

tessera_status tessera_point_fields_create(tessera_point_fields** made, const tessera_element_options* options,
                                           int value, int gradient) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      const point_shape parts{options->components, value != 0, gradient != 0};
      return point_fields<T>(options->dim, parts, options_from(*options, true));
    });
  });
}

int tessera_point_fields_size(const tessera_point_fields* of) {
  return of == nullptr ? 0 : of->with([](const auto& fields, auto*) { return fields.size(); });
}

tessera_status tessera_point_fields_evaluate(const tessera_point_fields* of, int64_t elements, const void* x, void* D,
                                             int factors, int first, void* stream) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const point_fields<T>& fields, T*) {
      fields.evaluate(elements, static_cast<const T*>(x), numbers_from<T>(D, factors, first), stream_view(stream));
    });
  });
}

tessera_status tessera_point_fields_evaluate_global(const tessera_point_fields* of, const tessera_restriction* unknowns,
                                                    const void* x, void* D, int factors, int first, void* stream) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const point_fields<T>& fields, T*) {
      fields.evaluate(checked(unknowns), static_cast<const T*>(x), numbers_from<T>(D, factors, first),
                      stream_view(stream));
    });
  });
}

void tessera_point_fields_destroy(tessera_point_fields* of) { delete of; }

}  // extern "C"
