// SPDX-License-Identifier: BSD-3-Clause
// The source of a row: instantiations of the packed gemm kernel, like those of gemm_rows.cu.
#include "jit_source.hpp"

#include "code_cache.hpp"

namespace tessera::device {

namespace {

// Replaces the toolkit's <nv/target>, which users of the library may not have: NVRTC compiles for one architecture.
std::string target_header(int architecture) {
  std::string text =
      "#ifndef NV_IF_TARGET\n"  // newer NVRTCs have it built in
      "#define NV_IF_TARGET(condition, yes) TESSERA_IF_##condition yes\n"
      "#define NV_IF_ELSE_TARGET(condition, yes, no) TESSERA_IF_##condition yes TESSERA_ELSE_##condition no\n";
  for (const int provides : {80, 90}) {
    const bool has = architecture >= provides;
    const std::string name = "NV_PROVIDES_SM_" + std::to_string(provides) + "(...) ";
    text += "#define TESSERA_IF_" + name + (has ? "__VA_ARGS__\n" : "\n");
    text += "#define TESSERA_ELSE_" + name + (has ? "\n" : "__VA_ARGS__\n");
  }
  text += "#endif\n";
  return text;
}

std::string list(std::initializer_list<index_t> numbers) {
  std::string text;
  for (const index_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

std::string types_text(const jit_gemm& what) {
  if (what.type.is_real()) return type_text(what.type.in);
  return "tessera::device::elements<" + type_text(what.type.in) + ", " + type_text(what.type.out) + ", " +
         type_text(what.type.sum) + (what.left_conjugated ? ", true" : ", false") +
         (what.right_conjugated ? ", true>" : ", false>");
}

}  // namespace

std::string type_text(scalar_type type) {
  switch (type) {
    case scalar_type::f32: return "float";
    case scalar_type::f64: return "double";
    case scalar_type::c32: return "tessera::complex<float>";
    case scalar_type::c64: return "tessera::complex<double>";
    case scalar_type::f16: return "tessera::half";
    case scalar_type::i16: return "short";
    case scalar_type::i32: return "int";
    case scalar_type::i64: return "long long";
    case scalar_type::bf16: break;
  }
  return "tessera::bfloat16";
}

packed_words words_of(const jit_gemm& what) { return {int(size_of(what.type.in)), int(size_of(what.type.out))}; }

packed_sizes sizes_of(const jit_gemm& what) { return {int(what.m), int(what.n), int(what.k), what.layouts}; }

std::vector<packed_variant> variants_of(const jit_gemm& what) {
  std::vector<packed_variant> all;
  if (starts_on_pieces(sizes_of(what), words_of(what), what.tuning.matrices)) all = {{false, false}, {true, false}};
  all.insert(all.end(), {{false, true}, {true, true}});
  return all;
}

jit_source source_of(const jit_gemm& what) {
  const gpu_gemm_tuning& t = what.tuning;
  const std::string form =
      "tessera::device::packed_form<" +
      list({what.m, what.n, what.k, int(what.layouts.left), int(what.layouts.right), int(what.layouts.out)}) + ">";
  const std::string shape =
      "tessera::device::block_shape<" +
      list({t.matrices, t.threads, t.tile_rows, t.tile_cols, t.over_a, t.loads, t.row_vector, t.tensor_cores}) + ">";
  jit_source source{"#include <tessera/gpu/detail/packed.cuh>\n", {}};
  for (const packed_variant v : variants_of(what))
    source.kernels.push_back("tessera::device::packed_gemm<" + types_text(what) + ", " + form + ", " + shape + ", " +
                             (v.adds ? "true" : "false") + ", " + (v.phased ? "true" : "false") + ">");
  return source;
}

std::vector<nvrtc_header> headers_for(int architecture) {
  // Never destroyed: a thread may still compile when the process ends.
  static const std::string* const targets = new std::string[]{target_header(75), target_header(80), target_header(90)};
  std::vector<nvrtc_header> all = embedded_headers;
  all.push_back({"nv/target", targets[architecture >= 90 ? 2 : architecture >= 80 ? 1 : 0].c_str()});
  return all;
}

const std::string& headers_hash() {
  static const std::string* const hash = [] {
    std::string all;
    for (const int architecture : {75, 80, 90})
      for (const nvrtc_header& h : headers_for(architecture)) all += std::string(h.name) + "\n" + h.text + "\n";
    return new std::string(hash_of(all));
  }();
  return *hash;
}

}  // namespace tessera::device
