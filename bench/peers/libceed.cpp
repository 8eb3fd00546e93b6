// SPDX-License-Identifier: BSD-3-Clause
// libCEED, found when the program starts: its operator between L-vectors on one thread, with our D as quadrature data.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/memory.hpp>

#include "measure/shared_library.hpp"
#include "peers/libceed_functions.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

namespace {

// The values in the headers of version 0.12.
constexpr int in_host_memory = 0, use_pointer = 1, evaluate_none = 0, evaluate_values = 1, evaluate_gradients = 2;

using ceed_handle = struct libceed_object*;

// What we need of its C interface; each function returns 0, or an error.
struct libceed_functions {
  int (*version)(int*, int*, int*, bool*);
  int (*init)(const char*, ceed_handle*);
  int (*destroy)(ceed_handle*);
  int (*set_error_handler)(ceed_handle, void*);
  int (*error_message)(ceed_handle, const char**);
  int (*resource)(ceed_handle, const char**);
  int (*vector_create)(ceed_handle, std::ptrdiff_t, ceed_handle*);
  int (*vector_set_array)(ceed_handle, int, int, double*);
  int (*vector_destroy)(ceed_handle*);
  int (*restriction_create)(ceed_handle, int, int, int, int, std::ptrdiff_t, int, int, const int*, ceed_handle*);
  int (*restriction_create_strided)(ceed_handle, int, int, int, std::ptrdiff_t, const int*, ceed_handle*);
  int (*restriction_destroy)(ceed_handle*);
  int (*basis_create)(ceed_handle, int, int, int, int, const double*, const double*, const double*, const double*,
                      ceed_handle*);
  int (*basis_destroy)(ceed_handle*);
  int (*function_create)(ceed_handle, int, libceed_function*, const char*, ceed_handle*);
  int (*function_add_input)(ceed_handle, const char*, int, int);
  int (*function_add_output)(ceed_handle, const char*, int, int);
  int (*function_destroy)(ceed_handle*);
  int (*operator_create)(ceed_handle, ceed_handle, ceed_handle, ceed_handle, ceed_handle*);
  int (*operator_set_field)(ceed_handle, const char*, ceed_handle, ceed_handle, ceed_handle);
  int (*operator_apply)(ceed_handle, ceed_handle, ceed_handle, ceed_handle*);
  int (*operator_destroy)(ceed_handle*);
  void* store_errors;
  // Constants of the library, which are addresses.
  ceed_handle* active_vector;
  ceed_handle* no_basis;
  ceed_handle* no_function;
  ceed_handle** immediately;

  // The name of the first that is missing, else null.
  const char* load(const shared_library& from) {
    const char* missing = nullptr;
    const auto find = [&]<class F>(const char* name, F*& to) {
      to = from.find<F>(name);
      if (to == nullptr && missing == nullptr) missing = name;
    };
    find("CeedGetVersion", version);
    find("CeedInit", init);
    find("CeedDestroy", destroy);
    find("CeedSetErrorHandler", set_error_handler);
    find("CeedGetErrorMessage", error_message);
    find("CeedGetResource", resource);
    find("CeedVectorCreate", vector_create);
    find("CeedVectorSetArray", vector_set_array);
    find("CeedVectorDestroy", vector_destroy);
    find("CeedElemRestrictionCreate", restriction_create);
    find("CeedElemRestrictionCreateStrided", restriction_create_strided);
    find("CeedElemRestrictionDestroy", restriction_destroy);
    find("CeedBasisCreateTensorH1", basis_create);
    find("CeedBasisDestroy", basis_destroy);
    find("CeedQFunctionCreateInterior", function_create);
    find("CeedQFunctionAddInput", function_add_input);
    find("CeedQFunctionAddOutput", function_add_output);
    find("CeedQFunctionDestroy", function_destroy);
    find("CeedOperatorCreate", operator_create);
    find("CeedOperatorSetField", operator_set_field);
    find("CeedOperatorApply", operator_apply);
    find("CeedOperatorDestroy", operator_destroy);
    find("CeedErrorStore", store_errors);
    find("CEED_VECTOR_ACTIVE", active_vector);
    find("CEED_BASIS_NONE", no_basis);
    find("CEED_QFUNCTION_NONE", no_function);
    find("CEED_REQUEST_IMMEDIATE", immediately);
    return missing;
  }
};

// Objects of one operator, destroyed in reverse order.
class libceed_operator {
 public:
  libceed_operator(const libceed_functions& f, const std::string& resource, const operator_call& call) : f_(f) {
    need(f_.init(resource.c_str(), &ceed_));
    owned_.push_back({ceed_, f_.destroy});
    need(f_.set_error_handler(ceed_, f_.store_errors));
    const element_call& e = call.element;
    const bool gradients = e.kind == operator_kind::diffusion;
    const int mode = gradients ? evaluate_gradients : evaluate_values, slots = gradients ? e.dim : 1;
    const int factors = factors_of(e.kind, e.dim);
    const int points = e.dim == 3 ? e.q * e.q * e.q : e.q * e.q, nodes = e.dim == 3 ? cube(e.p + 1) : square(e.p + 1);

    const ceed_handle function = own(f_.function_destroy, [&](ceed_handle* to) {
      libceed_function* const by = !gradients ? libceed_mass : e.dim == 3 ? libceed_diffusion_3 : libceed_diffusion_2;
      return f_.function_create(ceed_, 1, by, "libceed_functions.cpp:function", to);
    });
    need(f_.function_add_input(function, "u", slots, mode));
    need(f_.function_add_input(function, "D", factors, evaluate_none));
    need(f_.function_add_output(function, "v", slots, mode));

    const ceed_handle unknowns = own(f_.restriction_destroy, [&](ceed_handle* to) {
      return f_.restriction_create(ceed_, int(e.elements), nodes, 1, 1, call.size, in_host_memory, use_pointer,
                                   call.offsets, to);
    });
    const int strides[] = {1, points, points * factors};
    const std::ptrdiff_t numbers = std::ptrdiff_t(points) * factors * e.elements;
    const ceed_handle of_data = own(f_.restriction_destroy, [&](ceed_handle* to) {
      return f_.restriction_create_strided(ceed_, int(e.elements), points, factors, numbers, strides, to);
    });
    const ceed_handle basis = own(f_.basis_destroy, [&](ceed_handle* to) { return make_basis(e, to); });

    D_ = points_first(e, points, factors);
    const ceed_handle D = vector_of(numbers, static_cast<double*>(D_.data()));
    x_ = vector_of(call.size, static_cast<double*>(const_cast<void*>(e.x)));
    y_ = vector_of(call.size, static_cast<double*>(e.y));
    operator_ = own(f_.operator_destroy, [&](ceed_handle* to) {
      return f_.operator_create(ceed_, function, *f_.no_function, *f_.no_function, to);
    });
    need(f_.operator_set_field(operator_, "u", unknowns, basis, *f_.active_vector));
    need(f_.operator_set_field(operator_, "D", of_data, *f_.no_basis, D));
    need(f_.operator_set_field(operator_, "v", unknowns, basis, *f_.active_vector));
  }
  ~libceed_operator() {
    for (; !owned_.empty(); owned_.pop_back()) owned_.back().destroy(&owned_.back().object);
  }
  libceed_operator(const libceed_operator&) = delete;
  libceed_operator& operator=(const libceed_operator&) = delete;

  void apply() const { need(f_.operator_apply(operator_, x_, y_, *f_.immediately)); }

 private:
  static int square(int n) { return n * n; }
  static int cube(int n) { return n * n * n; }

  void need(int result) const {
    if (result == 0) return;
    const char* text = nullptr;
    if (ceed_ != nullptr) f_.error_message(ceed_, &text);
    throw error("libceed: " + (text != nullptr ? std::string(text) : "error " + std::to_string(result)));
  }
  template <class Make>
  ceed_handle own(int (*destroy)(ceed_handle*), const Make& make) {
    ceed_handle made = nullptr;
    need(make(&made));
    owned_.push_back({made, destroy});
    return made;
  }
  ceed_handle vector_of(std::ptrdiff_t size, double* values) {
    const ceed_handle made = own(f_.vector_destroy, [&](ceed_handle* to) { return f_.vector_create(ceed_, size, to); });
    need(f_.vector_set_array(made, in_host_memory, use_pointer, values));
    return made;
  }
  // Tables by rows; directions and points of the unit segment, as D has them.
  int make_basis(const element_call& e, ceed_handle* to) const {
    const fem::quadrature_rule rule = e.nodal ? fem::gauss_lobatto(e.q) : fem::gauss(e.q);
    const fem::basis_tables t = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, e.p), rule);
    std::vector<double> B, G;
    for (int k = 0; k < t.q; ++k)
      for (int i = 0; i < t.d; ++i) {
        B.push_back(t.B[std::size_t(k + t.q * i)]);
        G.push_back(t.G[std::size_t(k + t.q * i)]);
      }
    return f_.basis_create(ceed_, e.dim, 1, t.d, t.q, B.data(), G.data(), rule.points.data(), rule.weights.data(), to);
  }
  // D as its fields are stored: points fastest.
  static buffer points_first(const element_call& e, int points, int factors) {
    buffer stored(space_kind::cpu, std::size_t(e.elements) * std::size_t(points * factors) * sizeof(double));
    const double* from = static_cast<const double*>(e.D);
    double* const to = static_cast<double*>(stored.data());
    for (index_t element = 0; element < e.elements; ++element)
      for (int k = 0; k < points; ++k)
        for (int f = 0; f < factors; ++f) to[k + points * (f + factors * element)] = *from++;
    return stored;
  }

  struct owned_object {
    ceed_handle object;
    int (*destroy)(ceed_handle*);
  };
  const libceed_functions& f_;
  ceed_handle ceed_ = nullptr, operator_ = nullptr, x_ = nullptr, y_ = nullptr;
  buffer D_;
  std::vector<owned_object> owned_;
};

peer through(const char* name, const std::string& resource, const libceed_functions& f, const std::string& version) {
  peer p{.name = name, .version = version + ", " + resource, .found = true, .space = space_kind::cpu};
  p.prepare_operator = [&f, resource](const operator_call& call) -> operator_pass {
    const element_call& e = call.element;
    const bool known = e.kind == operator_kind::mass || e.kind == operator_kind::diffusion;
    if (!known || e.type != scalar_type::f64 || e.components != 1 || e.threads != 1) return {};
    const auto made = std::make_shared<libceed_operator>(f, resource, call);
    return {[made] { made->apply(); }, [] {}};
  };
  return p;
}

}  // namespace

std::vector<peer> libceed_peers() {
  static const shared_library library{"libceed.so"};
  static libceed_functions functions{};
  static const char* const missing = library.is_open() ? functions.load(library) : nullptr;
  std::string why = "its shared library was not found", version;
  bool found = false;
  if (library.is_open()) {
    int major = 0, minor = 0, patch = 0;
    bool release = false;
    if (missing == nullptr) functions.version(&major, &minor, &patch, &release);
    version = "libCEED " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
    found = missing == nullptr && major == 0 && minor == 12;
    why = missing != nullptr ? std::string("it has no ") + missing : version + ", not 0.12";
  }
  std::vector<peer> all;
  for (const auto& [name, resource] :
       {std::pair{"libceed-blocked", "/cpu/self/avx/blocked"}, {"libceed-opt", "/cpu/self/opt"}})
    all.push_back(found ? through(name, resource, functions, version)
                        : peer{.name = name, .version = why, .space = space_kind::cpu});
  return all;
}

}  // namespace tessera::bench
