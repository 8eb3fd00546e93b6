// SPDX-License-Identifier: BSD-3-Clause
// The C API: every exception becomes a status and a text.
#include <tessera/tessera.h>
#include <tessera/tessera_network.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>

#include <tessera/c_status.hpp>
#include <tessera/copy.hpp>
#include <tessera/plan.hpp>
#include <tessera/version.hpp>

#include "c_functions.hpp"
#include "c_operand.hpp"

struct tessera_plan {
  tessera::plan plan;
  std::string description, brief_description;
  bool was_ready = true;
  // What a plan that was not says once it is.
  mutable std::once_flag described_again = {};
  mutable std::string later_description = {};
};

struct tessera_bound_plan {
  tessera::bound_plan plan;
};

namespace {

using namespace tessera;

constexpr int no_extents = -1000;  // the rank that tessera_packed sets for a null pointer

thread_local std::string last_error = "no error";
thread_local char no_memory_text[96] = "";  // instead, while it is not empty

space_kind space_from(const char* operation, tessera_space space) {
  if (space != TESSERA_CPU && space != TESSERA_GPU)
    throw error(std::string(operation) + ": unknown space " + std::to_string(int(space)));
  return space == TESSERA_CPU ? space_kind::cpu : space_kind::gpu;
}

scalar_type type_from(const char* operation, tessera_type type) {
  constexpr scalar_type types[] = {scalar_type::f32, scalar_type::f64, scalar_type::c32,
                                   scalar_type::c64, scalar_type::f16, scalar_type::bf16,
                                   scalar_type::i16, scalar_type::i32, scalar_type::i64};
  if (type < TESSERA_F32 || type > TESSERA_I64)
    throw error(std::string(operation) + ": unknown scalar type " + std::to_string(int(type)));
  return types[type];
}

std::optional<memory_regime> regime_from(tessera_regime regime) {
  switch (regime) {
    case TESSERA_BY_SIZE: return std::nullopt;
    case TESSERA_CACHE: return memory_regime::cache;
    case TESSERA_STREAM: return memory_regime::stream;
  }
  throw error("plan_create: unknown memory regime " + std::to_string(int(regime)));
}

product_precision precision_from(tessera_precision precision) {
  switch (precision) {
    case TESSERA_EXACT: return product_precision::exact;
    case TESSERA_TF32: return product_precision::tf32;
    case TESSERA_TF32X3: return product_precision::tf32x3;
  }
  throw error("plan_create: unknown precision " + std::to_string(int(precision)));
}

contraction contraction_from(const char* einsum, const tessera_scaling* scaling) {
  if (scaling == nullptr) return contraction(einsum);
  const auto& [alpha, beta, sum] = *scaling;
  return contraction(einsum, {{alpha[0], alpha[1]}, {beta[0], beta[1]}},
                     sum == TESSERA_USUAL ? std::nullopt : std::optional(type_from("plan_create", sum)));
}

std::shared_ptr<const member_list> members_of(const char* operation, const operand& o, void* const* members) {
  return std::make_shared<member_list>(operation, o, std::vector<const void*>(members, members + o.count));
}

// Into a new operand, in place: it is large, and a few copies of it take as long as a small run.
void fill_operand(const char* operation, const tessera_operand& c, operand& o) {
  const auto fail = [&](const std::string& why) { throw error(std::string(operation) + ": " + why); };
  if (c.rank == no_extents) fail("an operand that was packed without extents (null)");
  if (c.rank < 0 || c.rank > max_rank)
    fail("rank " + std::to_string(c.rank) + ", not in 0.." + std::to_string(max_rank));
  o.type = type_from(operation, c.type);
  o.entry_bytes = size_of(*o.type);
  o.space = space_from(operation, c.space);
  o.conjugated = c.conjugated != 0 && is_complex_type(*o.type);
  if (c.members == nullptr) o.data = c.data;
  o.facts.rank = c.rank;
  for (int d = 0; d < c.rank; ++d) {
    o.facts.extent[d] = c.extent[d];
    o.facts.stride[d] = c.stride[d];
  }
  check_extents(operation, o.facts.extent, c.rank);
  check_strides(operation, o.facts.extent, o.facts.stride, c.rank);
  if (o.entries() > 0) {
    o.span = 1;
    for (int d = 0; d < c.rank; ++d)
      if (c.extent[d] > 1) o.span += (c.extent[d] - 1) * std::abs(o.facts.stride[d]);
  }
  if (c.batched) {
    if (c.members == nullptr && c.lanes < 1) fail("lanes " + std::to_string(c.lanes) + " is not positive");
    o.batched = true;
    o.count = c.count;
    o.stride = c.batch_stride;
    o.lanes = c.lanes;
  }
  if (c.members != nullptr) {
    if (!c.batched) fail("members of one tensor: a group is batched");
    o.grouped = true;
    o.members = c.members;
    o.stride = 0;
    o.lanes = 1;
  }
  detail::check_reach(operation, o);
  // Reads `count` members here.
  if (o.grouped && o.space == space_kind::cpu) o.list = members_of(operation, o, c.members);
}

// The C caller's operands, inputs first.
struct operands_from {
  operand all[max_inputs + 1];
  operands_from(const char* operation, const tessera_operand* given, int count) {
    if (given == nullptr) throw error(std::string(operation) + ": null operands", status::null_pointer);
    if (count < 3 || count > max_inputs + 1)
      throw error(std::string(operation) + ": " + std::to_string(count) + " operands, not 3 or 4");
    for (int i = 0; i < count; ++i) fill_operand(operation, given[i], all[i]);
  }
};

}  // namespace

operand tessera::detail::operand_from_c(const char* operation, const tessera_operand& c) {
  operand o;
  fill_operand(operation, c, o);
  return o;
}

detail::c_scaling tessera::detail::scaling_from_c(const char* operation, const tessera_scaling* given) {
  if (given == nullptr) return {};
  const auto& [alpha, beta, sum] = *given;
  return {{{alpha[0], alpha[1]}, {beta[0], beta[1]}},
          sum == TESSERA_USUAL ? std::nullopt : std::optional(type_from(operation, sum))};
}

plan_options tessera::detail::plan_options_from_c(const tessera_plan_options* given) {
  plan_options options;
  if (given == nullptr) return options;
  options.threads = given->threads;
  options.compile = given->no_compile == 0;
  options.wait = given->no_wait == 0;
  options.regime = regime_from(given->regime);
  options.precision = precision_from(given->precision);
  options.own_workspace = given->no_workspace == 0;
  if (given->target != nullptr) options.on = target_from_name(given->target);
  return options;
}

tessera_status tessera::remember_failure(status code, const char* text) noexcept {
  no_memory_text[0] = 0;
  try {
    last_error = text;
  } catch (...) {
    last_error.clear();
  }
  return tessera_status(code);
}
tessera_status tessera::remember_no_memory(const char* function) noexcept {
  std::snprintf(no_memory_text, sizeof no_memory_text, "%s: no host memory left", function);
  return tessera_status(status::out_of_memory);
}

extern "C" {

int tessera_version(void) { return version_number; }

const char* tessera_last_error(void) { return no_memory_text[0] != 0 ? no_memory_text : last_error.c_str(); }

tessera_operand tessera_packed(tessera_type type, tessera_space space, void* data, int rank, const int64_t* extent,
                               int64_t count) {
  tessera_operand o{};
  o.type = type;
  o.space = space;
  o.data = data;
  o.rank = rank;
  o.lanes = 1;
  int64_t stride = 1;
  if (extent == nullptr && rank > 0) o.rank = no_extents;  // rejected when the operand is used
  for (int d = 0; d < o.rank && d < TESSERA_MAX_RANK; ++d) {
    o.extent[d] = extent[d];
    o.stride[d] = stride;
    // An overflow is found again, and reported, where the operand is used.
    if (__builtin_mul_overflow(stride, extent[d], &stride)) stride = 0;
  }
  o.batched = count >= 0;
  o.count = count >= 0 ? count : 1;
  o.batch_stride = count >= 0 ? stride : 0;
  return o;
}

tessera_status tessera_plan_create(tessera_plan** plan, const char* einsum, double alpha, double beta,
                                   const tessera_operand* operands, int operand_count, const char* target_name,
                                   int threads) {
  const tessera_scaling scaling{{alpha, 0}, {beta, 0}, TESSERA_USUAL};
  return tessera_plan_create_scaled(plan, einsum, &scaling, operands, operand_count, target_name, threads);
}

tessera_status tessera_plan_create_scaled(tessera_plan** plan, const char* einsum, const tessera_scaling* scaling,
                                          const tessera_operand* operands, int operand_count, const char* target_name,
                                          int threads) {
  const tessera_plan_options options{target_name, threads, TESSERA_BY_SIZE, 0, 0, TESSERA_EXACT};
  if (scaling != nullptr) return tessera_plan_create_with(plan, einsum, scaling, operands, operand_count, &options);
  if (plan != nullptr) *plan = nullptr;
  return c_status_of(__func__, [] { throw error("plan_create: null scaling", status::null_pointer); });
}

tessera_status tessera_plan_create_with(tessera_plan** plan, const char* einsum, const tessera_scaling* scaling,
                                        const tessera_operand* operands, int operand_count,
                                        const tessera_plan_options* options) {
  return tessera_plan_create_fused(plan, einsum, scaling, nullptr, operands, operand_count, options);
}

tessera_status tessera_plan_create_fused(tessera_plan** plan, const char* einsum, const tessera_scaling* scaling,
                                         const tessera_functions* functions, const tessera_operand* operands,
                                         int operand_count, const tessera_plan_options* given_options) {
  if (plan != nullptr) *plan = nullptr;
  return c_status_of(__func__, [&] {
    if (plan == nullptr || einsum == nullptr) throw error("plan_create: null plan or einsum", status::null_pointer);
    const contraction plain = contraction_from(einsum, scaling);
    const plan_options options = detail::plan_options_from_c(given_options);
    const operands_from given("plan_create", operands, operand_count);
    const contraction what =
        functions == nullptr ? plain : detail::with_functions_of_c(plain, *functions, given.all[0]);
    tessera::plan made = make_plan_of(what, given.all, operand_count, options);
    const bool is_ready = made.is_ready();
    std::string full = made.describe(), brief = made.describe(detail_level::brief);
    *plan = new tessera_plan{std::move(made), std::move(full), std::move(brief), is_ready};
  });
}

tessera_status tessera_plan_run(const tessera_plan* plan, const tessera_operand* operands, int operand_count,
                                void* stream) {
  return c_status_of(__func__, [&] {
    if (plan == nullptr) throw error("plan_run: null plan", status::null_pointer);
    const operands_from given("plan_run", operands, operand_count);
    plan->plan.run_operands(given.all, operand_count, stream_view(stream));
  });
}

tessera_status tessera_plan_bind(tessera_bound_plan** bound, const tessera_plan* plan, const tessera_operand* operands,
                                 int operand_count) {
  if (bound != nullptr) *bound = nullptr;
  return c_status_of(__func__, [&] {
    if (bound == nullptr || plan == nullptr)
      throw error("plan_bind: null result pointer or plan", status::null_pointer);
    const operands_from given("plan_bind", operands, operand_count);
    *bound = new tessera_bound_plan{plan->plan.bind_operands(given.all, operand_count)};
  });
}

tessera_status tessera_bound_plan_run(const tessera_bound_plan* bound, int64_t first, int64_t count) {
  return c_status_of(__func__, [&] {
    if (bound == nullptr) throw error("bound_plan_run: null plan", status::null_pointer);
    bound->plan.run(first, count);
  });
}

void tessera_bound_plan_destroy(tessera_bound_plan* bound) { delete bound; }

const char* tessera_plan_describe(const tessera_plan* plan) {
  if (plan == nullptr) return nullptr;
  if (plan->was_ready || !plan->plan.is_ready()) return plan->description.c_str();
  try {
    std::call_once(plan->described_again, [plan] { plan->later_description = plan->plan.describe(); });
    return plan->later_description.c_str();
  } catch (...) {  // no memory for it
    return plan->description.c_str();
  }
}

const char* tessera_plan_describe_brief(const tessera_plan* plan) {
  return plan == nullptr ? nullptr : plan->brief_description.c_str();
}

size_t tessera_plan_workspace_bytes(const tessera_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.workspace_bytes();
}
int tessera_plan_is_ready(const tessera_plan* plan) { return plan == nullptr ? -1 : int(plan->plan.is_ready()); }

void tessera_plan_destroy(tessera_plan* plan) { delete plan; }

tessera_status tessera_allocate(void** memory, tessera_space space, size_t bytes) {
  return c_status_of(__func__, [&] {
    if (memory == nullptr) throw error("allocate: null result pointer", status::null_pointer);
    *memory = nullptr;
    *memory = allocate(space_from("allocate", space), bytes);
  });
}

void tessera_free(tessera_space space, void* memory) {
  deallocate(space == TESSERA_GPU ? space_kind::gpu : space_kind::cpu, memory);
}

tessera_status tessera_set_allocator(const tessera_allocator* from) {
  return c_status_of(__func__, [&] {
    if (from == nullptr) return set_allocator({});
    if (from->allocate == nullptr || from->deallocate == nullptr)
      throw error(std::string("set_allocator: ") + (from->allocate == nullptr ? "allocate" : "deallocate") +
                      " is a null pointer",
                  status::null_pointer);
    const auto name_of_space = [](space_kind space) { return space == space_kind::cpu ? TESSERA_CPU : TESSERA_GPU; };
    set_allocator({[given = *from, name_of_space](space_kind space, std::size_t bytes) {
                     return given.allocate(name_of_space(space), bytes, given.context);
                   },
                   [given = *from, name_of_space](space_kind space, void* memory) {
                     given.deallocate(name_of_space(space), memory, given.context);
                   }});
  });
}

tessera_status tessera_copy(const tessera_operand* from, const tessera_operand* to) {
  return c_status_of(__func__, [&] {
    if (from == nullptr || to == nullptr) throw error("copy: null operand", status::null_pointer);
    copy_operand(detail::operand_from_c("copy", *from), detail::operand_from_c("copy", *to), std::nullopt);
  });
}

int tessera_target_available(const char* name) {
  int available = 0;
  if (name == nullptr) return 0;
  c_status_of(__func__, [&] { available = int(is_available(target_from_name(name))); });
  return available;
}

}  // extern "C"
