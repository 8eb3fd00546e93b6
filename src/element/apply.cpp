// SPDX-License-Identifier: BSD-3-Clause
// Applications: checks what is given, then has it done.
#include <tessera/element/evaluation.hpp>

#include "application_check.hpp"
#include "backend.hpp"

namespace tessera {

template <class T>
void evaluation<T>::apply(const element_set& which, const application<T>& given, const point_data<T>& D) const {
  const application<T> a = detail::checked_application(*state_, which, given, *D.source_);
  if (which.size() == 0) return;
  state_->on->apply(which, a, *D.source_);
}

template void evaluation<float>::apply(const element_set&, const application<float>&, const point_data<float>&) const;
template void evaluation<double>::apply(const element_set&, const application<double>&,
                                        const point_data<double>&) const;

}  // namespace tessera
