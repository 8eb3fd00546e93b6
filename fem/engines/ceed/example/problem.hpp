// SPDX-License-Identifier: BSD-3-Clause
// One of CEED's bake-off problems on a deformed box, as a program makes it through libCEED's interface.
#pragma once

#include <ceed.h>

#include <string>
#include <vector>

namespace bake_off {

struct settings {
  int problem = 1;  // 1 to 6
  int order = 1;
  int cells[3] = {1, 1, 1};
  bool own_function = false;  // a QFunction of this program's instead of libCEED's
};

/// Odd problems have one component, even ones three. Mass (1, 2) and diffusion (3, 4) at order + 2 Gauss points a
/// direction, diffusion at the nodes (5, 6).
class problem {
 public:
  /// Throws std::runtime_error with libCEED's message.
  problem(const std::string& resource, const settings& s);
  ~problem();
  problem(const problem&) = delete;
  problem& operator=(const problem&) = delete;

  long unknowns() const { return unknowns_; }
  /// y = A x; a GPU only queues it.
  void apply();
  void wait();
  std::vector<double> y() const;
  CeedOperator handle() const { return apply_; }

 private:
  void make_space(const settings& s);
  void make_geometry(const settings& s);
  void make_operator(const settings& s);

  Ceed ceed_ = nullptr;
  CeedBasis basis_ = nullptr, corners_ = nullptr;
  CeedElemRestriction nodes_ = nullptr, corner_nodes_ = nullptr, data_ = nullptr;
  CeedOperator apply_ = nullptr;
  CeedVector x_ = nullptr, y_ = nullptr, numbers_ = nullptr, mark_ = nullptr;
  long unknowns_ = 0;
};

/// Cells whose nodes are about as many unknowns.
settings sized(int number, int order, double unknowns);

}  // namespace bake_off
