// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.einsum: plans that are kept by what they were made for.
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <nanobind/stl/string.h>

#include "new_array.hpp"
#include "parts.hpp"
#include "planned.hpp"
#include "stream.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_einsum = R"(Sums of products by Einstein's notation, by Tessera's kernels.

Parameters
----------
subscripts : str
    As of numpy.einsum, without "..." and without broadcasting: "kj,ejbc->ekbc". Of one to 32 operands; more than two
    are multiplied pair by pair, in the cheapest order. Two operands may have an addend behind a plus: "ik,kj+ij->ij".
*operands
    Arrays of numpy, CuPy, PyTorch (CPU or CUDA), of JAX as inputs, or others with the buffer protocol or DLPack, of one
    type and in memory of one kind: of the CPU, or of the current GPU. None is copied; any strides will do.
out : array, optional
    Where the result goes; otherwise a new array of the first operand's library, of numpy where that is none of numpy,
    CuPy and PyTorch.
batch : str, optional
    The letter of the elements, or several: many small contractions, each by a kernel of its size, on all threads. An
    operand without it is shared by all.
alpha, beta : numbers
    out = alpha times the sums + beta times the addend, by default 1, or without an addend the old out, by default 0,
    which is then not read.
stream : int or stream, optional
    For arrays of a GPU; by default the current stream of the first operand's library.
threads : int, optional
    Of a CPU; 0: as set_num_threads says.
target : str, optional
    "avx2", for example, or "reference": plain loops. See targets().
regime : {"cache", "stream"}, optional
    Where the batch is between calls; by default its size decides.
precision : {"exact", "tf32", "tf32x3"}, optional
    How products of float32 round on a GPU.
sum_dtype : str or dtype of numpy, optional
    The type of the sums: "float64" of float32 arrays.
functions : dict, optional
    Functions of entries, of "a", "b", "addend" and "result": "relu", "leaky_relu 0.01", "elu 1", "conjugate", or an
    EntryFunction of your own.
pair : str or Operations, optional
    "min_plus", "max_plus", "max_times", "or_and", or a pair of your own: instead of products and sums.
compile : bool, optional
    Whether NVRTC may compile a kernel for a large contraction on a GPU, True; without, one for any contraction runs.
wait : bool, optional
    Whether the first call waits for that, True; without, calls take a kernel that is there until it is done.
workspace : bool, optional
    Whether a contraction on a GPU with few results of long sums may own a workspace, by which all of the GPU computes
    them, True.

Returns
-------
out
    Without out=, of the type of operand 1.

Notes
-----
A call for arrays seen before, by types, shapes and strides, runs the plan that it made then. It keeps the last 512 at
least; clear_plans() drops them.

Examples
--------
>>> import numpy as np, tessera_fem as tf
>>> B = np.array([[1.0, 2.0], [3.0, 4.0]])
>>> x = np.arange(8.0).reshape(2, 2, 2)
>>> tf.einsum("kj,ejb->ekb", B, x, batch="e")
array([[[ 4.,  7.],
        [ 8., 15.]],
<BLANKLINE>
       [[16., 19.],
        [36., 43.]]])
)";

constexpr std::size_t most_plans = 1024;

using plan_map = std::unordered_map<std::string, std::shared_ptr<const planned>>;

// Both are changed under Python's lock alone. When one is full, it becomes the old one, which is dropped.
struct kept_plans {
  plan_map recent, old;

  std::shared_ptr<const planned> find(const std::string& key) {
    if (const auto at = recent.find(key); at != recent.end()) return at->second;
    const auto at = old.find(key);
    if (at == old.end()) return nullptr;
    std::shared_ptr<const planned> found = at->second;
    keep(key, found);
    return found;
  }
  void keep(const std::string& key, std::shared_ptr<const planned> plan) {
    plan_map dropped;  // at the end: plans may keep objects whose end runs code of Python, and that this function
    if (recent.size() >= most_plans / 2) {
      dropped.swap(old);
      old.swap(recent);
    }
    std::swap(recent[key], plan);
  }
};

kept_plans& all_plans() {
  // Never freed: plans on a GPU must not outlive its driver.
  static kept_plans* const all = new kept_plans;
  return *all;
}

void append_array(std::string& key, const array& a) {
  index_t facts[1 + 2 * max_rank];
  facts[0] = index_t(a.type()) + 16 * index_t(a.space()) + 32 * a.rank() + 1024 * index_t(a.device());
  for (int d = 0; d < a.rank(); ++d) facts[1 + 2 * d] = a.extent(d), facts[2 + 2 * d] = a.stride(d);
  key.append(reinterpret_cast<const char*>(facts), sizeof(index_t) * std::size_t(1 + 2 * a.rank()));
}

nb::object einsum(nb::str subscripts_given, nb::args operands, nb::kwargs keywords) {
  call_options options;
  options.take_all("einsum", keywords);
  if (operands.size() == 0) throw nb::type_error("einsum() takes arrays behind the subscripts; none given");
  const call_stream stream = stream_of_call(options.stream, operands[0]);
  std::vector<array> arrays;
  arrays.reserve(operands.size() + 1);
  for (std::size_t i = 0; i < operands.size(); ++i)
    arrays.emplace_back(operands[i], operand_name(int(i), false), stream);
  if (options.out.is_valid()) arrays.emplace_back(options.out, "out", stream);

  Py_ssize_t length = 0;
  const char* text = PyUnicode_AsUTF8AndSize(subscripts_given.ptr(), &length);
  if (text == nullptr) nb::raise_python_error();
  std::string key;
  key.reserve(640);
  key.append(text, std::size_t(length) + 1);  // no letter is 0
  options.append_to(key);
  for (const array& a : arrays) append_array(key, a);

  std::shared_ptr<const planned> plan = all_plans().find(key);
  nb::object result = options.out.is_valid() ? nb::borrow(options.out) : nb::object();
  if (!result.is_valid()) {
    const subscripts parsed = plan == nullptr ? subscripts(std::string_view(text, std::size_t(length))) : plan->what();
    if (int(arrays.size()) != parsed.count() - 1)
      throw nb::value_error(("einsum \"" + std::string(text) + "\" takes " + std::to_string(parsed.count() - 1) +
                             " arrays; " + std::to_string(arrays.size()) + " given")
                                .c_str());
    if (options.adds_to_out(parsed)) refuse_new_output(text);
    const std::vector<index_t> extents = output_extents(parsed, arrays);
    result = new_array_like(operands[0], arrays[0].type(), extents.data(), int(extents.size()));
    arrays.emplace_back(result, "out", stream);
  }
  if (plan == nullptr) {
    plan = std::make_shared<const planned>(std::string_view(text, std::size_t(length)), options, arrays);
    // A plan that another kernel will replace is not kept.
    if (plan->is_ready()) all_plans().keep(key, plan);
  }
  plan->run(arrays, stream.handle);
  return result;
}

}  // namespace

void add_einsum(nb::module_& m) {
  const std::string signature =
      std::string("def einsum(subscripts: str, *operands: Array, out: Array | None = None, ") + signature_of_options +
      ") -> Array";
  m.def("einsum", &einsum, nb::arg("subscripts"), nb::arg("operands"), nb::arg("keywords"), nb::sig(signature.c_str()),
        text_of_einsum);
  m.def(
      "kept_plans", [] { return all_plans().recent.size() + all_plans().old.size(); },
      "How many plans einsum keeps at the moment.");
  m.def(
      "clear_plans",
      [] {
        kept_plans dropped;
        std::swap(all_plans(), dropped);
      },
      "Drops the plans that einsum keeps.");
}

}  // namespace tessera::python
