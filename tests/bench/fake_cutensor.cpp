// SPDX-License-Identifier: BSD-3-Clause
// A stand-in for libcutensor.so.2 on machines without a GPU: contracts in host memory, counts what is alive, and notes
// the order of calls. Written from the documentation of cuTENSOR 2, without the benchmark's declarations of it.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

namespace {

enum {
  status_success = 0,
  status_invalid_value = 7,
  status_execution_failed = 13,
  status_not_supported = 15,
  status_cuda_error = 18
};
enum { type_f32 = 0, type_f64 = 1, type_bf16 = 14 };

struct handle {};
struct tensor {
  std::vector<int64_t> extents;
  int type;
  uint32_t alignment;
};
struct contraction {
  tensor tensors[3];
  std::vector<int32_t> modes[3];
  const char* precision;
};
struct preference {
  int algorithm, rank;
};
struct plan {
  contraction what;
  std::string kernel;
  uint64_t workspace;
};

int alive = 0;
std::string calls, last_kernel;

void note(const char* call) { calls += std::string(calls.empty() ? "" : " ") + call; }
bool is_set(const char* variable) { return getenv(variable) != nullptr; }

template <class T>
int end(T* object, const char* call) {
  note(call);
  --alive;
  delete object;
  return status_success;
}

template <class T>
T* made(T object) {
  ++alive;
  return new T(object);
}

// Entry `step` of a tensor, whose letters have the values in `digits`.
int64_t offset(const contraction& c, int t, const int64_t* digits) {
  int64_t at = 0, stride = 1;
  for (size_t d = 0; d < c.modes[t].size(); ++d) {
    at += digits[c.modes[t][d]] * stride;
    stride *= c.tensors[t].extents[d];
  }
  return at;
}

template <class T>
void contract(const contraction& c, const void* alpha, const void* a, const void* b, const void* beta, void* out) {
  int64_t digits[128] = {};
  std::vector<int32_t> outer = c.modes[2], inner;
  int64_t extents[128] = {}, entries = 1, terms = 1;
  for (int t : {2, 0, 1})
    for (size_t d = 0; d < c.modes[t].size(); ++d) {
      const int32_t letter = c.modes[t][d];
      if (extents[letter] == 0) (t == 2 ? entries : terms) *= c.tensors[t].extents[d];
      if (extents[letter] == 0 && t != 2) inner.push_back(letter);
      extents[letter] = c.tensors[t].extents[d];
    }
  const auto set = [&](const std::vector<int32_t>& letters, int64_t step) {
    for (int32_t letter : letters) {
      digits[letter] = step % extents[letter];
      step /= extents[letter];
    }
  };
  for (int64_t e = 0; e < entries; ++e) {
    set(outer, e);
    T sum = 0;
    for (int64_t k = 0; k < terms; ++k) {
      set(inner, k);
      sum += static_cast<const T*>(a)[offset(c, 0, digits)] * static_cast<const T*>(b)[offset(c, 1, digits)];
    }
    T& entry = static_cast<T*>(out)[offset(c, 2, digits)];
    sum *= *static_cast<const T*>(alpha);
    entry = *static_cast<const T*>(beta) == 0 ? sum : sum + *static_cast<const T*>(beta) * entry;
  }
}

}  // namespace

extern "C" {

// Exported as data: each has a pointer.
const void* CUTENSOR_COMPUTE_DESC_64F = "64F";
const void* CUTENSOR_COMPUTE_DESC_32F = "32F";
const void* CUTENSOR_COMPUTE_DESC_TF32 = "TF32";

const char* fake_cutensor_calls() { return calls.c_str(); }
const char* fake_cutensor_last_kernel() { return last_kernel.c_str(); }
int fake_cutensor_alive() { return alive; }
void fake_cutensor_forget_calls() { calls.clear(); }

size_t cutensorGetVersion() { return is_set("FAKE_CUTENSOR_OLD") ? 10700 : 20801; }
const char* cutensorGetErrorString(int status) {
  return status == status_cuda_error         ? "CUTENSOR_STATUS_CUDA_ERROR"
         : status == status_execution_failed ? "CUTENSOR_STATUS_EXECUTION_FAILED"
                                             : "another status";
}
int cutensorCreate(handle** to) {
  if (is_set("FAKE_CUTENSOR_NO_DEVICE")) return status_cuda_error;
  *to = new handle;
  return status_success;
}
int cutensorCreateTensorDescriptor(handle* of, tensor** to, uint32_t modes, const int64_t* extents,
                                   const int64_t* strides, int type, uint32_t alignment) {
  note("tensor");
  if (of == nullptr || strides != nullptr || alignment == 0) return status_invalid_value;
  *to = made(tensor{{extents, extents + modes}, type, alignment});
  return status_success;
}
int cutensorDestroyTensorDescriptor(tensor* t) { return end(t, "~tensor"); }
int cutensorCreateContraction(handle*, contraction** to, tensor* a, const int32_t* modes_a, int op_a, tensor* b,
                              const int32_t* modes_b, int op_b, tensor* c, const int32_t* modes_c, int op_c, tensor* d,
                              const int32_t* modes_d, const void* precision) {
  note("contraction");
  if (a->type == type_bf16) return status_not_supported;
  if (op_a != 1 || op_b != 1 || op_c != 1 || d != c) return status_invalid_value;
  const auto letters = [](const int32_t* modes, const tensor* t) {
    return std::vector<int32_t>(modes, modes + t->extents.size());
  };
  if (letters(modes_d, d) != letters(modes_c, c)) return status_invalid_value;
  *to = made(contraction{{*a, *b, *c},
                         {letters(modes_a, a), letters(modes_b, b), letters(modes_c, c)},
                         static_cast<const char*>(precision)});
  return status_success;
}
int cutensorDestroyOperationDescriptor(contraction* c) { return end(c, "~contraction"); }
int cutensorOperationDescriptorGetAttribute(handle*, contraction* c, int attribute, void* value, size_t bytes) {
  if (attribute != 1 || bytes != 4) return status_invalid_value;
  memcpy(value, &c->tensors[0].type, 4);
  return status_success;
}
int cutensorCreatePlanPreference(handle*, preference** to, int algorithm, int jit) {
  note("preference");
  if (jit != 0) return status_invalid_value;
  *to = made(preference{algorithm, -1});
  return status_success;
}
int cutensorDestroyPlanPreference(preference* p) { return end(p, "~preference"); }
int cutensorPlanPreferenceSetAttribute(handle*, preference* p, int attribute, const void* value, size_t bytes) {
  if (attribute != 4 || bytes != 4) return status_invalid_value;
  memcpy(&p->rank, value, 4);
  return status_success;
}
int cutensorEstimateWorkspaceSize(handle*, const contraction*, const preference*, int kind, uint64_t* bytes) {
  *bytes = kind == 3 ? 4096 : 256;
  return status_success;
}
// Three kernels of GETT, ranks 0 and 2 of TGETT, one of TTGT.
int cutensorCreatePlan(handle*, plan** to, const contraction* c, const preference* p, uint64_t most) {
  note("plan");
  const bool is_there = p->rank < 0 || (p->algorithm == -4 && p->rank < 3) ||
                        (p->algorithm == -3 && (p->rank == 0 || p->rank == 2)) || (p->algorithm == -2 && p->rank == 0);
  if (!is_there) return status_invalid_value;
  *to = made(plan{*c, std::to_string(p->algorithm) + ":" + std::to_string(p->rank) + ":" + c->precision, most / 2});
  return status_success;
}
int cutensorDestroyPlan(plan* p) { return end(p, "~plan"); }
int cutensorPlanGetAttribute(handle*, const plan* p, int attribute, void* value, size_t bytes) {
  if (attribute != 0 || bytes != 8) return status_invalid_value;
  memcpy(value, &p->workspace, 8);
  return status_success;
}
int cutensorContract(handle*, const plan* p, const void* alpha, const void* a, const void* b, const void* beta,
                     const void* c, void* d, void* workspace, uint64_t bytes, void* stream) {
  note("contract");
  if (c != d || stream != nullptr || bytes != p->workspace || workspace == nullptr) return status_invalid_value;
  if (is_set("FAKE_CUTENSOR_FAILS")) return status_execution_failed;
  last_kernel = p->kernel;
  memset(workspace, 0xff, bytes);
  if (p->what.tensors[0].type == type_f32)
    contract<float>(p->what, alpha, a, b, beta, d);
  else
    contract<double>(p->what, alpha, a, b, beta, d);
  return status_success;
}

}  // extern "C"
