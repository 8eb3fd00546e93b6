// SPDX-License-Identifier: BSD-3-Clause
// The GPU for plain C++ code: memory, copies, streams and launches, with opaque handles and no CUDA types.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/any_problem.hpp>
#include <tessera/detail/gpu_records.hpp>
#include <tessera/detail/problem_members.hpp>
#include <tessera/memory.hpp>

/// Built without CUDA, `available` is false and everything else throws status::no_device. A CUDA call that fails throws
/// status::launch_failure with CUDA's text.
namespace tessera::device {

/// True where this build has the GPU kernels and this machine has a GPU that runs them.
bool available() noexcept;
/// If there is none, the reason and a remedy; else nothing.
std::string why_not_available();

struct device_info {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int sms = 0;
  long long memory = 0, l2 = 0;  // bytes
  int driver = 0, runtime = 0;   // CUDA versions, 13000 for 13.0
};

/// The current device.
device_info info();
/// Its number.
int current();
/// Of the calling thread, one that the library started: works on that device, and loading code there disturbs no graph
/// that another thread captures.
void set_up_own_thread(int device);

/// Zeroed device memory. Throws status::out_of_memory naming the bytes.
void* allocate(std::size_t bytes);
void deallocate(void* memory) noexcept;
/// Zeroes it, visible to every stream.
void clear(void* memory, std::size_t bytes);

/// Page-locked host memory: copies from and to it need no staging. Throws status::out_of_memory naming the bytes.
void* allocate_pinned(std::size_t bytes);
void deallocate_pinned(void* memory) noexcept;

/// True for device memory and managed memory.
bool is_device_pointer(const void* pointer);

enum class direction { host_to_device, device_to_host, device_to_device };

/// Complete on return.
void copy(void* to, const void* from, std::size_t bytes, direction way);

/// Ordered in `stream` (null: stream 0). Pageable host memory is staged through pinned memory: a host source may be
/// reused when this returns, a host destination is complete after the stream is synchronised. Page-locked host memory
/// is used in place and must not change until then. Staged copies cannot be captured in a graph: they throw.
void copy_async(void* to, const void* from, std::size_t bytes, direction way, void* stream);

void* stream_create();
void stream_destroy(void* stream) noexcept;
void stream_synchronize(void* stream);

/// Offsets in device memory, for run_time_map::table. Movable; frees them when destroyed.
class table {
 public:
  table() = default;
  explicit table(const std::vector<index_t>& host);
  const index_t* data() const noexcept { return static_cast<const index_t*>(memory_.data()); }
  std::size_t size() const noexcept { return size_; }

 private:
  buffer memory_;
  std::size_t size_ = 0;
};

/// Throws like `allocate` and `copy`.
table upload(const std::vector<index_t>& host);

/// The kernel row that runs a problem: a record of gpu_gemm_records, or the generic row for any problem.
struct gemm_choice {
  static constexpr int generic = -1;
  int record = generic;
  friend constexpr bool operator==(const gemm_choice&, const gemm_choice&) = default;
};

/// True where the kernel of that record was compiled into this library (TESSERA_ROWS).
bool has_row(int record);

/// True where the kernel of that record was compiled into this library (TESSERA_ROWS) and computes `p`: its sizes,
/// single factors, and every operand packed column-major with consecutive products.
template <class T>
  requires is_real_scalar<T>
bool accepts(const gemm_choice& choice, const problem<T>& p);

/// True if every operand is one factor whose matrices have these layouts: by default packed column-major and
/// consecutive.
template <class T>
  requires is_real_scalar<T>
bool has_layouts(const problem<T>& p, const packed_layouts& wanted = {});
bool has_layouts(const any_problem& p, const packed_layouts& wanted = {});

/// The layouts of a problem's matrices if rows of fixed sizes can run it; else empty.
template <class T>
  requires is_real_scalar<T> std::optional<packed_layouts> layouts_of(const problem<T>& p);
std::optional<packed_layouts> layouts_of(const any_problem& p);

/// The compiled record that accepts `p`, else the generic row. The batch strides of `p` must be set.
template <class T>
  requires is_real_scalar<T> gemm_choice choose(const problem<T>& p);

/// "gemm f64 5x5x5: 24 products per block of 96 threads, tile 3x3", "gemm f64, any size, tile chosen at launch".
std::string describe(const gemm_choice& choice, const product_types& type);

/// Queues the problem in `stream` (null: stream 0). Never allocates or synchronises, and may be captured in a CUDA
/// graph. Tables of maps point to device memory. An empty batch or output queues nothing. Throws status::wrong_space
/// for pointers that are not in device memory, status::internal if the choice cannot run the problem,
/// status::launch_failure naming the kernel and its launch shape.
void launch(const problem<float>& p, const gemm_choice& choice, void* stream);
void launch(const problem<double>& p, const gemm_choice& choice, void* stream);

/// The same where operands are groups, by the generic row: `members` has their addresses.
void launch_members(const problem<float>& p, const problem_members<float>& members, void* stream);
void launch_members(const problem<double>& p, const problem_members<double>& members, void* stream);

/// The same for problems of any types, with or without groups, by the generic row of their types. Operands only need
/// the alignment of their entries' parts.
void launch_any(const any_problem& p, const any_members& members, void* stream);

}  // namespace tessera::device
