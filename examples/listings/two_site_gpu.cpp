// SPDX-License-Identifier: BSD-3-Clause
// A two-site update of tensor networks on a GPU from plain C++: tensors in its memory, a chain in one launch, and many
// runs of it in a CUDA graph.
#include <tessera/tessera.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using namespace tessera;

void checked(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(code));
}

template <class Batch>
bool all_are(const Batch& y, double wanted) {
  return std::all_of(y.begin(), y.end(), [&](double found) { return found == wanted; });
}

bool update() {
  // snippet operands
  // Y[b][p][r] = sum over q, c of G[p][q] X[b][q][c] M[c][r] for 256 tensors X. The word `gpu` places a tensor in the
  // GPU's memory; copies from the host fill it.
  const index_t dp = 16, chi = 64, count = 256;
  auto G = make_tensor<double>(gpu, of_size(dp, dp)), M = make_tensor<double>(gpu, of_size(chi, chi));
  auto X = make_batch<double>(gpu, of_size(chi, dp), count), Y = make_batch<double>(gpu, of_size(chi, dp), count);
  auto host_G = make_tensor<double>(of_size(dp, dp)), host_M = make_tensor<double>(of_size(chi, chi));
  auto host_X = make_batch<double>(of_size(chi, dp), count), host_Y = make_batch<double>(of_size(chi, dp), count);
  std::fill(host_G.begin(), host_G.end(), 0.5);
  std::fill(host_M.begin(), host_M.end(), 2.0);
  std::fill(host_X.begin(), host_X.end(), 1.0);
  copy(host_G, G);
  copy(host_M, M);
  copy(host_X, X);
  // end snippet

  // snippet chain
  // The update is a chain of two contractions, made once. Here NVRTC compiles its kernel: seconds for a new shape, and
  // none in later runs of the program, which find the code on disk.
  const chain both({{contraction("qp,cq->cp"), {operand_of(G)}}, {contraction("rc,cp->rp"), {operand_of(M)}}},
                   operand_of(X), operand_of(Y));
  std::cout << both.describe() << '\n';                            // which form it has, and why
  buffer workspace(space_kind::gpu, both.workspace_bytes(count));  // 0 bytes where it is one launch

  // A run is queued in a stream, and the host goes on. G, M and X may have other numbers in each run.
  const stream queue;
  both.run(X, Y, workspace, queue);
  queue.synchronize();
  copy(Y, host_Y);
  // end snippet
  const double wanted = double(dp * chi);
  bool right = all_are(host_Y, wanted);

  // snippet graph
  // Runs neither allocate nor wait, so that a CUDA graph can record any number of them: a replay has no cost of calls.
  auto* const handle = static_cast<cudaStream_t>(stream_view(queue).handle());
  cudaGraph_t recorded = nullptr;
  cudaGraphExec_t ready = nullptr;
  checked(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 100; ++i) both.run(X, Y, workspace, queue);
  checked(cudaStreamEndCapture(handle, &recorded));
  checked(cudaGraphInstantiate(&ready, recorded, 0));
  checked(cudaGraphLaunch(ready, handle));
  queue.synchronize();
  checked(cudaGraphExecDestroy(ready));
  checked(cudaGraphDestroy(recorded));
  // end snippet
  std::fill(host_Y.begin(), host_Y.end(), -1.0);
  copy(Y, host_Y);
  return right && all_are(host_Y, wanted);
}

}  // namespace

int main() try { return update() ? 0 : 1; } catch (const tessera::error& e) {
  std::cout << e.what() << '\n';
  return e.code() == tessera::status::no_device ? 4 : 1;
}
