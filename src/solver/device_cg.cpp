// SPDX-License-Identifier: BSD-3-Clause
// Queues the kernels of conjugate gradients around the operators, as a graph or one by one.
#include "device_cg.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <tessera/gpu/detail/graph.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "cg_parts.hpp"
#include "vectors.hpp"

namespace tessera::detail {

struct release_pinned {
  void operator()(void* memory) const noexcept { device::deallocate_pinned(memory); }
};
template <class Value>
using pinned = std::unique_ptr<Value, release_pinned>;

// Iterations that are queued before the host waits for the first of them: a launch takes a few microseconds.
constexpr int queued_iterations = 3;
static_assert(queued_iterations < device::cg_report::kept);

template <class T>
struct device_cg<T>::state {
  linear_operator<T> A, M;
  conjugate_gradient_options o;
  bool fused;
  stream own{};  // of all work: what operators keep for a stream is there when an iteration is captured
  vector_memory<T> r, p, q, z;
  vector_memory<double> partial;
  buffer control{space_kind::gpu, sizeof(device::cg_control)};
  pinned<device::cg_report> reports;
  pinned<double> host_sums{static_cast<double*>(device::allocate_pinned(sizeof(device::cg_control::sums)))};
  std::array<device::event, queued_iterations> queued{};
  device::cg_vectors<T> v{};
  std::optional<device::graph> iteration{};
  int collected = 0;  // iterations that are in the results

  state(const linear_operator<T>& of_A, const linear_operator<T>& of_M, const conjugate_gradient_options& with)
      : A(of_A),
        M(of_M),
        o(with),
        fused(is_fused(M, o)),
        r(A.space(), A.size()),
        p(A.space(), A.size()),
        q(A.space(), A.size()),
        z(A.space(), M && !fused ? A.size() : 0),
        partial(A.space(), o.systems * device::partial_sums(A.size() / o.systems)),
        reports(static_cast<device::cg_report*>(
            device::allocate_pinned(std::size_t(o.systems) * sizeof(device::cg_report)))) {
    v = {.size = A.size() / o.systems,
         .systems = o.systems,
         .p = p.data(),
         .q = q.data(),
         .r = r.data(),
         .z = M && !fused ? z.data() : r.data(),
         .d = fused && M ? M.diagonal() : nullptr,
         .fused = fused,
         .partial = partial.data(),
         .control = static_cast<device::cg_control*>(control.data())};
  }

  bool reduces() const { return o.sums.on_stream || o.sums.on_host; }

  // What sums over all processes decide.
  void reduce_and_decide(const device::cg_sums& what, stream_view on) const {
    const int count = o.systems * device::sums_of(what.stage);
    if (o.sums.on_stream) {
      o.sums.on_stream(v.control->sums, count, on);
    } else {
      const std::size_t bytes = std::size_t(count) * sizeof(double);
      device::copy_async(host_sums.get(), v.control->sums, bytes, device::direction::device_to_host, on.handle());
      on.synchronize();
      o.sums.on_host(host_sums.get(), count);
      device::copy_async(v.control->sums, host_sums.get(), bytes, device::direction::host_to_device, on.handle());
    }
    device::queue_decision(v, what, on.handle());
  }
  void sum_and_decide(device::cg_stage stage, bool first, stream_view on) const {
    const device::cg_sums what{.stage = stage, .first = first, .decide = !reduces()};
    device::queue_sums(v, what, on.handle());
    if (reduces()) reduce_and_decide(what, on);
  }
  // z = M r, and p of it.
  void queue_direction(bool first, stream_view on) const {
    if (!fused) {
      if (M) M.apply(v.r, v.z, on);
      sum_and_decide(device::cg_stage::direction, first, on);
    }
    device::queue_direction(v, first, on.handle());
  }

  void queue_start(const T* b, T* x, bool from_zero, stream_view on) const {
    device::queue_reset(v, first_state(o), x, reports.get(), on.handle());
    if (from_zero)
      device::set_zero(x, std::size_t(A.size()) * sizeof(T), on.handle());
    else
      A.apply(x, v.q, on);
    device::queue_start(v, b, from_zero ? nullptr : static_cast<const T*>(v.q), !reduces(), on.handle());
    if (reduces()) reduce_and_decide({.stage = device::cg_stage::start, .first = true}, on);
    queue_direction(true, on);
  }
  // q = A p, and p.q.
  void queue_curvature(stream_view on) const {
    constexpr device::cg_stage stage = device::cg_stage::curvature;
    if (!A.gives_dot() || o.systems > 1) {  // it is one x.y of all systems
      A.apply(v.p, v.q, on);
      return sum_and_decide(stage, false, on);
    }
    A.apply_with_dot(v.p, v.q, v.control->sums, on);
    if (reduces())
      reduce_and_decide({.stage = stage}, on);
    else
      device::queue_decision(v, {.stage = stage}, on.handle());
  }
  void queue_iteration(stream_view on) const {
    queue_curvature(on);
    sum_and_decide(device::cg_stage::residual, false, on);
    queue_direction(false, on);
  }

  // Iterations until the host sees that they have stopped; those that were queued meanwhile change nothing.
  void iterate(std::vector<solve_result>& results, stream_view on) {
    const bool as_graph = o.graph && (o.sums.on_stream || !o.sums.on_host);
    for (int k = 1; k <= o.max_iterations; ++k) {
      device::event& slot = queued[std::size_t(k % queued_iterations)];
      if (k > queued_iterations) {
        slot.wait();
        if (!collect(results, k - queued_iterations)) break;
      }
      // The first one as it is: operators may allocate or compile then.
      if (as_graph && k > 1) {
        if (!iteration)
          iteration.emplace("conjugate_gradient: an iteration", on, [&](stream_view in) { queue_iteration(in); });
        iteration->launch(on.handle());
      } else {
        queue_iteration(on);
      }
      slot.record(on.handle());
    }
  }
  // Adds iteration k to the results. Whether a system goes on.
  bool collect(std::vector<solve_result>& results, int k) {
    collected = k;
    bool more = false;
    add_iteration(o, results, [&](std::size_t system) -> const device::cg_step* {
      const device::cg_step& step = reports.get()[system].steps[k % device::cg_report::kept];
      if (step.number != k) return nullptr;
      more = more || !step.stopped;
      return step.advance ? &step : nullptr;
    });
    return more;
  }
  // What is known when all iterations are complete.
  void finish(std::vector<solve_result>& results) {
    int last = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
      const device::cg_report& report = reports.get()[k];
      results[k].residuals[0] = report.first_norm;
      results[k].limit = report.state.limit;
      results[k].outcome = report.state.outcome;
      results[k].iterations = report.state.iteration;
      last = std::max(last, report.state.iteration);
    }
    while (collected < last) collect(results, collected + 1);
  }

  std::vector<solve_result> solve(const T* b, T* x, bool from_zero, stream_view ready_in) {
    const stream_view on = own;
    ready_in.synchronize();
    std::fill_n(reports.get(), o.systems, device::cg_report{});
    collected = 0;
    iteration.reset();  // what operators give to kernels may have changed
    std::vector<solve_result> results(std::size_t(o.systems), first_result({}));
    try {
      queue_start(b, x, from_zero, on);
      iterate(results, on);
      on.synchronize();
    } catch (...) {  // what is queued uses the vectors
      finish_quietly(on);
      throw;
    }
    finish(results);
    for (std::size_t k = 0; k < results.size(); ++k)
      if (results[k].outcome == solve_outcome::zero_right_hand_side)
        device::set_zero(x + index_t(k) * v.size, std::size_t(v.size) * sizeof(T), on.handle());
    on.synchronize();
    return results;
  }
  static void finish_quietly(stream_view on) noexcept try { on.synchronize(); } catch (...) {
  }
};

template <class T>
device_cg<T>::device_cg(const linear_operator<T>& A, const linear_operator<T>& M,
                        const conjugate_gradient_options& options)
    : state_(std::make_unique<state>(A, M, options)) {}
template <class T>
device_cg<T>::~device_cg() = default;

template <class T>
std::vector<solve_result> device_cg<T>::solve(const T* b, T* x, bool from_zero, stream_view on) {
  return state_->solve(b, x, from_zero, on);
}

template class device_cg<float>;
template class device_cg<double>;

}  // namespace tessera::detail
