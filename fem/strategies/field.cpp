// SPDX-License-Identifier: BSD-3-Clause
// Operands over packed tensors in a space chosen at run time.
#include <tessera/fem/strategies/field.hpp>

namespace tessera::fem {

operand packed_operand(scalar_type type, space_kind space, const shape& sizes, index_t count, const void* data) {
  operand o = shared_operand(type, space, sizes, data);
  o.batched = o.writable = true;
  o.stride = o.span;
  o.count = count;
  return o;
}

operand shared_operand(scalar_type type, space_kind space, const shape& sizes, const void* data) {
  operand o;
  o.type = type;
  o.entry_bytes = size_of(type);
  o.space = space;
  o.writable = false;
  o.data = data;
  o.facts.rank = sizes.rank();
  index_t stride = 1;
  for (int a = 0; a < sizes.rank(); ++a) {
    o.facts.extent[a] = sizes(a);
    o.facts.stride[a] = stride;
    stride *= sizes(a);
  }
  o.span = stride;
  return o;
}

}  // namespace tessera::fem
