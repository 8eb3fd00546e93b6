// SPDX-License-Identifier: BSD-3-Clause
// What D is computed from at each application, as a type, and where its numbers are among a launch's constants.
#pragma once

#include <tessera/element/operator_kind.hpp>

namespace tessera::device {

/// In place of the type that D is stored in: D of this operator, of elements with `Nodes` geometry nodes a direction
/// and `Given` coefficients, the same for all points or numbers `AtPoints`.
template <operator_kind Kind, int Nodes, int Given, bool AtPoints>
struct from_nodes {
  static constexpr operator_kind kind = Kind;
  static constexpr int nodes = Nodes, given = Given;
  static constexpr bool at_points = AtPoints;
};

/// Behind the tables of x and y, in entries: values (q,n) and derivatives (q,n) of the geometry's functions at the
/// points, the weights of a direction, and the coefficients that are the same for all points.
struct node_places {
  int slopes, weights, coefficients, entries;
  constexpr node_places(int nodes, int points, int given, bool at_points)
      : slopes(points * nodes),
        weights(2 * points * nodes),
        coefficients(weights + points),
        entries(coefficients + (at_points ? 0 : given)) {}
};

namespace detail {

template <class Source>
struct constants_of_source {
  static constexpr int entries(int) { return 0; }
};
template <operator_kind kind, int nodes, int given, bool at_points>
struct constants_of_source<from_nodes<kind, nodes, given, at_points>> {
  static constexpr int entries(int points) { return node_places(nodes, points, given, at_points).entries; }
};

}  // namespace detail

/// Constants that a source of D has.
template <class Source>
constexpr int source_constants(int points) {
  return detail::constants_of_source<Source>::entries(points);
}

}  // namespace tessera::device
