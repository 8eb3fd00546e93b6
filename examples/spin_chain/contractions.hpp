// SPDX-License-Identifier: BSD-3-Clause
// The products of a sweep, by Tessera's networks or by calls of BLAS. Letters: s and r are states of two neighbouring
// sites, t and u those behind H; a, m, b bonds of the state, x and y the same bonds of its transpose; w and v bonds of
// the operator.
#pragma once

#include <memory>
#include <string>

#include "heisenberg.hpp"
#include "packed_tensor.hpp"

namespace tessera::spin_chain {

/// Outputs have the sizes that the inputs give them.
class contractions {
 public:
  virtual ~contractions() = default;

  /// theta(a,s,r,b) = sum over m of first(a,s,m) second(m,r,b)
  virtual void merge(const operand& first, const operand& second, const operand& theta) = 0;
  /// H of two sites: out(x,t,u,y) = sum over a, w, s, r, b, v of L(x,a,w) theta(a,s,r,b) pair(s,r,v,w,t,u) R(b,v,y)
  virtual void apply(const operand& L, const operand& theta, const operand& pair, const operand& R,
                     const operand& out) = 0;
  /// One site more: out(y,b,v) = sum over x, t, a, s, w of L(x,a,w) A(a,s,b) left(w,s,t,v) A(x,t,y)
  virtual void extend_left(const operand& L, const operand& A, const operand& left, const operand& out) = 0;
  /// One site more: out(a,w,x) = sum over b, s, v, t, y of A(a,s,b) R(b,v,y) right(s,v,w,t) A(x,t,y)
  virtual void extend_right(const operand& R, const operand& A, const operand& right, const operand& out) = 0;

  /// Multiplications and additions so far, and seconds spent on making plans.
  double flops() const { return flops_; }
  double planning() const { return planning_; }
  virtual std::string describe() const = 0;

 protected:
  void count(double flops) { flops_ += flops; }
  void count_planning(double seconds) { planning_ += seconds; }

 private:
  double flops_ = 0, planning_ = 0;
};

/// A network for every shape, made when it first comes; on a CPU or a GPU, where the operands are. Kernels of a GPU are
/// compiled for shapes that have a bond of `full`, which most of a run has; others run by those for any size.
std::unique_ptr<contractions> tessera_contractions(index_t full);

/// Products of matrices, the letters being in an order in which none of them has to be moved: BLAS's dgemm on a CPU,
/// cuBLAS, found when the program runs, on a GPU. Throws where that is not found. Operands are in that memory.
std::unique_ptr<contractions> blas_contractions(space_kind where);

}  // namespace tessera::spin_chain
