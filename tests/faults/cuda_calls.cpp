// SPDX-License-Identifier: BSD-3-Clause
// What the linker puts in the place of CUDA's functions in this executable.
#include "gpu_calls.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

#include <cuda_runtime_api.h>

#include "injection.hpp"

namespace tessera::faults {

namespace {

std::atomic<gpu_calls> counted_calls{gpu_calls::all};

constexpr cudaError_t no_memory = cudaErrorMemoryAllocation, no_resources = cudaErrorLaunchOutOfResources,
                      no_code = cudaErrorInvalidKernelImage, unknown = cudaErrorUnknown;

// What cudaGetLastError has to give next: CUDA keeps an error until somebody asks.
thread_local cudaError_t last_error = cudaSuccess;

// The call, or the error in its place.
template <class Call>
cudaError_t may_fail(cudaError_t error, Call call) {
  if (counted_calls == gpu_calls::all && refuses()) return last_error = error;
  return call();
}
template <class Call>
cudaError_t compiling(cudaError_t error, Call call) {
  if (refuses()) return last_error = error;
  return call();
}
// A call that may write to an output.
template <class Call>
cudaError_t writing(cudaError_t error, Call call) {
  return may_fail(error, [&] {
    note_write();
    return call();
  });
}
template <class Call>
cudaError_t making(cudaError_t error, Call call) {
  const cudaError_t code = may_fail(error, call);
  if (code == cudaSuccess) ++kept_by_gpu();
  return code;
}
template <class Call>
auto giving_back(Call call) {
  --kept_by_gpu();
  return call();
}

}  // namespace

void count_gpu_calls(gpu_calls which) { counted_calls = which; }

}  // namespace tessera::faults

using namespace tessera::faults;

extern "C" {

// Memory and copies.

cudaError_t __real_cudaMalloc(void** to, std::size_t bytes);
cudaError_t __wrap_cudaMalloc(void** to, std::size_t bytes) {
  return making(no_memory, [&] { return __real_cudaMalloc(to, bytes); });
}
cudaError_t __real_cudaFree(void* memory);
cudaError_t __wrap_cudaFree(void* memory) {
  if (memory == nullptr) return __real_cudaFree(memory);
  return giving_back([&] { return __real_cudaFree(memory); });
}
cudaError_t __real_cudaHostAlloc(void** to, std::size_t bytes, unsigned flags);
cudaError_t __wrap_cudaHostAlloc(void** to, std::size_t bytes, unsigned flags) {
  return making(no_memory, [&] { return __real_cudaHostAlloc(to, bytes, flags); });
}
cudaError_t __real_cudaFreeHost(void* memory);
cudaError_t __wrap_cudaFreeHost(void* memory) {
  return giving_back([&] { return __real_cudaFreeHost(memory); });
}
cudaError_t __real_cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t __wrap_cudaMemset(void* to, int value, std::size_t bytes) {
  return may_fail(unknown, [&] { return __real_cudaMemset(to, value, bytes); });
}
cudaError_t __real_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way);
cudaError_t __wrap_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way) {
  return writing(unknown, [&] { return __real_cudaMemcpy(to, from, bytes, way); });
}
cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way, cudaStream_t in);
cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way, cudaStream_t in) {
  return writing(unknown, [&] { return __real_cudaMemcpyAsync(to, from, bytes, way, in); });
}
cudaError_t __real_cudaPointerGetAttributes(cudaPointerAttributes* to, const void* of);
cudaError_t __wrap_cudaPointerGetAttributes(cudaPointerAttributes* to, const void* of) {
  return may_fail(unknown, [&] { return __real_cudaPointerGetAttributes(to, of); });
}

// The device, streams and events.

cudaError_t __real_cudaGetDeviceCount(int* to);
cudaError_t __wrap_cudaGetDeviceCount(int* to) {
  return may_fail(no_memory, [&] { return __real_cudaGetDeviceCount(to); });
}
cudaError_t __real_cudaGetDevice(int* to);
cudaError_t __wrap_cudaGetDevice(int* to) {
  return may_fail(unknown, [&] { return __real_cudaGetDevice(to); });
}
cudaError_t __real_cudaGetDeviceProperties(cudaDeviceProp* to, int device);
cudaError_t __wrap_cudaGetDeviceProperties(cudaDeviceProp* to, int device) {
  return may_fail(unknown, [&] { return __real_cudaGetDeviceProperties(to, device); });
}
cudaError_t __real_cudaStreamCreateWithFlags(cudaStream_t* to, unsigned flags);
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t* to, unsigned flags) {
  return making(no_memory, [&] { return __real_cudaStreamCreateWithFlags(to, flags); });
}
cudaError_t __real_cudaStreamDestroy(cudaStream_t stream);
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t stream) {
  return giving_back([&] { return __real_cudaStreamDestroy(stream); });
}
cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
  return may_fail(unknown, [&] { return __real_cudaStreamSynchronize(stream); });
}
cudaError_t __real_cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* to);
cudaError_t __wrap_cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* to) {
  return may_fail(unknown, [&] { return __real_cudaStreamIsCapturing(stream, to); });
}
cudaError_t __real_cudaEventCreateWithFlags(cudaEvent_t* to, unsigned flags);
cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t* to, unsigned flags) {
  return making(no_memory, [&] { return __real_cudaEventCreateWithFlags(to, flags); });
}
cudaError_t __real_cudaEventDestroy(cudaEvent_t event);
cudaError_t __wrap_cudaEventDestroy(cudaEvent_t event) {
  return giving_back([&] { return __real_cudaEventDestroy(event); });
}
cudaError_t __real_cudaEventRecord(cudaEvent_t event, cudaStream_t in);
cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t in) {
  return may_fail(unknown, [&] { return __real_cudaEventRecord(event, in); });
}
cudaError_t __real_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
  return may_fail(unknown, [&] { return __real_cudaEventSynchronize(event); });
}

// Launches.

cudaError_t __real_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t in);
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t in) {
  return writing(no_resources, [&] { return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, in); });
}
// What <<<>>> becomes; its error is found by cudaGetLastError.
cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t in);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t in) {
  return writing(no_resources, [&] { return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, in); });
}
cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t now = __real_cudaGetLastError();
  return now != cudaSuccess ? now : std::exchange(last_error, cudaSuccess);
}
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel, void** arguments);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel, void** arguments) {
  return writing(no_resources, [&] { return __real_cudaLaunchKernelExC(how, kernel, arguments); });
}
cudaError_t __real_cudaLaunchHostFunc(cudaStream_t in, cudaHostFn_t function, void* argument);
cudaError_t __wrap_cudaLaunchHostFunc(cudaStream_t in, cudaHostFn_t function, void* argument) {
  return writing(no_resources, [&] { return __real_cudaLaunchHostFunc(in, function, argument); });
}
cudaError_t __real_cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value);
cudaError_t __wrap_cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute which, int value) {
  return may_fail(unknown, [&] { return __real_cudaFuncSetAttribute(kernel, which, value); });
}

// Code.

cudaError_t __real_cudaFuncGetAttributes(cudaFuncAttributes* to, const void* kernel);
cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* to, const void* kernel) {
  return compiling(no_memory, [&] { return __real_cudaFuncGetAttributes(to, kernel); });
}
cudaError_t __real_cudaLibraryLoadData(cudaLibrary_t* to, const void* code, cudaJitOption* options, void** values,
                                       unsigned option_count, cudaLibraryOption* library, void** library_values,
                                       unsigned library_count);
cudaError_t __wrap_cudaLibraryLoadData(cudaLibrary_t* to, const void* code, cudaJitOption* options, void** values,
                                       unsigned option_count, cudaLibraryOption* library, void** library_values,
                                       unsigned library_count) {
  return compiling(no_code, [&] {
    const cudaError_t found =
        __real_cudaLibraryLoadData(to, code, options, values, option_count, library, library_values, library_count);
    if (found == cudaSuccess) ++kept_by_gpu();
    return found;
  });
}
cudaError_t __real_cudaLibraryUnload(cudaLibrary_t library);
cudaError_t __wrap_cudaLibraryUnload(cudaLibrary_t library) {
  return giving_back([&] { return __real_cudaLibraryUnload(library); });
}
cudaError_t __real_cudaLibraryGetKernel(cudaKernel_t* to, cudaLibrary_t library, const char* name);
cudaError_t __wrap_cudaLibraryGetKernel(cudaKernel_t* to, cudaLibrary_t library, const char* name) {
  return compiling(no_code, [&] { return __real_cudaLibraryGetKernel(to, library, name); });
}

}  // extern "C"
