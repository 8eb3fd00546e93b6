// SPDX-License-Identifier: BSD-3-Clause
// Where an operator runs: the interface that the CPU and the GPU implement. Callers check all arguments first.
#pragma once

#include <memory>
#include <string>

#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include "function_facts.hpp"
#include "operator_sizes.hpp"
#include "patches.hpp"
#include "point_source.hpp"

namespace tessera::detail {

template <class T>
class element_backend {
 public:
  virtual ~element_backend() = default;

  virtual space_kind space() const = 0;
  /// Elements that share a block of D.
  virtual index_t lanes() const = 0;
  /// Where it runs and by which kernel: "avx2, compiled for these sizes; tuning: default".
  virtual std::string describe(detail_level how) const = 0;

  /// y = A x or y += A x for at least one element; queued on a GPU. D was made by points() or computed_points() below.
  virtual void apply(const element_set& which, const application<T>& a, const point_source<T>& D) const = 0;
  /// On a CPU: the same for a mass whose D is in plain order in the caller's memory, `distance` entries from an element
  /// to the next (0: one D for all elements). In the calling thread; `scratch` has scratch_in_place() bytes.
  virtual void apply_in_place(const element_set&, const application<T>&, const T* /*D*/, index_t /*distance*/,
                              index_t /*elements*/, T* /*scratch*/) const {
    throw error("evaluation: only a CPU takes D in place", status::internal);
  }
  virtual std::size_t scratch_in_place() const { return 0; }
  /// Of such applications.
  virtual std::string describe_in_place(detail_level how) const { return describe(how); }
  /// Whether the kernel is compiled for these sizes, by the instruction set that was wanted.
  virtual bool is_compiled_for_sizes() const { return false; }
  /// Whether y may take the place of x: all of an element's x is read before its y is written.
  virtual bool can_replace_x() const { return true; }

  /// Patches for applications between L-vectors. On a GPU each element is one.
  virtual std::shared_ptr<element_patches> patches(const patch_request& request) const = 0;
  /// Applies to the elements of patches [first, last) of what patches() made, from and to L-vectors.
  virtual void apply_patches(const element_patches& of, index_t first, index_t last, const global_application<T>& a,
                             const point_source<T>& D, const shared_terms<T>& shared) const = 0;
  /// Before the first and after the last of them, once: the sums of what patches share, and what y has at constrained
  /// numbers and those of no element.
  virtual void begin_patches(const element_patches&, const global_application<T>&) const {}
  virtual void finish_patches(const element_patches& of, const global_application<T>& a, const point_source<T>& D,
                              const shared_terms<T>& shared) const = 0;
  /// Numbers that x.y takes meanwhile.
  virtual index_t dot_numbers(const element_patches& of) const = 0;

  /// Why there is no element-matrix kernel; nullptr if there is one.
  virtual const char* why_no_matrices(matrix_storage how) const = 0;
  virtual std::string describe_matrices(matrix_storage how) const = 0;
  /// The matrices of elements first, first + 1, ..., first + count - 1; count is at least 1.
  virtual void matrices(index_t first, index_t count, T* M, matrix_storage how, const point_source<T>& D,
                        stream_view in) const = 0;
  virtual bool has_diagonal() const = 0;
  virtual void diagonal(index_t first, index_t count, T* y, const point_source<T>& D) const = 0;

  /// Stored D: zeros for `elements` elements, or computed once from the geometry.
  virtual std::shared_ptr<point_source<T>> points(index_t elements, point_storage how) const = 0;
  virtual std::shared_ptr<point_source<T>> points(const geometry_spec<T>& from, point_storage how) const = 0;
  /// D that is computed at each application.
  virtual std::shared_ptr<point_source<T>> computed_points(const geometry_spec<T>& from) const = 0;
};

template <class T>
struct evaluation_state : operator_sizes {
  std::shared_ptr<const element_backend<T>> on;

  /// "mass 3-D, d = 3, q = 4, f64"
  std::string title() const {
    std::string text = this->name + " " + std::to_string(this->dim) + "-D, d = " + std::to_string(this->d) +
                       ", q = " + std::to_string(this->q);
    if (this->t != this->d) text += ", t = " + std::to_string(this->t);
    if (this->components > 1) text += ", " + std::to_string(this->components) + " components";
    return text + ", " + name_of(scalar_of<T>);
  }
};

/// What a backend is made from. `own` is the user's function, nullptr for a built-in one; `words` name the operator.
template <class T>
struct operator_request {
  const operator_sizes& sizes;
  const function_facts& function;
  const compiled_function<T>* own;
  std::string words;
  std::optional<target> on;  // the target that was requested, if any

  [[noreturn]] void refuse(const std::string& why, status code = status::no_target) const {
    throw error("evaluation: " + words + ": " + why, code);
  }
};

template <class T>
using backend = std::shared_ptr<const element_backend<T>>;

/// For products of segments, or by dense tables. Callers check the arguments. They throw if the target cannot run it.
template <class T>
backend<T> cpu_backend_of(const operator_request<T>& request, const evaluation_spec& spec);
template <class T>
backend<T> cpu_backend_of(const operator_request<T>& request, const dense_evaluation_spec& spec);
template <class T>
backend<T> gpu_backend_of(const operator_request<T>& request, const evaluation_spec& spec);
template <class T>
backend<T> gpu_backend_of(const operator_request<T>& request, const dense_evaluation_spec& spec);

}  // namespace tessera::detail
