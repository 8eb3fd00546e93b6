// SPDX-License-Identifier: BSD-3-Clause
// Loading NVRTC and calling it; its entry points are declared here, so that no CUDA header is needed.
#include "nvrtc.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <tessera/error.hpp>

namespace tessera::device {

namespace {

using program = void*;

struct library {
  void* handle = nullptr;
  std::string problem;
  int (*create)(program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*add_name)(program, const char*) = nullptr;
  int (*compile)(program, int, const char* const*) = nullptr;
  int (*lowered_name)(program, const char*, const char**) = nullptr;
  int (*code_size)(program, std::size_t*) = nullptr;
  int (*code)(program, char*) = nullptr;
  int (*log_size)(program, std::size_t*) = nullptr;
  int (*log)(program, char*) = nullptr;
  int (*destroy)(program*) = nullptr;
  int (*version)(int*, int*) = nullptr;

  library() {
    constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"};
    for (const char* name : names)
      if ((handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) != nullptr) break;
    if (handle == nullptr) {
      problem = "no NVRTC: libnvrtc.so.13 is neither on the library path nor in /usr/local/cuda/lib64";
      return;
    }
    find(create, "nvrtcCreateProgram");
    find(add_name, "nvrtcAddNameExpression");
    find(compile, "nvrtcCompileProgram");
    find(lowered_name, "nvrtcGetLoweredName");
    find(code_size, "nvrtcGetCUBINSize");
    find(code, "nvrtcGetCUBIN");
    find(log_size, "nvrtcGetProgramLogSize");
    find(log, "nvrtcGetProgramLog");
    find(destroy, "nvrtcDestroyProgram");
    find(version, "nvrtcVersion");
  }

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr) problem = std::string("this NVRTC has no ") + name;
  }
};

const library& loaded() {
  static const library& once = *new library;  // never destroyed: a thread may still compile when the process ends
  return once;
}

// Destroys the program on every exit.
struct owned_program {
  program handle = nullptr;
  ~owned_program() {
    if (handle != nullptr) loaded().destroy(&handle);
  }
};

// Whether a call succeeded. Running out of memory is not a fault of the source: it may compile the next time.
bool succeeded(int result) {
  constexpr int no_memory = 1;
  if (result == no_memory) throw error("jit: NVRTC has no memory left", status::out_of_memory);
  return result == 0;
}

std::string log_of(program p) {
  std::size_t size = 0;
  if (!succeeded(loaded().log_size(p, &size))) return "NVRTC has no log";
  std::string text(size, '\0');
  if (size > 0 && !succeeded(loaded().log(p, text.data()))) return "NVRTC has no log";
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace

const std::string& nvrtc_problem() { return loaded().problem; }

std::string nvrtc_version() {
  int major = 0, minor = 0;
  loaded().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

nvrtc_result nvrtc_compile(const std::string& source, const std::vector<std::string>& kernels,
                           const std::vector<nvrtc_header>& headers, int architecture) {
  const library& n = loaded();
  std::vector<const char*> texts, names;
  for (const nvrtc_header& h : headers) {
    texts.push_back(h.text);
    names.push_back(h.name);
  }
  nvrtc_result result;
  owned_program p;
  const auto takes = [&](const std::string& kernel) { return succeeded(n.add_name(p.handle, kernel.c_str())); };
  if (!succeeded(
          n.create(&p.handle, source.c_str(), "tessera_row.cu", int(headers.size()), texts.data(), names.data())) ||
      !std::ranges::all_of(kernels, takes)) {
    result.log = "NVRTC could not create a program";
    return result;
  }
  const std::string arch = "--gpu-architecture=sm_" + std::to_string(architecture);
  const char* const options[] = {arch.c_str(), "--std=c++20", "-default-device", "--diag-suppress=1097"};
  const bool good = succeeded(n.compile(p.handle, int(std::size(options)), options));
  result.log = log_of(p.handle);
  std::size_t size = 0;
  if (!good || !succeeded(n.code_size(p.handle, &size))) return result;
  for (const std::string& kernel : kernels) {
    const char* lowered = nullptr;
    if (!succeeded(n.lowered_name(p.handle, kernel.c_str(), &lowered))) return result;
    result.entries.emplace_back(lowered);
  }
  result.machine_code.resize(size);
  if (!succeeded(n.code(p.handle, result.machine_code.data()))) result.machine_code.clear();
  return result;
}

}  // namespace tessera::device
