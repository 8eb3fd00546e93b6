// SPDX-License-Identifier: BSD-3-Clause
// Arrays by the buffer protocol, which numpy and JAX's arrays in host memory have, or DLPack, which all have.
#include "array.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <tessera/core/product_types.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "dlpack.hpp"
#include "settings.hpp"

namespace tessera::python {

namespace {

struct named_type {
  scalar_type type;
  const char* name;
  char format[3];           // of the buffer protocol
  std::uint8_t code, bits;  // of DLPack
};

constexpr named_type all_types[] = {
    {scalar_type::f32, "float32", "f", dlpack::is_float, 32},
    {scalar_type::f64, "float64", "d", dlpack::is_float, 64},
    {scalar_type::c32, "complex64", "Zf", dlpack::is_complex, 64},
    {scalar_type::c64, "complex128", "Zd", dlpack::is_complex, 128},
    {scalar_type::f16, "float16", "e", dlpack::is_float, 16},
    {scalar_type::bf16, "bfloat16", "", dlpack::is_bfloat, 16},
    {scalar_type::i16, "int16", "h", dlpack::is_integer, 16},
    {scalar_type::i32, "int32", "i", dlpack::is_integer, 32},
    {scalar_type::i64, "int64", "l", dlpack::is_integer, 64},
};

std::string type_names() {
  std::string text;
  for (const named_type& t : all_types) text += (text.empty() ? "" : ", ") + std::string(t.name);
  return text;
}

[[noreturn]] void refuse_type(const char* name, const std::string& what) {
  throw nb::type_error((std::string(name) + " has entries of " + what + "; Tessera takes " + type_names()).c_str());
}

[[noreturn]] void refuse_rank(const char* name, int rank) {
  throw nb::value_error((std::string(name) + " has " + std::to_string(rank) + " dimensions; Tessera takes up to " +
                         std::to_string(max_rank))
                            .c_str());
}

// For an exporter's error, which is set: its text does not say which operand is meant, or of what type it is.
[[noreturn]] void refuse_buffer(nb::handle from, const char* name) {
  const nb::python_error failed;
  if (nb::hasattr(from, "dtype")) refuse_type(name, nb::cast<std::string>(nb::str(nb::object(from.attr("dtype")))));
  throw nb::value_error((std::string(name) + ": " + nb::cast<std::string>(nb::str(failed.value()))).c_str());
}

// "=d", "@d" and "<d" are d on this machine; long long is a long.
scalar_type type_of_format(const char* format, const char* name) {
  if (format == nullptr) refuse_type(name, "bytes");
  const char* f = format;
  constexpr char own_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  if (*f == '@' || *f == '=' || *f == own_order) ++f;
  if (std::strcmp(f, "q") == 0) return scalar_type::i64;
  for (const named_type& t : all_types)
    if (t.format[0] != 0 && std::strcmp(f, t.format) == 0) return t.type;
  refuse_type(name, "format \"" + std::string(format) + "\"");
}

scalar_type type_of_dlpack(const dlpack::data_type& type, const char* name) {
  for (const named_type& t : all_types)
    if (t.code == type.code && t.bits == type.bits && type.lanes == 1) return t.type;
  refuse_type(name, "DLPack's type " + std::to_string(type.code) + " of " + std::to_string(type.bits) + " bits");
}

// Kernels, memory and streams are those of the GPU that is current in the calling thread.
void check_current(const char* name, int gpu) {
  const std::string where = std::string(name) + " is in the memory of GPU " + std::to_string(gpu);
  if (!device::available()) throw error(where + ": " + no_gpu_text(device::why_not_available()), status::no_device);
  if (const int current = device::current(); gpu != current)
    throw nb::value_error((where + ", and GPU " + std::to_string(current) +
                           " is current: make the other one current (torch.cuda.device(" + std::to_string(gpu) +
                           "), cupy.cuda.Device(" + std::to_string(gpu) + ")), or move the array")
                              .c_str());
}

std::pair<int, int> device_of(nb::handle from, const char* name) {
  std::pair<int, int> device;
  if (!nb::try_cast(from.attr("__dlpack_device__")(), device))
    throw nb::type_error((std::string(name) + ": its __dlpack_device__() gives no pair of integers").c_str());
  return device;
}

bool is_in_host_memory(nb::handle from, const char* name) { return device_of(from, name).first == dlpack::on_cpu; }

nb::object dlpack_capsule(nb::handle from, const array_kind& kind, const char* name, call_stream stream) {
  // Also of a GPU, where the work is in its library's current stream.
  if (kind.of == library::torch && (stream.of == library::torch || !nb::cast<bool>(from.attr("is_cuda"))))
    return torch_capsule(from, name);
  const std::pair<int, int> device = device_of(from, name);
  const bool on_gpu = device.first == dlpack::on_cuda || device.first == dlpack::on_cuda_managed;
  if (!on_gpu && device.first != dlpack::on_cpu && device.first != dlpack::on_cuda_host)
    throw nb::value_error((std::string(name) + " is on a device of DLPack's kind " + std::to_string(device.first) +
                           "; Tessera runs on CPUs (1) and CUDA devices (2)")
                              .c_str());
  if (device.first == dlpack::on_cuda) check_current(name, device.second);  // before it is asked to wait for a stream
  // CUDA's stream 0 is 1 in this protocol, and -1 asks for no waiting: the work of CuPy's arrays is in its current
  // stream. Older libraries know no argument but the stream.
  nb::object in = nb::none();
  if (on_gpu && kind.of == library::cupy && stream.of == library::cupy)
    in = nb::int_(-1);
  else if (on_gpu)
    in = nb::int_(stream.handle == 0 ? std::uintptr_t(1) : stream.handle);
  const nb::object make = from.attr("__dlpack__");
  if (kind.takes_version) {
    try {
      return make(nb::arg("stream") = in, nb::arg("max_version") = nb::make_tuple(1, 0));
    } catch (nb::python_error& e) {
      if (!e.matches(PyExc_TypeError)) throw;
    }
    kind_of(from).takes_version = false;
  }
  return make(nb::arg("stream") = in);
}

// Of the arrays with both the buffer protocol and DLPack, CuPy's are in a GPU's memory.
bool is_by_buffer(nb::handle from, const array_kind& kind, const char* name) {
  return kind.of == library::buffer || (kind.of == library::other && kind.has_buffer && is_in_host_memory(from, name));
}

// CuPy 14 divides the bytes of negative strides by those of an entry as if they had no sign.
index_t signed_stride(index_t entries, scalar_type type) {
  const index_t bytes_of_entry = index_t(size_of(type));
  return index_t(std::uint64_t(entries) * std::uint64_t(bytes_of_entry)) / bytes_of_entry;
}

}  // namespace

bool is_for_numpy(nb::handle x, const char* name) {
  const array_kind kind = kind_of(x);
  return !kind.has_dlpack || is_by_buffer(x, kind, name);
}

array::array(nb::handle from, const char* name, call_stream stream) {
  const array_kind kind = kind_of(from);
  if (!is_by_buffer(from, kind, name) || !take_buffer(from, kind, name)) take_dlpack(from, kind, name, stream);
  if (size() == 0) set_packed_strides();
}

array::array(array&& other) noexcept
    : data_(other.data_),
      type_(other.type_),
      space_(other.space_),
      writable_(other.writable_),
      has_buffer_(std::exchange(other.has_buffer_, false)),
      rank_(other.rank_),
      device_(other.device_),
      buffer_(other.buffer_),
      capsule_(std::exchange(other.capsule_, nullptr)) {
  std::memcpy(extent_, other.extent_, sizeof extent_);
  std::memcpy(stride_, other.stride_, sizeof stride_);
}

array::~array() { release(); }

void array::release() noexcept {
  if (std::exchange(has_buffer_, false)) PyBuffer_Release(&buffer_);
  Py_XDECREF(std::exchange(capsule_, nullptr));
}

bool array::take_buffer(nb::handle from, const array_kind& kind, const char* name) {
  if (PyObject_GetBuffer(from.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    if (kind.of == library::buffer) refuse_buffer(from, name);
    PyErr_Clear();  // as of JAX's arrays of bfloat16, for which the protocol has no format
    return false;
  }
  has_buffer_ = true;
  try {
    type_ = type_of_format(buffer_.format, name);
    if (buffer_.ndim > max_rank) refuse_rank(name, buffer_.ndim);
    data_ = buffer_.buf;
    writable_ = buffer_.readonly == 0;
    rank_ = buffer_.ndim;
    // "<l" has 4 bytes by the protocol, and some exporters mean 8.
    if (buffer_.itemsize != Py_ssize_t(size_of(type_)))
      refuse_type(name, std::to_string(buffer_.itemsize) + " bytes with the format \"" + buffer_.format + "\"");
    index_t packed = buffer_.itemsize;
    for (int d = rank_; d-- > 0;) {
      extent_[d] = buffer_.shape != nullptr ? buffer_.shape[d] : buffer_.len / buffer_.itemsize;
      // The distance along one entry may be anything.
      const index_t bytes = buffer_.strides != nullptr && extent_[d] != 1 ? buffer_.strides[d] : packed;
      packed *= extent_[d];
      stride_[d] = bytes / buffer_.itemsize;
      if (stride_[d] * buffer_.itemsize != bytes && extent_[d] > 1)
        throw nb::value_error((std::string(name) + ": entries along dimension " + std::to_string(d) + " are " +
                               std::to_string(bytes) + " bytes apart, no whole number of entries of " +
                               std::to_string(buffer_.itemsize) + " bytes")
                                  .c_str());
    }
  } catch (...) {
    release();
    throw;
  }
  return true;
}

void array::take_dlpack(nb::handle from, const array_kind& kind, const char* name, call_stream stream) {
  if (!kind.has_dlpack)
    throw nb::type_error(
        (std::string(name) + " is a " + nb::type_name(from.type()).c_str() +
         "; Tessera takes arrays that have the buffer protocol or DLPack: of numpy, CuPy, PyTorch, JAX")
            .c_str());
  nb::object capsule = dlpack_capsule(from, kind, name, stream);
  const dlpack::tensor* what = nullptr;
  if (auto* versioned =
          static_cast<dlpack::versioned_tensor*>(PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")
                                                     ? PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned")
                                                     : nullptr)) {
    if (versioned->major != 1)
      throw nb::value_error(
          (std::string(name) + " has DLPack " + std::to_string(versioned->major) + "; Tessera reads version 1")
              .c_str());
    what = &versioned->what;
    writable_ = (versioned->flags & dlpack::read_only) == 0;
  } else {
    auto* managed = static_cast<dlpack::managed_tensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    if (managed == nullptr) nb::raise_python_error();
    what = &managed->what;
    writable_ = true;
  }
  type_ = type_of_dlpack(what->type, name);
  if (what->rank > max_rank) refuse_rank(name, what->rank);
  const bool on_gpu = what->device.kind == dlpack::on_cuda || what->device.kind == dlpack::on_cuda_managed;
  space_ = on_gpu ? space_kind::gpu : space_kind::cpu;
  if (on_gpu) device_ = what->device.id;
  if (what->device.kind == dlpack::on_cuda && kind.of == library::torch) check_current(name, device_);
  data_ = static_cast<char*>(what->data) + what->byte_offset;
  rank_ = what->rank;
  index_t packed = 1;
  for (int d = rank_; d-- > 0;) {
    extent_[d] = what->shape[d];
    stride_[d] = what->strides != nullptr && extent_[d] != 1 ? signed_stride(what->strides[d], type_) : packed;
    packed *= extent_[d];
  }
  // The capsule is not renamed: its destructor releases the tensor when this goes.
  capsule_ = capsule.release().ptr();
}

// Of an array without entries numpy's strides are 0, but where it is a part of one with entries.
void array::set_packed_strides() {
  bool are_strides = true;
  for (int d = 0; d < rank_; ++d) are_strides = are_strides && (extent_[d] < 2 || stride_[d] != 0);
  if (are_strides) return;
  index_t packed = 1;
  for (int d = rank_; d-- > 0;) {
    stride_[d] = packed;
    if (extent_[d] > 1) packed *= extent_[d];
  }
}

index_t array::size() const {
  index_t product = 1;
  for (int d = 0; d < rank_; ++d) product *= extent_[d];
  return product;
}

bool array::is_contiguous() const {
  index_t packed = 1;
  for (int d = rank_; d-- > 0;) {
    if (extent_[d] != 1 && stride_[d] != packed) return false;
    packed *= extent_[d];
  }
  return true;
}

const char* dtype_name(scalar_type type) {
  for (const named_type& t : all_types)
    if (t.type == type) return t.name;
  return "unknown";
}

bool is_dtype(const char* name) {
  for (const named_type& t : all_types)
    if (std::strcmp(t.name, name) == 0) return true;
  return false;
}

scalar_type type_of_dtype(const char* name) {
  for (const named_type& t : all_types)
    if (std::strcmp(t.name, name) == 0) return t.type;
  throw nb::value_error(("there is no type \"" + std::string(name) + "\"; Tessera has " + type_names()).c_str());
}

void check_type(const array& a, const char* name, scalar_type type) {
  if (a.type() != type)
    throw nb::type_error(
        (std::string(name) + " has entries of " + dtype_name(a.type()) + ", not " + dtype_name(type)).c_str());
}

void check_device(const array& a, const char* name, int gpu, const char* whose) {
  if (a.space() == space_kind::gpu && a.device() != gpu)
    throw nb::value_error((std::string(name) + " is in the memory of GPU " + std::to_string(a.device()) + ", and " +
                           whose + " is on GPU " + std::to_string(gpu))
                              .c_str());
}

int current_gpu(space_kind space) { return space == space_kind::gpu ? device::current() : 0; }

namespace {

// "(2, 3)", the extents or the strides.
std::string numbers_text(const array& a, bool strides) {
  std::string text = "(";
  for (int d = 0; d < a.rank(); ++d) text += (d == 0 ? "" : ", ") + std::to_string(strides ? a.stride(d) : a.extent(d));
  return text + (a.rank() == 1 ? ",)" : ")");
}

}  // namespace

void* entries_of(const array& a, const char* name, scalar_type type, index_t entries, space_kind space, bool written) {
  const auto refuse = [&](const std::string& text) { throw nb::value_error((std::string(name) + " " + text).c_str()); };
  check_type(a, name, type);
  if (a.space() != space)
    refuse(std::string("is in memory of the ") + name_of(a.space()) + ", not of the " + name_of(space));
  if (!a.is_contiguous())
    refuse("is not contiguous: entries have to lie one behind the other; of the shape " + numbers_text(a, false) +
           " it has the strides " + numbers_text(a, true));
  if (a.size() != entries) refuse("has " + std::to_string(a.size()) + " entries, not " + std::to_string(entries));
  if (written && !a.is_writable()) refuse("is read-only");
  return a.data();
}

}  // namespace tessera::python
