// SPDX-License-Identifier: BSD-3-Clause
// Writes the struct that calls a QFunction's source at one point. Arrays are the point's own, but for gradients of
// several components, which libCEED has by directions.
#include "device_function.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "failure.hpp"
#include "libceed_api.hpp"
#include "source_text.hpp"

namespace tessera::ceed {

namespace {

// "NAME=VALUE", or NAME alone, as a compiler's option -D takes it.
std::string macro_text(const std::string& m) {
  const std::size_t end = std::min(m.find('='), m.size());
  return "#define " + m.substr(0, end) + " " + (end < m.size() ? m.substr(end + 1) : "1") + "\n";
}

// The QFunction's source after what libCEED itself puts before it for CUDA: its types and macros.
std::string source_of(CeedQFunction function) {
  const char* const path = source_path_of(function);
  if (path == nullptr) throw not_taken{"the QFunction has no source file"};
  Ceed ceed = ceed_of(function);
  const std::string name = "ceed/jit-source/cuda/cuda-jit.h", definitions = jit_path(ceed, name.c_str());
  include_folders folders{.ceed = definitions.substr(0, definitions.size() - name.size()), .others = {}};
  // But not libCEED's own root: it may be /usr/include, whose headers are not for devices.
  for (const std::string& folder : version::jit_folders(ceed))
    if (std::error_code none; !std::filesystem::equivalent(folder, folders.ceed, none))
      folders.others.emplace_back(folder);
  std::string macros = macro_text("CEED_RUNNING_JIT_PASS");
  for (const std::string& m : version::jit_macros(ceed)) macros += macro_text(m);
  source_text text(folders);
  return macros + text.of(definitions) + "\n" + text.of(path);
}

std::string number(int n) { return std::to_string(n); }
const char* word(bool value) { return value ? "true" : "false"; }

std::string shape_text(const point_shape& s) {
  return "{" + number(s.components) + ", " + word(s.value) + ", " + word(s.gradient) + "}";
}

// For all components c and directions a of the named array, by directions, and of u or v.
std::string each_slope(const point_argument& of, const std::string& statement) {
  return "    for (int c = 0; c < " + number(of.components) + "; ++c)\n      for (int a = 0; a < dim; ++a) " +
         statement + ";\n";
}
std::string by_direction(const std::string& name, const point_argument& of) {
  return name + "[c + " + number(of.components) + " * a]";
}

// The place of an argument in the structs of a point, or the array by directions.
std::string place_in(const std::string& point, const std::string& array, const point_argument& a, int dim) {
  if (a.from == point_argument::data) return "&D[" + number(a.first) + "]";
  if (a.from == point_argument::value) return point + ".value";
  return a.is_in_another_order(dim) ? array : "&" + point + ".gradient[0][0]";
}

// Arguments of one side, and what is before and after the call for those that are in another order.
struct side_text {
  std::string places, arrays, copies;

  side_text(const std::vector<point_argument>& arguments, int dim, bool is_input) {
    const std::string point = is_input ? "u" : "v";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const point_argument& a = arguments[i];
      const std::string array = "of_" + point + "_" + number(int(i));
      places += (i == 0 ? "" : ", ") + place_in(point, array, a, dim);
      if (!a.is_in_another_order(dim)) continue;
      const std::string ours = point + ".gradient[c][a]", theirs = by_direction(array, a);
      arrays += "    CeedScalar " + array + "[" + number(a.components) + " * dim];\n";
      copies += each_slope(a, is_input ? theirs + " = " + ours : ours + " = " + theirs);
    }
  }
};

std::string call_text(const function_arguments& all, const std::string& name) {
  const side_text in(all.in, all.dim, true), out(all.out, all.dim, false);
  return in.arrays + in.copies + out.arrays + "    const CeedScalar* const in[] = {" + in.places +
         "};\n    CeedScalar* const out[] = {" + out.places + "};\n    code::" + name + "(context, 1, in, out);\n" +
         out.copies;
}

std::string struct_text(const function_arguments& all, const compiled_function<double>& f, const std::string& name) {
  const auto at_point = [](const point_shape& s) {
    return "tessera::at_point<S, " + number(s.components) + ", dim>& ";
  };
  return "struct function {\n  using CeedScalar = code::CeedScalar;\n  static constexpr int dim = " + number(f.dim) +
         ", factors = " + number(f.factors) + ";\n  static constexpr tessera::point_shape trial" + shape_text(f.trial) +
         ", test" + shape_text(f.test) +
         ";\n  void* context;\n  template <class S>\n  constexpr void operator()(const " + at_point(f.trial) +
         "u, const S (&D)[factors], " + at_point(f.test) + "v) const {\n" + call_text(all, name) + "  }\n};\n";
}

// In namespaces of its own. NVRTC has no <stdint.h>, and libCEED's types need int32_t.
function_source text_of(const operator_fields& fields, const function_arguments& all,
                        const compiled_function<double>& f) {
  return {"tessera_ceed::function", "namespace tessera_ceed {\nnamespace code {\nusing int32_t = int;\n" +
                                        source_of(fields.function) + "\n}\n" +
                                        struct_text(all, f, kernel_name_of(fields.function)) + "}\n"};
}

}  // namespace

device_function::device_function(const operator_fields& fields, std::span<const int> first, int dim, int factors)
    : code_(fields.function), function_(function_with_shapes(fields, dim, factors)) {
  function_.isa = target::cuda;
  function_.state = state_;
  function_.source = text_of(fields, function_arguments(fields, first, dim), function_);
}

// The inner one: that of a function in Fortran is around the user's, for the host.
device_function::session::session(device_function& of) : of_(of) {
  check(CeedQFunctionGetInnerContextData(of.code_, CEED_MEM_DEVICE, &of.state_->context));
}

device_function::session::~session() {
  if (of_.state_->context != nullptr) CeedQFunctionRestoreInnerContextData(of_.code_, &of_.state_->context);
  of_.state_->context = nullptr;
}

}  // namespace tessera::ceed
