// SPDX-License-Identifier: BSD-3-Clause
// The GPU side of a build without CUDA: not available, and every call throws an error with a remedy.
#include <utility>

#include <tessera/detail/jit.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/chain_kernel.hpp>
#include <tessera/gpu/detail/cholesky.hpp>
#include <tessera/gpu/detail/element/dot_sums.hpp>
#include <tessera/gpu/detail/element/gather.hpp>
#include <tessera/gpu/detail/element/points.hpp>
#include <tessera/gpu/detail/element/set_up.hpp>
#include <tessera/gpu/detail/element/shared_sums.hpp>
#include <tessera/gpu/detail/general/any_work.hpp>
#include <tessera/gpu/detail/graph.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/gpu/detail/vector_combination.hpp>
#include <tessera/gpu/detail/vectors.hpp>

namespace tessera::device {

namespace {

[[noreturn]] void absent(const char* operation) {
  throw error(std::string(operation) + ": " + why_not_available(), status::no_device);
}

}  // namespace

bool available() noexcept { return false; }
std::string why_not_available() {
  return "this Tessera was built without CUDA; configure it with -DTESSERA_CUDA=ON where nvcc is installed, or use "
         "tessera::cpu";
}
device_info info() { absent("device info"); }
int current() { absent("current device"); }
void set_up_own_thread(int) { absent("thread"); }
void* allocate(std::size_t bytes) { absent(("allocate " + std::to_string(bytes) + " bytes on the GPU").c_str()); }
void deallocate(void*) noexcept {}
void clear(void*, std::size_t) { absent("clear"); }
void* allocate_pinned(std::size_t bytes) { absent(("allocate " + std::to_string(bytes) + " pinned bytes").c_str()); }
void deallocate_pinned(void*) noexcept {}
bool is_device_pointer(const void*) { return false; }
void copy(void*, const void*, std::size_t bytes, direction) {
  absent(("copy " + std::to_string(bytes) + " bytes to or from the GPU").c_str());
}
void copy_async(void*, const void*, std::size_t bytes, direction, void*) {
  absent(("copy " + std::to_string(bytes) + " bytes to or from the GPU").c_str());
}
void* stream_create() { absent("stream"); }
void stream_destroy(void*) noexcept {}
void stream_synchronize(void*) { absent("stream synchronize"); }

table::table(const std::vector<index_t>&) { absent("upload"); }
table upload(const std::vector<index_t>& host) { return table(host); }

template <class T>
  requires is_real_scalar<T>
bool has_layouts(const problem<T>&, const packed_layouts&) { return false; }
bool has_layouts(const any_problem&, const packed_layouts&) { return false; }
template <class T>
  requires is_real_scalar<T> std::optional<packed_layouts> layouts_of(const problem<T>&) { return std::nullopt; }
std::optional<packed_layouts> layouts_of(const any_problem&) { return std::nullopt; }
template <class T>
  requires is_real_scalar<T>
bool accepts(const gemm_choice&, const problem<T>&) { return false; }
template <class T>
  requires is_real_scalar<T> gemm_choice choose(const problem<T>&) { absent("choose a GPU kernel"); }
bool has_row(int) { return false; }

std::string describe(const gemm_choice&, const product_types&) { return "no GPU kernels in this build"; }
void launch(const problem<float>&, const gemm_choice&, void*) { absent("launch"); }
void launch(const problem<double>&, const gemm_choice&, void*) { absent("launch"); }
void launch_members(const problem<float>&, const problem_members<float>&, void*) { absent("launch"); }
void launch_members(const problem<double>&, const problem_members<double>&, void*) { absent("launch"); }
void launch_any(const any_problem&, const any_members&, void*) { absent("launch"); }

void queue_any(const any_work&, void*) { absent("a general contraction"); }

struct chain_kernel::state {};

chain_kernel::chain_kernel(const chain_form&, const chain_blocks&, const jit_code&) { absent("load a GPU kernel"); }
int chain_kernel::registers() const { return 0; }
int chain_kernel::local_bytes() const { return 0; }
void chain_kernel::run(const chain_call&, void*) const { absent("launch"); }
struct loaded_code::state {};
loaded_code::loaded_code(std::string name, const jit_code&) { absent(("load " + std::move(name)).c_str()); }
void loaded_code::queue(std::size_t, index_t, int, int, int, void**, void*) const { absent("launch"); }
int loaded_code::registers(std::size_t) const { return 0; }
int loaded_code::local_bytes(std::size_t) const { return 0; }

template <class T, class Stored>
void store_points(const T*, index_t, index_t, int, Stored*) {
  absent("store D");
}
template void store_points(const float*, index_t, index_t, int, float*);
template void store_points(const double*, index_t, index_t, int, double*);
template void store_points(const double*, index_t, index_t, int, float*);

template <class T, class Stored>
set_up_result set_up_points(operator_kind, int, const node_set_up<T>&, Stored*) {
  absent("compute D");
}
template set_up_result set_up_points(operator_kind, int, const node_set_up<float>&, float*);
template set_up_result set_up_points(operator_kind, int, const node_set_up<double>&, double*);
template set_up_result set_up_points(operator_kind, int, const node_set_up<double>&, float*);

graph::graph(const char*, stream_view, const std::function<void(stream_view)>&) { absent("graph"); }
graph::~graph() { ready_ = nullptr; }  // it never was
void graph::launch(void*) const { absent(operation_); }
event::event() { absent("event"); }
event::~event() { handle_ = nullptr; }
void event::record(void*) { absent("event"); }
void event::order(void*) const { absent("event"); }
void event::wait() const { absent("event"); }
bool is_capturing(void*) { return false; }
void keep_for_graph(void*, const std::shared_ptr<const void>&) { absent("graph"); }
bool destroy_released() { return false; }

void combine(index_t, const vector_combination&, void*) { absent("combine"); }
template <class T>
void multiply(index_t, double, const T*, const T*, T*, void*) {
  absent("multiply");
}
template <class T>
void chebyshev_step(index_t, double, double, const T*, const T*, const T*, const T*, T*, T*, void*) {
  absent("chebyshev");
}
template <class From, class To>
void convert(index_t, const From*, To*, void*) {
  absent("convert");
}
void set_zero(void*, std::size_t, void*) { absent("set to zero"); }
template <class T>
tessera::detail::cholesky_failure factor_cholesky(int, index_t, const T*, T*, void*) {
  absent("batched_cholesky");
}
template <class T>
void solve_cholesky(int, index_t, const T*, const T*, T*, void*) {
  absent("batched_cholesky");
}
template tessera::detail::cholesky_failure factor_cholesky(int, index_t, const float*, float*, void*);
template tessera::detail::cholesky_failure factor_cholesky(int, index_t, const double*, double*, void*);
template void solve_cholesky(int, index_t, const float*, const float*, float*, void*);
template void solve_cholesky(int, index_t, const double*, const double*, double*, void*);
index_t partial_sums(index_t) { return 0; }
template <class T>
void queue_reset(const cg_vectors<T>&, const tessera::detail::cg_state&, T*, cg_report*, void*) {
  absent("conjugate_gradient");
}
template <class T>
void queue_start(const cg_vectors<T>&, const T*, const T*, bool, void*) {
  absent("conjugate_gradient");
}
template <class T>
void queue_sums(const cg_vectors<T>&, const cg_sums&, void*) {
  absent("conjugate_gradient");
}
template <class T>
void queue_decision(const cg_vectors<T>&, const cg_sums&, void*) {
  absent("conjugate_gradient");
}
template <class T>
void queue_direction(const cg_vectors<T>&, bool, void*) {
  absent("conjugate_gradient");
}
template void multiply(index_t, double, const float*, const float*, float*, void*);
template void chebyshev_step(index_t, double, double, const float*, const float*, const float*, const float*, float*,
                             float*, void*);
template void queue_reset(const cg_vectors<float>&, const tessera::detail::cg_state&, float*, cg_report*, void*);
template void queue_start(const cg_vectors<float>&, const float*, const float*, bool, void*);
template void queue_sums(const cg_vectors<float>&, const cg_sums&, void*);
template void queue_decision(const cg_vectors<float>&, const cg_sums&, void*);
template void queue_direction(const cg_vectors<float>&, bool, void*);
template void multiply(index_t, double, const double*, const double*, double*, void*);
template void chebyshev_step(index_t, double, double, const double*, const double*, const double*, const double*,
                             double*, double*, void*);
template void queue_reset(const cg_vectors<double>&, const tessera::detail::cg_state&, double*, cg_report*, void*);
template void queue_start(const cg_vectors<double>&, const double*, const double*, bool, void*);
template void queue_sums(const cg_vectors<double>&, const cg_sums&, void*);
template void queue_decision(const cg_vectors<double>&, const cg_sums&, void*);
template void queue_direction(const cg_vectors<double>&, bool, void*);
template void convert(index_t, const double*, float*, void*);
template void convert(index_t, const float*, double*, void*);

template bool has_layouts(const problem<float>&, const packed_layouts&);
template bool has_layouts(const problem<double>&, const packed_layouts&);
template std::optional<packed_layouts> layouts_of(const problem<float>&);
template std::optional<packed_layouts> layouts_of(const problem<double>&);
template bool accepts(const gemm_choice&, const problem<float>&);
template bool accepts(const gemm_choice&, const problem<double>&);
template gemm_choice choose(const problem<float>&);
template gemm_choice choose(const problem<double>&);

index_t dot_partials(index_t, index_t, index_t) { return 0; }
template <class T, class Index>
void sum_dots(const dot_arguments<T, Index>&, const dot_result&, void*) {
  absent("x.y of an application");
}
template <class T>
void sum_products(index_t, const T*, const T*, const dot_result&, void*) {
  absent("x.y of an application");
}
template void sum_dots(const dot_arguments<float, std::uint32_t>&, const dot_result&, void*);
template void sum_dots(const dot_arguments<double, std::uint32_t>&, const dot_result&, void*);
template void sum_dots(const dot_arguments<float, std::uint64_t>&, const dot_result&, void*);
template void sum_dots(const dot_arguments<double, std::uint64_t>&, const dot_result&, void*);
template void sum_products(index_t, const float*, const float*, const dot_result&, void*);
template void sum_products(index_t, const double*, const double*, const dot_result&, void*);
template <class T, class Index>
void add_shared_terms(const sum_arguments<T, Index>&, void*) {
  absent("launch");
}
template <class T, class Index>
void clear_shared_numbers(const sum_arguments<T, Index>&, void*) {
  absent("launch");
}
template void add_shared_terms(const sum_arguments<float, std::uint32_t>&, void*);
template void add_shared_terms(const sum_arguments<double, std::uint32_t>&, void*);
template void add_shared_terms(const sum_arguments<float, std::uint64_t>&, void*);
template void add_shared_terms(const sum_arguments<double, std::uint64_t>&, void*);
template void clear_shared_numbers(const sum_arguments<float, std::uint32_t>&, void*);
template void clear_shared_numbers(const sum_arguments<double, std::uint32_t>&, void*);
template void clear_shared_numbers(const sum_arguments<float, std::uint64_t>&, void*);
template void clear_shared_numbers(const sum_arguments<double, std::uint64_t>&, void*);
template <class T, class Index>
void gather_entries(const gather_arguments<T, Index>&, void*) {
  absent("launch");
}
template void gather_entries(const gather_arguments<float, std::uint32_t>&, void*);
template void gather_entries(const gather_arguments<double, std::uint32_t>&, void*);
template void gather_entries(const gather_arguments<float, std::uint64_t>&, void*);
template void gather_entries(const gather_arguments<double, std::uint64_t>&, void*);

}  // namespace tessera::device

namespace tessera {

struct jit_kernel::state {
  jit_gemm what;
};

jit_kernel::jit_kernel(const jit_gemm&, const jit_code&) { device::absent("load a GPU kernel"); }
int jit_kernel::registers() const { return 0; }
int jit_kernel::local_bytes() const { return 0; }
const jit_gemm& jit_kernel::what() const { return state_->what; }
void jit_kernel::run(const problem<float>&, stream_view) const { device::absent("launch"); }
void jit_kernel::run(const problem<double>&, stream_view) const { device::absent("launch"); }
void jit_kernel::run(const any_problem&, stream_view) const { device::absent("launch"); }

}  // namespace tessera
