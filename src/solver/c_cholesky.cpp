// SPDX-License-Identifier: BSD-3-Clause
// Batches of small systems from C.
#include <string>
#include <type_traits>
#include <variant>

#include <tessera/tessera_solver.h>
#include <tessera/c_status.hpp>
#include <tessera/error.hpp>
#include <tessera/solver/batched_cholesky.hpp>
#include <tessera/solver/c_function.hpp>

struct tessera_batched_cholesky {
  std::variant<tessera::batched_cholesky<float>, tessera::batched_cholesky<double>> of;
  std::string description;
};

namespace tessera {

namespace {

[[noreturn]] void refuse_c_cholesky(const std::string& why, status code = status::invalid_argument) {
  throw error("tessera_batched_cholesky: " + why, code);
}

template <class T>
tessera_batched_cholesky* factored_from_c(index_t rows, index_t count, const void* A, space_kind space,
                                          stream_view on) {
  const batched_cholesky<T> made(rows, count, static_cast<const T*>(A), space, on);
  return new tessera_batched_cholesky{made, made.describe()};
}

c_operator_facts facts_of_cholesky(const void* context) {
  return std::visit(
      []<class T>(const batched_cholesky<T>& of) {
        return c_operator_facts{of.size(), of.size(), std::is_same_v<T, float> ? TESSERA_F32 : TESSERA_F64, of.space()};
      },
      static_cast<const tessera_batched_cholesky*>(context)->of);
}
const known_c_function cholesky_as_function{tessera_batched_cholesky_as_function, facts_of_cholesky};

}  // namespace

}  // namespace tessera

extern "C" {

tessera_status tessera_batched_cholesky_create(tessera_batched_cholesky** made, tessera_type type, int64_t rows,
                                               int64_t count, const void* A, tessera_space space, void* stream) {
  return tessera::c_status_of(__func__, [&] {
    if (made == nullptr) tessera::refuse_c_cholesky("null result pointer", tessera::status::null_pointer);
    *made = nullptr;
    if (space != TESSERA_CPU && space != TESSERA_GPU)
      tessera::refuse_c_cholesky("space " + std::to_string(int(space)) + ", neither TESSERA_CPU nor TESSERA_GPU");
    const tessera::space_kind in = space == TESSERA_GPU ? tessera::space_kind::gpu : tessera::space_kind::cpu;
    if (type == TESSERA_F32)
      *made = tessera::factored_from_c<float>(rows, count, A, in, stream);
    else if (type == TESSERA_F64)
      *made = tessera::factored_from_c<double>(rows, count, A, in, stream);
    else
      tessera::refuse_c_cholesky("type " + std::to_string(int(type)) + ", neither float nor double",
                                 tessera::status::wrong_type);
  });
}

tessera_status tessera_batched_cholesky_solve(const tessera_batched_cholesky* of, const void* b, void* x,
                                              void* stream) {
  return tessera::c_status_of(__func__, [&] {
    if (of == nullptr) tessera::refuse_c_cholesky("null matrices", tessera::status::null_pointer);
    std::visit(
        [&]<class T>(const tessera::batched_cholesky<T>& by) {
          by.solve(static_cast<const T*>(b), static_cast<T*>(x), stream);
        },
        of->of);
  });
}
tessera_status tessera_batched_cholesky_as_function(void* context, const void* b, void* x, void* stream) {
  return tessera_batched_cholesky_solve(static_cast<const tessera_batched_cholesky*>(context), b, x, stream);
}

const char* tessera_batched_cholesky_describe(const tessera_batched_cholesky* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}
void tessera_batched_cholesky_destroy(tessera_batched_cholesky* of) { delete of; }

}  // extern "C"
