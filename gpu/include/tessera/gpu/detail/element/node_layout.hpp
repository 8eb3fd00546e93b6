// SPDX-License-Identifier: BSD-3-Clause
// Shared memory of a block that computes D from the nodes: counted by the rules, used by the kernel.
#pragma once

namespace tessera {

/// In entries, of elements with `nodes` geometry nodes and `points` points a direction.
///
/// In 3-D, from three nodes on, coordinates are contracted direction by direction, as x is; what a line of points needs
/// is then three functions of each coordinate along it (values, and the derivatives across), given by their values at
/// its nodes, in *slots* (points, points, nodes). With fewer nodes, or in fewer dimensions, lines compute these
/// themselves, and shared memory has the nodes' coordinates alone.
struct node_layout {
  int dim = 3, nodes = 2, points = 3, factors = 1;
  int elements = 1;   // of a block
  bool kept = false;  // D is kept for more than one application

  constexpr bool by_sweeps() const { return dim == 3 && nodes > 2; }
  constexpr int side() const { return points > nodes ? points : nodes; }
  /// From line to line: odd, so that neighbours in either direction are in different banks.
  constexpr int pitch() const { return side() | 1; }
  constexpr int slot() const { return pitch() * side() * nodes; }
  constexpr int node_count() const { return dim == 3 ? nodes * nodes * nodes : dim == 2 ? nodes * nodes : nodes; }
  constexpr int of_element() const { return by_sweeps() ? dim * dim * slot() : (dim * node_count()) | 1; }

  /// Lines of points of a block.
  constexpr int lines() const { return elements * (dim == 3 ? points * points : dim == 2 ? points : 1); }
  /// Kept D is behind the elements' entries: factor f of point k of line l at [l + lines (f + factors k)].
  constexpr int kept_place() const { return elements * of_element(); }
  constexpr int entries() const { return kept_place() + (kept ? lines() * points * factors : 0); }
};

}  // namespace tessera
