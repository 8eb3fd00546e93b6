// SPDX-License-Identifier: BSD-3-Clause
// Writes the source of the kernels that a test runs on the host. Usage: write_kernels FILE
#include <cstdio>
#include <exception>
#include <fstream>

#include "kernel_cases.hpp"
#include "source.hpp"

using namespace tessera::testing;

int main(int count, char** arguments) {
  try {
    if (count != 2) throw std::invalid_argument("usage: write_kernels FILE");
    std::ofstream file(arguments[1]);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    const std::vector<kernel_case> cases = kernel_cases();
    write_prologue(file);
    for (std::size_t i = 0; i < cases.size(); ++i) write_kernel(file, cases[i], int(i));
    file << "std::vector<tessera::testing::emulated_kernel> tessera::testing::emulated_kernels() {\n  return {\n";
    for (std::size_t i = 0; i < cases.size(); ++i) file << "      kernel_" << i << "::kernel,\n";
    file << "  };\n}\n";
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "write_kernels: %s\n", e.what());
    return 1;
  }
}
