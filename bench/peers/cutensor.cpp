// SPDX-License-Identifier: BSD-3-Clause
// Contractions by cuTENSOR, on the default stream, like the plans measured here, or in another one.
#include "peers/cutensor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include <tessera/error.hpp>
#include <tessera/memory.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

#include "measure/stopwatch.hpp"
#include "peers/peer_stream.hpp"

namespace tessera::bench::cutensor {

namespace {

template <class T>
using held = std::unique_ptr<T, status (*)(T*)>;

std::optional<data_type> type_of(scalar_type type) {
  switch (type) {
    case scalar_type::f32: return data_type::f32;
    case scalar_type::f64: return data_type::f64;
    case scalar_type::c32: return data_type::c32;
    case scalar_type::c64: return data_type::c64;
    case scalar_type::f16: return data_type::f16;
    case scalar_type::bf16: return data_type::bf16;
    default: return std::nullopt;
  }
}

// Its name of the precision of sums; empty for types that it does not mix.
std::string precision_of(const contraction_call& call) {
  if (call.type.in != call.type.out || call.type.sum != usual_sum(call.type.in)) return "";
  const bool is_double = call.type.sum == scalar_type::f64 || call.type.sum == scalar_type::c64;
  if (is_double) return "64F";
  const bool is_float = call.type.in == scalar_type::f32 || call.type.in == scalar_type::c32;
  if (is_float && call.precision == product_precision::tf32) return "TF32";
  if (is_float && call.precision == product_precision::tf32x3) return "3XTF32";
  return "32F";
}

std::uint32_t alignment_of(const void* address) {
  std::uint32_t bytes = 128;
  while (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) bytes /= 2;
  return bytes;
}

// alpha or beta in the type that the operation says.
struct factor {
  alignas(16) unsigned char bytes[16] = {};

  factor(data_type type, double value) {
    switch (type) {
      case data_type::f64: put(value); break;
      case data_type::c32: put(complex<float>(float(value))); break;
      case data_type::c64: put(complex<double>(value)); break;
      default: put(float(value));
    }
  }

 private:
  template <class T>
  void put(const T& number) {
    static_assert(sizeof(T) <= sizeof bytes);
    std::memcpy(bytes, &number, sizeof(T));
  }
};

// The operation: three tensors and what is done with them.
class operation {
 public:
  operation(const library& in, const contraction_call& call, data_type type, const compute_descriptor* precision)
      : in_(in), call_(call), held_(nullptr, in.calls().destroy_operation) {
    const void* const addresses[] = {call.a, call.b, call.c};
    std::vector<std::int32_t> modes[3];
    for (int t = 0; t < 3; ++t) {
      tensor_descriptor* made = nullptr;
      const std::vector<std::int64_t> extents(call.extents[t].begin(), call.extents[t].end());
      in.require(in.calls().create_tensor(in.handle(), &made, std::uint32_t(extents.size()), extents.data(), nullptr,
                                          type, alignment_of(addresses[t])),
                 "cutensorCreateTensorDescriptor");
      tensors_.emplace_back(made, in.calls().destroy_tensor);
      modes[t].assign(call.letters[t].begin(), call.letters[t].end());
    }
    operation_descriptor* made = nullptr;
    const status s = in.calls().create_contraction(in.handle(), &made, tensors_[0].get(), modes[0].data(),
                                                   identity_operator, tensors_[1].get(), modes[1].data(),
                                                   identity_operator, tensors_[2].get(), modes[2].data(),
                                                   identity_operator, tensors_[2].get(), modes[2].data(), precision);
    if (s == not_supported) return;
    in.require(s, "cutensorCreateContraction");
    held_.reset(made);
    in.require(in.calls().get_of_operation(in.handle(), made, scalar_type_attribute, &scalar_, sizeof scalar_),
               "cutensorOperationDescriptorGetAttribute");
  }

  bool is_supported() const { return held_ != nullptr; }

  // Empty if there is no such kernel.
  pass planned(algorithm by, std::optional<std::int32_t> rank, workspace size) const {
    const functions& f = in_.calls();
    plan_preference* preference = nullptr;
    if (const status s = f.create_preference(in_.handle(), &preference, by, no_jit); s == not_supported)
      return {};
    else
      in_.require(s, "cutensorCreatePlanPreference");
    const held<plan_preference> preferred(preference, f.destroy_preference);
    if (rank && f.set_of_preference(in_.handle(), preference, kernel_rank_attribute, &*rank, sizeof *rank) != success)
      return {};
    std::uint64_t most = 0;
    if (f.estimate_workspace(in_.handle(), held_.get(), preference, size, &most) != success) return {};
    execution_plan* made = nullptr;
    // What a rank that does not exist gives is not documented: any error counts as that.
    const status s = f.create_plan(in_.handle(), &made, held_.get(), preference, most);
    if (s != success && (rank || s == not_supported)) return {};
    in_.require(s, "cutensorCreatePlan");
    const auto plan = std::make_shared<held<execution_plan>>(made, f.destroy_plan);
    std::uint64_t bytes = 0;
    in_.require(f.get_of_plan(in_.handle(), made, required_workspace_attribute, &bytes, sizeof bytes),
                "cutensorPlanGetAttribute");
    const auto memory = std::make_shared<buffer>(call_.space, std::size_t(bytes));
    return
        [&in = in_, call = call_, plan, memory, bytes, alpha = factor(scalar_, 1), beta = factor(scalar_, call_.beta)] {
          in.require(in.calls().contract(in.handle(), plan->get(), alpha.bytes, call.a, call.b, beta.bytes, call.c,
                                         call.c, memory->data(), bytes, stream_of_peers().handle()),
                     "cutensorContract");
        };
  }

 private:
  const library& in_;
  contraction_call call_;
  std::vector<held<tensor_descriptor>> tensors_;
  held<operation_descriptor> held_;
  data_type scalar_ = data_type::f64;
};

std::optional<operation> operation_for(const library& in, const contraction_call& call) {
  const auto type = type_of(call.type.in);
  const std::string name = precision_of(call);
  const compute_descriptor* const precision = name.empty() ? nullptr : in.precision(name);
  if (!type || precision == nullptr) return std::nullopt;
  std::optional<operation> made(std::in_place, in, call, *type, precision);
  if (!made->is_supported()) made.reset();
  return made;
}

const char* name_of(algorithm by) {
  switch (by) {
    case algorithm::gett: return "gett";
    case algorithm::tgett: return "tgett";
    case algorithm::ttgt: return "ttgt";
    case algorithm::patient: return "patient";
    case algorithm::standard: break;
  }
  return "default";
}

// Times kernels a few times each and keeps the fastest.
class contest {
 public:
  contest(const library& in, const contraction_call& call, const operation& what) : in_(in), call_(call), what_(what) {}

  bool has_time() const { return !best_ || watch_.seconds() < call_.search_seconds; }

  // False if there is no such kernel.
  bool add(algorithm by, std::optional<std::int32_t> rank) {
    pass run = what_.planned(by, rank, workspace::most);
    if (!run) return false;
    ++tried_;
    double seconds = 0;
    try {
      // The first run loads the kernel; one that is far slower is not timed again.
      call_.time(run, 1);
      seconds = call_.time(run, 1);
      for (int again = 0; again < 2 && seconds < 1.5 * best_seconds_; ++again)
        seconds = std::min(seconds, call_.time(run, 1));
    } catch (const error&) {
      ++failed_;
      return true;
    }
    if (seconds >= best_seconds_) return true;
    best_seconds_ = seconds;
    best_ = std::move(run);
    name_ = name_of(by) + (rank ? " rank " + std::to_string(*rank) : "");
    return true;
  }

  contraction_pass winner(bool complete) const {
    const std::string brief = name_ + " of " + std::to_string(tried_);
    const std::string failed = failed_ > 0 ? ", " + std::to_string(failed_) + " failed" : "";
    return {best_, in_.version() + ", " + brief + " kernels" + failed + (complete ? "" : ", time limit reached"),
            brief};
  }

 private:
  const library& in_;
  const contraction_call& call_;
  const operation& what_;
  stopwatch watch_;
  int tried_ = 0, failed_ = 0;
  double best_seconds_ = std::numeric_limits<double>::infinity();
  pass best_;
  std::string name_;
};

constexpr int most_ranks = 1000, absent_in_a_row = 4;

}  // namespace

contraction_pass by_choice(const library& in, algorithm choice, const contraction_call& call) {
  const auto what = operation_for(in, call);
  if (!what) return {};
  return {what->planned(choice, std::nullopt, workspace::recommended), in.version()};
}

contraction_pass best_of_ranks(const library& in, const contraction_call& call) {
  const auto what = operation_for(in, call);
  if (!what) return {};
  contest all(in, call, *what);
  bool complete = true;
  for (const algorithm by : {algorithm::standard, algorithm::patient}) all.add(by, std::nullopt);
  for (const algorithm by : {algorithm::gett, algorithm::tgett, algorithm::ttgt}) {
    int absent = 0;
    for (std::int32_t rank = 0; rank < most_ranks && absent < absent_in_a_row && complete; ++rank) {
      absent = all.add(by, rank) ? 0 : absent + 1;
      complete = all.has_time();
    }
  }
  return all.winner(complete);
}

std::vector<peer> peers_of(const library& in) {
  const auto one = [&](const char* name, std::function<contraction_pass(const contraction_call&)> prepare) {
    peer p{name, in.version(), in.usable(), space_kind::gpu, {}};
    if (in.usable()) p.prepare_contraction = std::move(prepare);
    return p;
  };
  return {one("cutensor", [&in](const auto& call) { return by_choice(in, algorithm::standard, call); }),
          one("cutensor-patient", [&in](const auto& call) { return by_choice(in, algorithm::patient, call); }),
          one("cutensor-best", [&in](const auto& call) { return best_of_ranks(in, call); })};
}

}  // namespace tessera::bench::cutensor

namespace tessera::bench {

std::vector<peer> cutensor_peers() {
  // Without a device the library, of some hundred megabytes, is not opened.
  if (!is_available(target::cuda)) {
    std::vector<peer> absent;
    for (const char* name : {"cutensor", "cutensor-patient", "cutensor-best"})
      absent.push_back({name, "no device", false, space_kind::gpu, {}});
    return absent;
  }
  static const cutensor::library opened(cutensor::candidates());
  return cutensor::peers_of(opened);
}

}  // namespace tessera::bench
