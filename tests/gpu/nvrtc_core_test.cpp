// SPDX-License-Identifier: BSD-3-Clause
// Compiles include/tessera/core with NVRTC, where this machine has it: no GPU is needed. Absent, it counts as skipped.
#include "testing/catch.hpp"
#include "testing/skip.hpp"

#include <dlfcn.h>

#include <string>
#include <vector>

namespace {

// The five entry points used, declared here so that no CUDA header is needed.
struct nvrtc {
  using program = void*;
  void* library = nullptr;
  int (*create)(program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile)(program, int, const char* const*) = nullptr;
  int (*log_size)(program, std::size_t*) = nullptr;
  int (*log)(program, char*) = nullptr;
  int (*destroy)(program*) = nullptr;

  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
  }
};

nvrtc load() {
  nvrtc n;
  for (const char* name :
       {"libnvrtc.so", "libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda-13.0/lib64/libnvrtc.so",
        "/usr/local/cuda/lib/libnvrtc.so", "/usr/local/cuda-13.0/lib/libnvrtc.so"}) {
    n.library = dlopen(name, RTLD_NOW);
    if (n.library != nullptr) break;
  }
  if (n.library == nullptr) return n;
  n.find(n.create, "nvrtcCreateProgram");
  n.find(n.compile, "nvrtcCompileProgram");
  n.find(n.log_size, "nvrtcGetProgramLogSize");
  n.find(n.log, "nvrtcGetProgramLog");
  n.find(n.destroy, "nvrtcDestroyProgram");
  return n;
}

const char* const source = R"(
#include <tessera/core/types.hpp>
#include <tessera/core/extents.hpp>
#include <tessera/core/layout.hpp>
#include <tessera/core/offset.hpp>
#include <tessera/core/reshape.hpp>
#include <tessera/core/einsum.hpp>
#include <tessera/core/lower.hpp>
#include <tessera/core/chain.hpp>
#include <tessera/core/address.hpp>

using namespace tessera;

constexpr auto table = column_major(of_size<5, 4>());
constexpr auto cube = column_major(of_size(4_c, 3_c, 2_c));
constexpr auto result = row_major(of_size<5, 3, 2>());
constexpr detail::lowering in{parse_einsum("kj,jbc->kbc"), {facts_of(table), facts_of(cube), {}, facts_of(result)}};
constexpr lowered form = lower(in.e, in.facts);
static_assert(form.form == canonical::eq8a && form.fault == lower_fault::none);
static_assert(form.rows.size() == 5 && form.inner.size() == 4);

__global__ void offsets(index_t* to, index_t n) {
  const auto folded = reshape_layout(tile_by<2, 2>(of_size<4, 6>()), of_size<8, 3>());
  const auto map = layout_map_of(result, form, in, output);
  const run_time_map strided = strided_map_of(form, 0);
  const static_map<1, 5, 3, 20> fixed{};
  const auto wide = interleave<4>(of_size(n, 3));
  for (index_t i = threadIdx.x; i < n; i += blockDim.x)
    to[i] = folded.offset(i % 8, i % 3) + map.offset(i % 5, 1, 0) + strided.offset(i % 5, 2, 0) + fixed.offset(i % 5, 1, 2) +
            wide.offset(i, 2) + pad_to<8>(of_size(n, 2)).offset(i, 1);
}
)";

}  // namespace

TEST_CASE("gpu nvrtc: the core headers compile", "[nvrtc]") {
  const nvrtc n = load();
  if (n.library == nullptr || n.create == nullptr || n.compile == nullptr) return tessera::testing::skip("no NVRTC");
  nvrtc::program program = nullptr;
  REQUIRE(n.create(&program, source, "core.cu", 0, nullptr, nullptr) == 0);
  const std::string include = std::string("--include-path=") + TESSERA_SOURCE_DIR + "/include";
  const std::vector<const char*> options{include.c_str(), "--std=c++20", "-default-device",
                                         "--gpu-architecture=compute_90"};
  const int result = n.compile(program, int(options.size()), options.data());
  std::size_t size = 0;
  n.log_size(program, &size);
  std::string log(size, '\0');
  n.log(program, log.data());
  n.destroy(&program);
  INFO(log);
  CHECK(result == 0);
}
