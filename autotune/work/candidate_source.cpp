// SPDX-License-Identifier: BSD-3-Clause
// Writes the translation unit of a group of candidates.
#include "work/candidate_source.hpp"

namespace tessera::tune {

std::string specialised_definition(const candidate& c, const std::string& name) {
  const tuning_case& of = c.of;
  return "constexpr kernel " + name + " = &tessera::simd::specialised_gemm<isa, scalar, " + std::to_string(of.m) +
         ", " + std::to_string(of.n) + ", " + std::to_string(of.k) + ", " + gemm_family(of.on).source(c.how) + ">;\n";
}

std::string source_of(target on, scalar_type type, std::span<const candidate> group, const definition& define) {
  const std::string isa = name_of(on);
  std::string definitions, names;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::string name = "candidate_" + std::to_string(i);
    definitions += define(group[i], name);
    names += name + ", ";
  }
  // `here` is local, and with it all kernels instantiated with it, so that objects that are open at the same time have
  // no symbols in common. The array ends with a null, so that a group may be empty.
  return "#include <tessera/cpu/detail/isa_" + isa +
         ".hpp>\n"
         "#include <tessera/cpu/detail/gemm_rows.hpp>\n"
         "#include <tessera/cpu/detail/specialised.hpp>\n"
         "namespace {\n"
         "struct here;\n"
         "using isa = tessera::simd::" +
         isa + "<here>;\nusing scalar = " + (type == scalar_type::f64 ? "double" : "float") +
         ";\nusing kernel = tessera::problem_function<scalar>;\n" + definitions +
         "}\n"
         "extern \"C\" {\n"
         "extern const kernel " +
         candidates_symbol + "[] = {" + names + "nullptr};\nextern const int " + count_symbol + " = " +
         std::to_string(group.size()) + ";\nextern const int " + problem_bytes_symbol +
         " = int(sizeof(tessera::problem<scalar>));\n}\n";
}

}  // namespace tessera::tune
