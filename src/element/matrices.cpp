// SPDX-License-Identifier: BSD-3-Clause
// Element matrices at once and their diagonals, where there is a kernel for them.
#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "backend.hpp"

namespace tessera {

template <class T>
bool evaluation<T>::is_built_in() const {
  return state_->kind.has_value();
}

template <class T>
bool evaluation<T>::symmetric() const {
  return state_->symmetric;
}

template <class T>
bool evaluation<T>::has_matrices(matrix_storage how) const {
  return state_->on->why_no_matrices(how) == nullptr && (how == matrix_storage::full || symmetric());
}

// Whether D is of this operator and has these elements.
template <class T>
template <class Refuse>
void evaluation<T>::check_elements(index_t first, index_t count, const point_data<T>& D, const Refuse& refuse) const {
  if (first < 0 || count < 0 || first > D.elements() || count > D.elements() - first)
    refuse(
        std::to_string(count) + " elements from " + std::to_string(first) + " on, of " + std::to_string(D.elements()),
        status::invalid_argument);
  const detail::point_source<T>& source = *D.source_;
  if (source.space() != space() || source.block_entries() != state_->entries() || source.lanes() != state_->on->lanes())
    refuse("D is of another operator: " + std::to_string(source.block_entries()) + " numbers an element in blocks of " +
               std::to_string(source.lanes()) + " elements" +
               (source.space() == space_kind::gpu ? " in device memory" : "") + ", not " +
               std::to_string(state_->entries()) + " in blocks of " + std::to_string(state_->on->lanes()),
           status::shape_mismatch);
}

template <class T>
std::string evaluation<T>::describe_matrices(matrix_storage how) const {
  if (!has_matrices(how)) return "";
  return state_->on->describe_matrices(how);
}

template <class T>
void evaluation<T>::matrices(index_t first, index_t count, T* M, matrix_storage how, const point_data<T>& D,
                             stream_view in) const {
  const auto refuse = [&](const std::string& why, status code) {
    throw error("evaluation::matrices: " + describe(detail_level::brief) + ": " + why, code);
  };
  const bool on_device = space() == space_kind::gpu;
  if (how != matrix_storage::full && how != matrix_storage::lower_packed)
    refuse("matrix storage " + std::to_string(int(how)) + ", neither full nor lower_packed", status::invalid_argument);
  if (const char* const why = state_->on->why_no_matrices(how); why != nullptr)
    refuse(std::string("there is no kernel for its matrices at once") + (*why != '\0' ? ": " : "") + why,
           status::no_target);
  if (!has_matrices(how))
    refuse("the lower triangle of matrices that are not known to be symmetric", status::no_target);
  check_elements(first, count, D, refuse);
  const detail::point_source<T>& source = *D.source_;
  if (on_device && !source.is_stored())
    refuse("matrices at once take stored D, and this one is computed", status::no_target);
  if (count == 0) return;
  if (M == nullptr) refuse("M is a null pointer", status::null_pointer);
  if (on_device && !device::is_device_pointer(M)) refuse("M is not in device memory", status::wrong_space);
  const index_t rows = state_->test_size() * test_components(), columns = state_->trial_size() * components();
  D.check_output("evaluation::matrices: M", M, count * matrix_entries(rows, columns, how));
  state_->on->matrices(first, count, M, how, source, in);
}

template <class T>
bool evaluation<T>::has_diagonal() const {
  return state_->on->has_diagonal();
}

template <class T>
void evaluation<T>::diagonal(index_t first, index_t count, T* y, const point_data<T>& D) const {
  const auto refuse = [&](const std::string& why, status code) {
    throw error("evaluation::diagonal: " + describe(detail_level::brief) + ": " + why, code);
  };
  if (!has_diagonal()) refuse("there is no kernel for its diagonal", status::no_target);
  check_elements(first, count, D, refuse);
  if (count == 0) return;
  if (y == nullptr) refuse("y is a null pointer", status::null_pointer);
  const bool on_device = space() == space_kind::gpu;
  if (on_device && !D.is_stored()) refuse("a GPU takes stored D, and this one is computed", status::no_target);
  if (on_device && !device::is_device_pointer(y)) refuse("y is not in device memory", status::wrong_space);
  D.check_output("evaluation::diagonal: y", y, count * state_->trial_size() * components());
  state_->on->diagonal(first, count, y, *D.source_);
}

template bool evaluation<float>::is_built_in() const;
template bool evaluation<double>::is_built_in() const;
template bool evaluation<float>::symmetric() const;
template bool evaluation<double>::symmetric() const;
template bool evaluation<float>::has_diagonal() const;
template bool evaluation<double>::has_diagonal() const;
template void evaluation<float>::diagonal(index_t, index_t, float*, const point_data<float>&) const;
template void evaluation<double>::diagonal(index_t, index_t, double*, const point_data<double>&) const;
template bool evaluation<float>::has_matrices(matrix_storage) const;
template bool evaluation<double>::has_matrices(matrix_storage) const;
template std::string evaluation<float>::describe_matrices(matrix_storage) const;
template std::string evaluation<double>::describe_matrices(matrix_storage) const;
template void evaluation<float>::matrices(index_t, index_t, float*, matrix_storage, const point_data<float>&,
                                          stream_view) const;
template void evaluation<double>::matrices(index_t, index_t, double*, matrix_storage, const point_data<double>&,
                                           stream_view) const;

}  // namespace tessera
