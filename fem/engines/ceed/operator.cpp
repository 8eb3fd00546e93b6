// SPDX-License-Identifier: BSD-3-Clause
// Runs operators by the library's kernels, or leaves them to a twin on the delegate; which one is decided at first use.
#include "operator.hpp"

#include <tessera/ceed/tessera_ceed.h>
#include <tessera/error.hpp>

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "failure.hpp"
#include "libceed_api.hpp"
#include "log.hpp"
#include "place.hpp"
#include "taken_operator.hpp"

namespace tessera::ceed {

namespace {

struct operator_state {
  bool decided = false, has_run = false;
  std::unique_ptr<taken_operator> taken;
  std::deque<std::string> texts{"delegated: libCEED failed"};  // the last one counts; others are still pointed to

  const std::string& text() const { return texts.back(); }
};

// Runs f; what it throws becomes an error of libCEED.
template <class F>
int guarded(CeedOperator op, const F& f) {
  try {
    try {
      f();
      return CEED_ERROR_SUCCESS;
    } catch (const std::exception& e) {
      return CeedError(ceed_of(op), CEED_ERROR_BACKEND, "%s", e.what());
    }
  } catch (const failure& e) {
    return e.code;
  }
}

operator_state& state_of(CeedOperator op) {
  operator_state* state = nullptr;
  check(CeedOperatorGetData(op, &state));
  return *state;
}

void leave(operator_state& state, const std::string& why) {
  state.taken.reset();
  state.texts.push_back("delegated: " + why);
}

void decide(CeedOperator op, operator_state& state) {
  if (state.decided) return;
  state.decided = true;
  try {
    state.taken = std::make_unique<taken_operator>(op);
    state.texts.push_back("tessera: " + state.taken->describe());
  } catch (const not_taken& e) {
    leave(state, e.why);
  } catch (const std::exception& e) {
    leave(state, e.what());
  }
  log_line(state.text());
}

// What runs here, with its passive inputs as they are now; null: the twin.
taken_operator* runs_here(CeedOperator op) {
  operator_state& state = state_of(op);
  decide(op, state);
  if (state.taken != nullptr) try {
      state.taken->renew();
    } catch (const std::exception& e) {
      leave(state, e.what());
      log_line(state.text());
    }
  return state.taken.get();
}

// The same operator on the delegate, with the QFunction's context of now.
CeedOperator twin_of(CeedOperator op) {
  CeedOperator twin = nullptr;
  check(CeedOperatorGetFallback(op, &twin));
  const CeedQFunctionContext context = context_of(function_of(op));
  const CeedQFunction of_twin = function_of(twin);
  if (context != context_of(of_twin)) check(CeedQFunctionSetContext(of_twin, context));
  return twin;
}

bool has_length(CeedVector v, index_t length) {
  if (v == nullptr || v == CEED_VECTOR_NONE || v == CEED_VECTOR_ACTIVE) return false;
  CeedSize has = 0;
  check(CeedVectorGetLength(v, &has));
  return index_t(has) == length;
}

// Arrays of both vectors while it lives.
struct arrays {
  CeedVector x, y;
  const CeedScalar* from = nullptr;
  CeedScalar* to = nullptr;

  arrays(CeedVector in, CeedVector out, bool add, CeedMemType memory) : x(in), y(out) {
    check(CeedVectorGetArrayRead(x, memory, &from));
    const int code = add ? CeedVectorGetArray(y, memory, &to) : CeedVectorGetArrayWrite(y, memory, &to);
    if (code == CEED_ERROR_SUCCESS) return;
    CeedVectorRestoreArrayRead(x, &from);
    check(code);
  }
  ~arrays() {
    CeedVectorRestoreArray(y, &to);
    CeedVectorRestoreArrayRead(x, &from);
  }
  arrays(const arrays&) = delete;
  arrays& operator=(const arrays&) = delete;

  bool overlap(const taken_operator& t) const {
    const std::less<const double*> before;
    return before(from, to + t.y_size()) && before(to, from + t.x_size());
  }
};

// Whether it ran: vectors that do not fit, or that overlap, are left to the delegate and its errors.
bool run(taken_operator& t, CeedVector in, CeedVector out, bool add) {
  if (in == out || !has_length(in, t.x_size()) || !has_length(out, t.y_size())) return false;
  const arrays a(in, out, add, memory_at(t.at()));
  if (a.overlap(t)) return false;
  t.apply(a.from, a.to, add);
  return true;
}

// The same, where that is the first application: kernels of a GPU are compiled by it. What cannot be compiled has not
// touched y, and is left to the delegate.
bool run_first(operator_state& state, CeedVector in, CeedVector out, bool add) {
  try {
    state.has_run = run(*state.taken, in, out, add);
    return state.has_run;
  } catch (const error& e) {
    leave(state, e.what());
    log_line(state.text());
    return false;
  }
}

int apply_either(CeedOperator op, CeedVector in, CeedVector out, CeedRequest* request, bool add) {
  return guarded(op, [&] {
    CeedInt elements = 0;
    check(CeedOperatorGetNumElements(op, &elements));
    if (elements > 0)
      if (taken_operator* t = runs_here(op); t != nullptr) {
        operator_state& state = state_of(op);
        const bool on_gpu = t->at() == place::device;
        if (on_gpu && !state.has_run ? run_first(state, in, out, add) : run(*t, in, out, add)) return;
      }
    const auto apply_twin = add ? &CeedOperatorApplyAdd : &CeedOperatorApply;
    check(apply_twin(twin_of(op), in, out, request));
  });
}

int apply(CeedOperator op, CeedVector in, CeedVector out, CeedRequest* request) {
  return apply_either(op, in, out, request, false);
}

int apply_add(CeedOperator op, CeedVector in, CeedVector out, CeedRequest* request) {
  return apply_either(op, in, out, request, true);
}

int add_diagonal(CeedOperator op, CeedVector diagonal, CeedRequest* request) {
  return guarded(op, [&] {
    taken_operator* t = runs_here(op);
    if (t == nullptr || !t->has_diagonal() || !has_length(diagonal, t->y_size()))
      return check(CeedOperatorLinearAssembleAddDiagonal(twin_of(op), diagonal, request));
    CeedScalar* to = nullptr;
    check(CeedVectorGetArray(diagonal, CEED_MEM_HOST, &to));
    const int code = guarded(op, [&] { t->add_diagonal(to); });
    check(CeedVectorRestoreArray(diagonal, &to));
    check(code);
  });
}

int add_composite_diagonal(CeedOperator op, CeedVector diagonal, CeedRequest* request) {
  return guarded(op, [&] {
    for (const CeedOperator part : parts_of_composite(op))
      check(CeedOperatorLinearAssembleAddDiagonal(part, diagonal, request));
  });
}

int add_block_diagonal(CeedOperator op, CeedVector blocks, CeedRequest* request) {
  return guarded(op, [&] { check(CeedOperatorLinearAssembleAddPointBlockDiagonal(twin_of(op), blocks, request)); });
}

int assemble_function(CeedOperator op, CeedVector* assembled, CeedElemRestriction* where, CeedRequest* request) {
  return guarded(op, [&] { check(CeedOperatorLinearAssembleQFunction(twin_of(op), assembled, where, request)); });
}

int destroy(CeedOperator op) {
  return guarded(op, [&] { delete &state_of(op); });
}

template <class F>
void set(CeedOperator op, const char* name, F* function) {
  set_backend_function(ceed_of(op), "Operator", op, name, function);
}

}  // namespace

int create_operator(CeedOperator op) {
  return guarded(op, [&] {
    check(CeedOperatorSetData(op, new operator_state));
    set(op, "Apply", &apply);
    set(op, "ApplyAdd", &apply_add);
    set(op, "LinearAssembleAddDiagonal", &add_diagonal);
    set(op, "LinearAssembleAddPointBlockDiagonal", &add_block_diagonal);
    set(op, "LinearAssembleQFunction", &assemble_function);
    set(op, "Destroy", &destroy);
  });
}

int create_composite_operator(CeedOperator op) {
  return guarded(op, [&] { set(op, "LinearAssembleAddDiagonal", &add_composite_diagonal); });
}

}  // namespace tessera::ceed

extern "C" const char* tessera_ceed_describe(CeedOperator op) {
  using namespace tessera::ceed;
  if (op == nullptr) return nullptr;
  const char* text = nullptr;
  guarded(op, [&] {
    bool composite = false;
    check(CeedOperatorIsComposite(op, &composite));
    if (composite || !place_of(ceed_of(op)) || CeedOperatorCheckReady(op) != CEED_ERROR_SUCCESS) return;
    operator_state& state = state_of(op);
    decide(op, state);
    text = state.text().c_str();
  });
  return text;
}
