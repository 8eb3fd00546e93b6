// SPDX-License-Identifier: BSD-3-Clause
// Compiles include/tessera/core and the device-side entry point with NVRTC, where this machine has it: no GPU is
// needed. Absent, it counts as skipped.
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
#include <tessera/core/complex.hpp>
#include <tessera/core/half.hpp>
#include <tessera/core/scalar_type.hpp>
#include <tessera/core/product_types.hpp>
#include <tessera/core/extents.hpp>
#include <tessera/core/layout.hpp>
#include <tessera/core/offset.hpp>
#include <tessera/core/reshape.hpp>
#include <tessera/core/einsum.hpp>
#include <tessera/core/lower.hpp>
#include <tessera/core/chain.hpp>
#include <tessera/core/address.hpp>
#include <tessera/core/math.hpp>

using namespace tessera;

constexpr auto table = column_major(of_size<5, 4>());
constexpr auto cube = column_major(of_size(4_c, 3_c, 2_c));
constexpr auto result = row_major(of_size<5, 3, 2>());
constexpr detail::lowering in{parse_einsum("kj,jbc->kbc"), {facts_of(table), facts_of(cube), {}, facts_of(result)}};
constexpr lowered form = lower(in.e, in.facts);
static_assert(form.form == canonical::eq8a && form.fault == lower_fault::none);
static_assert(form.rows.size() == 5 && form.inner.size() == 4);

static_assert(half(1.0f).bits == 0x3c00 && float(bfloat16::of_bits(0x4000)) == 2.0f);
static_assert(conj(complex<float>(1, 2)) * complex<float>(0, 1) == complex<float>(2, 1));
static_assert(is_known({scalar_type::f16, scalar_type::f32, scalar_type::f32}));

__global__ void sums(complex<double>* z, const half* h, bfloat16* b, int n) {
  for (int i = 0; i < n; ++i) {
    add_product(z[0], conj(z[i]), z[i]);
    b[i] = bfloat16(float(h[i]) * 2);
  }
}

struct every_function {
  template <class S>
  constexpr S operator()(const S& x, const S& y) const {
    using tessera::sqrt;
    using tessera::max;
    const S a = sqrt(x) + tessera::exp(y) + tessera::log(max(x, 1)) + tessera::pow(x, y) + tessera::pow(x, 2);
    return a + tessera::abs(tessera::min(x, y)) + tessera::select(x < y && !(y < S(0)), x, S(3) * y);
  }
};
__global__ void functions(double* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    x[i] = every_function{}(x[i], x[n + i]);
    y[i] = every_function{}(y[i], y[n + i]);
    x[i] = tessera::max(x[i], tessera::min(n, 2ll));
  }
}

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

// A kernel of a user's: every kind of group, several layouts, two and three inputs.
const char* const own_kernel = R"(
#include <tessera/gpu/device.cuh>

using namespace tessera;

template <class Group>
__device__ void interpolate(const Group& g, const double* table, const double* x, double* y) {
  __shared__ double shared[5 * 4 + 4 * 4 * 4];
  const device::view b(shared, row_major(of_size<5, 4>()));
  const device::view u(shared + 20, of_size<4, 4, 4>());
  device::load(g, device::view(table, of_size<5, 4>()), b);
  device::load(g, device::view(x, of_size<4, 4, 4>()), u);
  g.sync();
  device::contract<"kj,ajc->akc">(g, b, u, device::view(y, of_size<4, 5, 4>()));
  device::contract<"kj,ajc->akc", device::register_tile{2, 2}>(g, b, u, device::view(y, of_size<4, 5, 4>()),
                                                               scaling{1, 1});
  device::contract<"ki,kj,kl->ilj">(g, b, b, device::view(x, of_size<5, 3>()), device::view(y, of_size<4, 3, 4>()));
  g.sync();
  device::store(g, b, device::view(y, tile_by<2, 2>(of_size<5, 4>())));
}
__global__ void interpolate_all(const double* table, const double* x, double* y) {
  interpolate(device::this_thread{}, table, x, y);
  interpolate(device::lanes<8>{}, table, x, y);
  interpolate(device::warp{}, table, x, y);
  interpolate(device::block<128>{}, table, x, y);
  interpolate(device::block<>{}, table, x, y);
}
)";

/// Compiles; the log is NVRTC's.
bool compiles(const nvrtc& n, const char* text, std::string& log) {
  nvrtc::program program = nullptr;
  REQUIRE(n.create(&program, text, "source.cu", 0, nullptr, nullptr) == 0);
  const std::string root = std::string("--include-path=") + TESSERA_SOURCE_DIR;
  const std::string core = root + "/include", gpu = root + "/gpu/include";
  const std::vector<const char*> options{core.c_str(), gpu.c_str(), "--std=c++20", "-default-device",
                                         "--gpu-architecture=compute_90"};
  const int result = n.compile(program, int(options.size()), options.data());
  std::size_t size = 0;
  n.log_size(program, &size);
  log.assign(size, '\0');
  n.log(program, log.data());
  n.destroy(&program);
  return result == 0;
}

void check_compiles(const char* text) {
  const nvrtc n = load();
  if (n.library == nullptr || n.create == nullptr || n.compile == nullptr) return tessera::testing::skip("no NVRTC");
  std::string log;
  const bool good = compiles(n, text, log);
  INFO(log);
  CHECK(good);
}

}  // namespace

TEST_CASE("gpu nvrtc: the core headers compile", "[nvrtc]") { check_compiles(source); }
TEST_CASE("gpu nvrtc: a kernel that contracts inside compiles", "[nvrtc]") { check_compiles(own_kernel); }
