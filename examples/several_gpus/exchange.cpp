// SPDX-License-Identifier: BSD-3-Clause
// NCCL beside the operator's stream, or copies to the host and back.
#include "exchange.hpp"

#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace tessera::examples {

namespace {

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(code));
}
void check(ncclResult_t code) {
  if (code != ncclSuccess) throw std::runtime_error(std::string("NCCL: ") + ncclGetErrorString(code));
}
cudaStream_t stream_of(stream_view on) { return static_cast<cudaStream_t>(on.handle()); }

}  // namespace

struct gpu_exchange::state {
  way by = way::nccl;
  slab part;
  shared_host& host;
  std::size_t count;  // numbers of a layer
  ncclComm_t all = nullptr;
  cudaStream_t aside = nullptr;
  cudaEvent_t ready = nullptr;
  std::vector<double*> of;  // of each process in the host's memory: a layer that goes up, one that goes down, sums

  state(const slab& s, shared_host& h) : part(s), host(h), count(std::size_t(s.plane)) {
    check(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    for (int r = 0; r < host.count(); ++r) {
      of.push_back(static_cast<double*>(host.memory_of(r)));
      check(cudaHostRegister(of.back(), host.bytes(), cudaHostRegisterDefault));
    }
    auto* const id = static_cast<ncclUniqueId*>(host.memory_of(0));
    if (part.process == 0) check(ncclGetUniqueId(id));
    host.meet();
    check(ncclCommInitRank(&all, host.count(), *id, part.process));
    host.meet();
  }
  ~state() {
    if (all != nullptr) ncclCommDestroy(all);
    for (double* const one : of) cudaHostUnregister(one);
    cudaStreamDestroy(aside);
    cudaEventDestroy(ready);
  }

  // A layer to the process above or below and one from the other, beside what is queued in `on` from now on.
  void begin(const double* out, double* in, bool up, stream_view on) const {
    const bool sends = up ? part.has_above() : part.has_below(), gets = up ? part.has_below() : part.has_above();
    // snippet begin
    check(cudaEventRecord(ready, stream_of(on)));
    check(cudaStreamWaitEvent(aside, ready));
    if (by == way::nccl && (sends || gets)) {
      const int above = part.process + 1, below = part.process - 1;
      check(ncclGroupStart());
      if (sends) check(ncclSend(out, count, ncclDouble, up ? above : below, all, aside));
      if (gets) check(ncclRecv(in, count, ncclDouble, up ? below : above, all, aside));
      check(ncclGroupEnd());
      // end snippet
    } else if (by == way::staged && sends) {
      check(cudaMemcpyAsync(of[std::size_t(part.process)] + (up ? 0 : count), out, count * sizeof(double),
                            cudaMemcpyDefault, aside));
    }
  }
  void end(double* in, bool up, stream_view on) const {
    const bool gets = up ? part.has_below() : part.has_above();
    if (by == way::staged) {
      check(cudaStreamSynchronize(aside));
      host.meet();
      if (gets)
        check(cudaMemcpyAsync(in, of[std::size_t(part.process + (up ? -1 : 1))] + (up ? 0 : count),
                              count * sizeof(double), cudaMemcpyDefault, aside));
    }
    check(cudaEventRecord(ready, aside));
    check(cudaStreamWaitEvent(stream_of(on), ready));
    if (by == way::staged) {  // before the next one writes there
      check(cudaStreamSynchronize(aside));
      host.meet();
    }
  }
};

gpu_exchange::gpu_exchange(const slab& part, shared_host& host) : state_(std::make_unique<state>(part, host)) {}
gpu_exchange::~gpu_exchange() = default;
void gpu_exchange::use(way by) { state_->by = by; }

fem::halo_exchange<double> gpu_exchange::halos() const {
  const state* const s = state_.get();
  return {
      .begin_gather = [s](const double* sent, double* received, stream_view on) { s->begin(sent, received, true, on); },
      .end_gather = [s](const double*, double* received, stream_view on) { s->end(received, true, on); },
      .begin_sum = [s](const double* received, double* sums, stream_view on) { s->begin(received, sums, false, on); },
      .end_sum = [s](const double*, double* sums, stream_view on) { s->end(sums, false, on); },
  };
}

all_reduce gpu_exchange::sums() const {
  const state* const s = state_.get();
  if (s->host.count() == 1) return {};
  if (s->by == way::none) return {.on_stream = [](double*, int, stream_view) {}};
  if (s->by == way::nccl)
    return {.on_stream = [s](double* sums, int count, stream_view on) {
      check(ncclAllReduce(sums, sums, std::size_t(count), ncclDouble, ncclSum, s->all, stream_of(on)));
    }};
  return {.on_host = [s](double* sums, int count) {
    const std::size_t n = std::size_t(count);
    std::memcpy(s->of[std::size_t(s->part.process)] + 2 * s->count, sums, n * sizeof(double));
    s->host.meet();
    std::fill_n(sums, n, 0.0);
    for (const double* const one : s->of)
      for (std::size_t k = 0; k < n; ++k) sums[k] += one[2 * s->count + k];
    s->host.meet();
  }};
}

}  // namespace tessera::examples
