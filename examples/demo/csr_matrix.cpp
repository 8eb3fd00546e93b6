// SPDX-License-Identifier: BSD-3-Clause
// Pattern and assembly of the CSR matrix of a box.
#include "csr_matrix.hpp"

#include <algorithm>

namespace tessera::demo {

namespace {

// The columns of a row are a box of nodes, first direction fastest: so that no search is needed.
struct row_of_box {
  index_t first[3], count[3];

  row_of_box(const bent_box& mesh, const index_t* node) {
    const index_t p = mesh.order();
    for (int a = 0; a < 3; ++a) {
      const index_t cell = node[a] / p, inside = node[a] % p;
      first[a] = inside == 0 ? std::max<index_t>(node[a] - p, 0) : cell * p;
      count[a] = std::min((cell + 1) * p, mesh.side(a) - 1) - first[a] + 1;
    }
  }
  index_t size() const { return count[0] * count[1] * count[2]; }
  index_t place(const index_t* node) const {
    return node[0] - first[0] + count[0] * (node[1] - first[1] + count[1] * (node[2] - first[2]));
  }
};

struct node_of_box {
  index_t at[3];
  node_of_box(const bent_box& mesh, index_t unknown)
      : at{unknown % mesh.side(0), unknown / mesh.side(0) % mesh.side(1), unknown / mesh.side(0) / mesh.side(1)} {}
};

}  // namespace

double csr_matrix::bytes_of_element(int p) {
  const double line = double(p) * (p + 2);  // entries of the 1-D matrix, an element
  return 12 * line * line * line;
}

csr_matrix::csr_matrix(const bent_box& mesh, const fem::element_operator<double>& A)
    : start_(std::size_t(mesh.unknowns()) + 1) {
  lay_out(mesh);
  sum_up(mesh, A);
}

csr_view csr_matrix::view() const {
  return {std::int64_t(start_.size()) - 1, start_.data(), static_cast<const std::int32_t*>(column_.data()),
          static_cast<const double*>(value_.data())};
}

void csr_matrix::lay_out(const bent_box& mesh) {
  for (index_t i = 0; i < mesh.unknowns(); ++i)
    start_[std::size_t(i) + 1] = start_[std::size_t(i)] + row_of_box(mesh, node_of_box(mesh, i).at).size();
  const std::size_t entries = std::size_t(start_.back());
  column_ = buffer(space_kind::cpu, entries * sizeof(std::int32_t));
  value_ = buffer(space_kind::cpu, entries * sizeof(double));
  std::int32_t* const columns = static_cast<std::int32_t*>(column_.data());
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < mesh.unknowns(); ++i) {
    const row_of_box row(mesh, node_of_box(mesh, i).at);
    std::int32_t* to = columns + start_[std::size_t(i)];
    for (index_t c = 0; c < row.count[2]; ++c)
      for (index_t b = 0; b < row.count[1]; ++b)
        for (index_t a = 0; a < row.count[0]; ++a)
          *to++ =
              std::int32_t(row.first[0] + a + mesh.side(0) * (row.first[1] + b + mesh.side(1) * (row.first[2] + c)));
  }
}

void csr_matrix::sum_up(const bent_box& mesh, const fem::element_operator<double>& A) {
  const index_t n = A.trial_size(), rows = mesh.cells()[1], row = mesh.cells()[0], layer = row * rows;
  std::vector<double> M(std::size_t(n * n * layer));
  double* const values = static_cast<double*>(value_.data());
  for (index_t first = 0; first < mesh.elements(); first += layer) {
    A.assemble(first, layer, M.data());
    // Every second row of elements has nodes of its own.
    for (const index_t odd : {0, 1})
#pragma omp parallel for schedule(static)
      for (index_t j = odd; j < rows; j += 2)
        for (index_t e = row * j; e < row * (j + 1); ++e) {
          const int* const number = mesh.number().data() + n * (first + e);
          const std::vector<node_of_box> nodes = [&] {
            std::vector<node_of_box> all;
            for (index_t i = 0; i < n; ++i) all.emplace_back(mesh, number[i]);
            return all;
          }();
          for (index_t i = 0; i < n; ++i) {
            const row_of_box here(mesh, nodes[std::size_t(i)].at);
            double* const to = values + start_[std::size_t(number[i])];
            // Row i of the symmetric matrix is its column i, which is contiguous.
            const double* const from = M.data() + n * (i + n * e);
            for (index_t k = 0; k < n; ++k) to[here.place(nodes[std::size_t(k)].at)] += from[k];
          }
        }
  }
}

}  // namespace tessera::demo
