// SPDX-License-Identifier: BSD-3-Clause
// Converts the residual and the result around an operator in float.
#include <tessera/solver/in_float.hpp>

#include <tessera/error.hpp>

#include "vectors.hpp"

namespace tessera {

linear_operator<double> in_float(const linear_operator<float>& M) {
  if (!M) throw error("in_float: no operator", status::null_pointer);
  struct vectors {
    detail::vector_memory<float> r, z;
  };
  const auto own = std::make_shared<vectors>();
  own->r = {M.space(), M.size()};
  own->z = {M.space(), M.size()};
  return {M.size(),
          [own, M](const double* r, double* z, stream_view on) {
            detail::convert(M.space(), M.size(), r, own->r.data(), on);
            M.apply(own->r.data(), own->z.data(), on);
            detail::convert(M.space(), M.size(), own->z.data(), z, on);
          },
          M.space()};
}

}  // namespace tessera
