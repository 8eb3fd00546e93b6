// SPDX-License-Identifier: BSD-3-Clause
// The source of a row: instantiations of the packed gemm kernel, like those of rows.cu.
#include "jit_source.hpp"

#include "code_cache.hpp"

namespace tessera::device {

namespace {

// Stands in for the toolkit's <nv/target>, which users of the library need not have: NVRTC compiles for one
// architecture.
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

}  // namespace

packed_sizes sizes_of(const jit_gemm& what) { return {int(what.m), int(what.n), int(what.k), what.lies}; }

std::vector<packed_variant> variants_of(const jit_gemm& what) {
  std::vector<packed_variant> all;
  if (starts_on_pieces(sizes_of(what), int(size_of(what.type)), what.tuning.matrices))
    all = {{false, false}, {true, false}};
  all.insert(all.end(), {{false, true}, {true, true}});
  return all;
}

jit_source source_of(const jit_gemm& what) {
  const gpu_gemm_tuning& t = what.tuning;
  const std::string form =
      "tessera::device::packed_form<" +
      list({what.m, what.n, what.k, int(what.lies.left), int(what.lies.right), int(what.lies.out)}) + ">";
  const std::string shape = "tessera::device::block_shape<" +
                            list({t.matrices, t.threads, t.tile_rows, t.tile_cols, t.over_a, t.loads, t.row_vector}) +
                            ">";
  jit_source source{"#include <tessera/gpu/packed.cuh>\n", {}};
  for (const packed_variant v : variants_of(what))
    source.kernels.push_back(std::string("tessera::device::packed_gemm<") +
                             (what.type == scalar_type::f32 ? "float" : "double") + ", " + form + ", " + shape + ", " +
                             (v.adds ? "true" : "false") + ", " + (v.phased ? "true" : "false") + ">");
  return source;
}

std::vector<nvrtc_header> headers_for(int architecture) {
  static const std::string before_80 = target_header(75), from_80 = target_header(80), from_90 = target_header(90);
  std::vector<nvrtc_header> all = embedded_headers;
  const std::string& target = architecture >= 90 ? from_90 : architecture >= 80 ? from_80 : before_80;
  all.push_back({"nv/target", target.c_str()});
  return all;
}

const std::string& headers_hash() {
  static const std::string hash = [] {
    std::string all;
    for (const int architecture : {75, 80, 90})
      for (const nvrtc_header& h : headers_for(architecture)) all += std::string(h.name) + "\n" + h.text + "\n";
    return hash_of(all);
  }();
  return hash;
}

}  // namespace tessera::device
