// SPDX-License-Identifier: BSD-3-Clause
// Checks what element_points is given, and goes over its elements or faces.
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/points.hpp>
#include <tessera/scalar.hpp>

#include "host_memory.hpp"
#include "points_state.hpp"

#include <algorithm>
#include <cstdint>

namespace tessera::fem {

namespace {

std::string operation_of(const char* method) { return std::string("element_points::") + method; }

// Numbers of a vector. Throws where it does not fit the functions.
template <class T, class V>
index_t checked_size(const char* method, const char* name, const element_points<T>& of, const fe_vector<V>& v) {
  const std::string what = operation_of(method) + ": " + name;
  if (v.numbers != nullptr) {
    const restriction& r = *v.numbers;
    if (r.elements() != of.elements() || r.entries() != of.functions() || r.components() != of.components())
      throw error(what + "'s restriction has " + std::to_string(r.elements()) + " elements of " +
                      std::to_string(r.components()) + " x " + std::to_string(r.entries()) + " entries, the points " +
                      std::to_string(of.elements()) + " of " + std::to_string(of.components()) + " x " +
                      std::to_string(of.functions()),
                  status::shape_mismatch);
  }
  const index_t size = v.numbers != nullptr ? v.numbers->size()
                                            : tessera::detail::checked_product(
                                                  what, {of.elements(), of.components(), of.functions()}, sizeof(T));
  if (v.at == nullptr && size > 0) throw error(what + " is a null pointer", status::null_pointer);
  return size;
}

// Throws where `size` results at `out` cannot be, `read` numbers being read from `in` meanwhile.
template <class T>
void check_out(const char* method, const detail::points_state<T>& s, const T* out, index_t size, const T* in = nullptr,
               index_t read = 0) {
  const std::string what = operation_of(method) + ": the result";
  if (out == nullptr && size > 0) throw error(what + " is a null pointer", status::null_pointer);
  s.checked.check_output(what.c_str(), out, size);
  const auto begin = [](const T* at) { return reinterpret_cast<std::uintptr_t>(at); };
  if (size > 0 && read > 0 && begin(out) < begin(in + read) && begin(in) < begin(out + size))
    throw error(what + " of " + std::to_string(size) + " numbers overlaps the " + std::to_string(read) +
                    " that it is computed from",
                status::overlap);
}

template <class T>
index_t numbers_at_points(const char* method, const element_points<T>& of, index_t each) {
  return tessera::detail::checked_product(operation_of(method), {of.count(), of.points(), each}, sizeof(T));
}

void need(bool there, const char* method, const char* what) {
  if (!there) throw error(operation_of(method) + ": the tables have no " + what);
}

// y += E, entries of element e: (n, C).
template <class T>
void add_entries(const fe_vector<T>& y, index_t e, index_t n, int components, const T* E) {
  if (y.numbers == nullptr) {
    T* const to = y.at + n * components * e;
    for (index_t j = 0; j < n * components; ++j) to[j] += E[j];
    return;
  }
  for (index_t i = 0; i < n; ++i) {
    const index_t offset = y.numbers->offset(i, e), number = offset < 0 ? -1 - offset : offset;
    for (int c = 0; c < components; ++c) {
      T& to = y.at[number + c * y.numbers->component_stride()];
      to += offset < 0 ? -E[i + n * c] : E[i + n * c];
    }
  }
}

}  // namespace

template <class T>
element_points<T>::element_points(const element_nodes<T>& nodes, const element_operator_options& options)
    : state_(std::make_shared<const detail::points_state<T>>(detail::points_in_elements(nodes, options))) {}

template <class T>
element_points<T>::element_points(const element_nodes<T>& nodes, std::span<const boundary_face> faces,
                                  const element_operator_options& options)
    : state_(std::make_shared<const detail::points_state<T>>(detail::points_on_faces(nodes, faces, options))) {}

template <class T>
int element_points<T>::dim() const {
  return state_->nodes.dim;
}
template <class T>
int element_points<T>::components() const {
  return state_->components;
}
template <class T>
index_t element_points<T>::elements() const {
  return state_->nodes.elements;
}
template <class T>
index_t element_points<T>::count() const {
  return state_->count();
}
template <class T>
index_t element_points<T>::points() const {
  return state_->points();
}
template <class T>
index_t element_points<T>::functions() const {
  return state_->functions();
}
template <class T>
bool element_points<T>::on_faces() const {
  return state_->on_faces;
}

template <class T>
std::string element_points<T>::describe() const {
  return std::to_string(points()) + " points " + (on_faces() ? "on each of " : "in each of ") +
         std::to_string(count()) + (on_faces() ? " faces, " : " elements, ") + std::to_string(components()) +
         (components() > 1 ? " components of " : " component of ") + std::to_string(functions()) + " functions, " +
         name_of(scalar_of<T>);
}

template <class T>
void element_points<T>::write(const char* method, int numbers, const function_at_points<T>& f, T* out) const {
  const index_t size = numbers_at_points(method, *this, numbers);
  check_out(method, *state_, out, size);
  const detail::on_host<T> here(out, size, false);
  detail::point_loop<T>(*state_, count()).run(0, count(), [&](detail::point_work<T>& work, index_t) {
    for (index_t k = 0; k < points(); ++k) {
      const mapped_point<T> p = work.point(k);
      f(p, here.data() + numbers * p.number);
    }
  });
  here.write_back();
}

template <class T>
void element_points<T>::evaluate(int numbers, const function_at_points<T>& f, T* out) const {
  if (numbers < 1) throw error("element_points::evaluate: " + std::to_string(numbers) + " numbers at each point");
  if (!f) throw error("element_points::evaluate: no function", status::null_pointer);
  write("evaluate", numbers, f, out);
}

template <class T>
std::vector<T> element_points<T>::evaluate(int numbers, const function_at_points<T>& f) const {
  if (numbers < 1) throw error("element_points::evaluate: " + std::to_string(numbers) + " numbers at each point");
  std::vector<T> out(std::size_t(numbers_at_points("evaluate", *this, numbers)));
  evaluate(numbers, f, out.data());
  return out;
}

template <class T>
void element_points<T>::coordinates(T* out) const {
  need(state_->places[0].geometry.has_values(), "coordinates", "values of the geometry's functions");
  write(
      "coordinates", dim(), [dim = dim()](const mapped_point<T>& p, T* to) { std::copy_n(p.x, dim, to); }, out);
}

template <class T>
void element_points<T>::jacobians(T* out) const {
  const int n = dim();
  write(
      "jacobians", n * n,
      [n](const mapped_point<T>& p, T* to) {
        for (int a = 0; a < n; ++a)
          for (int c = 0; c < n; ++c) to[c + n * a] = p.J[c][a];
      },
      out);
}

template <class T>
void element_points<T>::inverse_jacobians(T* out) const {
  const int n = dim();
  write(
      "inverse_jacobians", n * n,
      [n](const mapped_point<T>& p, T* to) {
        for (int c = 0; c < n; ++c)
          for (int a = 0; a < n; ++a) to[a + n * c] = p.inverse[a][c];
      },
      out);
}

template <class T>
void element_points<T>::weights(T* out) const {
  write(
      "weights", 1, [](const mapped_point<T>& p, T* to) { *to = p.weight; }, out);
}

template <class T>
void element_points<T>::normals(T* out) const {
  if (!on_faces()) throw error("element_points::normals: points in elements have no normals, those on faces have");
  write(
      "normals", dim(), [dim = dim()](const mapped_point<T>& p, T* to) { std::copy_n(p.normal, dim, to); }, out);
}

template <class T>
void element_points<T>::values(fe_vector<const T> u, T* out) const {
  const index_t C = components(), q = points(), size = checked_size("values", "u", *this, u);
  need(state_->places[0].functions.has_values(), "values", "values of functions");
  const index_t results = numbers_at_points("values", *this, C);
  check_out("values", *state_, out, results, u.at, size);
  const detail::on_host<const T> u_here(u.at, size);
  const detail::on_host<T> here(out, results, false);
  u.at = u_here.data();
  detail::point_loop<T>(*state_, count()).run(0, count(), [&](detail::point_work<T>& work, index_t i) {
    work.gather(u);
    const T* from = work.values();
    for (index_t c = 0; c < C; ++c)
      for (index_t k = 0; k < q; ++k) here.data()[c + C * (k + q * i)] = *from++;
  });
  here.write_back();
}

template <class T>
void element_points<T>::gradients(fe_vector<const T> u, T* out) const {
  differentiate("gradients", u, true, out);
}
template <class T>
void element_points<T>::reference_gradients(fe_vector<const T> u, T* out) const {
  differentiate("reference_gradients", u, false, out);
}

template <class T>
void element_points<T>::differentiate(const char* operation, fe_vector<const T> u, bool in_space, T* out) const {
  const index_t C = components(), q = points(), size = checked_size(operation, "u", *this, u);
  const int n = dim();
  need(state_->places[0].functions.has_gradients(), operation, "derivatives of functions");
  const index_t results = numbers_at_points(operation, *this, C * n);
  check_out(operation, *state_, out, results, u.at, size);
  const detail::on_host<const T> u_here(u.at, size);
  const detail::on_host<T> here(out, results, false);
  u.at = u_here.data();
  detail::point_loop<T>(*state_, count()).run(0, count(), [&](detail::point_work<T>& work, index_t i) {
    work.gather(u);
    const T* const slopes = work.slopes();
    for (index_t k = 0; k < q; ++k) {
      T* const to = here.data() + n * C * (k + q * i);
      if (in_space) std::copy_n(work.gradient_at(work.point(k), k), n * C, to);
      for (index_t c = 0; c < C && !in_space; ++c)
        for (int a = 0; a < n; ++a) to[a + n * c] = slopes[k + q * (c + C * a)];
    }
  });
  here.write_back();
}

template <class T>
void element_points<T>::transposed(const T* f, bool of_gradients, fe_vector<T> b, bool add) const {
  const char* const operation = of_gradients ? "gradient_load" : "load";
  const detail::points_state<T>& s = *state_;
  const int C = components(), each = of_gradients ? dim() * C : C;
  const index_t given = numbers_at_points(operation, *this, each), all = functions() * C;
  if (f == nullptr && given > 0)
    throw error(operation_of(operation) + ": the values are a null pointer", status::null_pointer);
  const auto& tables = s.places[0].functions;
  need(of_gradients ? tables.has_gradients() : tables.has_values(), operation,
       of_gradients ? "derivatives of functions" : "values of functions");
  const index_t size = checked_size(operation, "b", *this, b);
  check_out(operation, s, static_cast<const T*>(b.at), size, f, given);
  const detail::on_host<const T> f_here(f, given);
  const detail::on_host<T> b_here(b.at, size, add);
  b.at = b_here.data();
  // Elements are computed by all threads, and added up in their order by this one.
  const index_t at_once = std::clamp<index_t>((index_t{1} << 18) / all, 64, std::max<index_t>(count(), 64));
  std::vector<T> of_items(std::size_t(all * std::min(at_once, count())));
  detail::point_loop<T> loop(s, std::min(at_once, count()));
  if (!add) std::fill_n(b.at, size, T(0));
  for (index_t first = 0; first < count(); first += at_once) {
    const index_t last = std::min(first + at_once, count());
    loop.run(first, last, [&](detail::point_work<T>& work, index_t i) {
      T* const to = of_items.data() + all * (i - first);
      of_gradients ? work.gradient_load(f_here.data(), to) : work.load(f_here.data(), to);
    });
    for (index_t i = first; i < last; ++i)
      add_entries(b, s.element(i), functions(), C, of_items.data() + all * (i - first));
  }
  b_here.write_back();
}

template <class T>
double element_points<T>::sum(const fe_vector<const T>* given, point_shape takes, const integrand& f) const {
  if (!f) throw error("element_points::integral: no function", status::null_pointer);
  index_t size = 0;
  if (given != nullptr) {
    size = checked_size("integral", "u", *this, *given);
    const auto& tables = state_->places[0].functions;
    need(!takes.value || tables.has_values(), "integral", "values of functions");
    need(!takes.gradient || tables.has_gradients(), "integral", "derivatives of functions");
  }
  const detail::on_host<const T> u_here(given != nullptr ? given->at : nullptr, size);
  fe_vector<const T> u(nullptr);
  if (given != nullptr) u = *given;
  u.at = u_here.data();
  std::vector<double> sums(std::size_t(count()), 0.0);
  detail::point_loop<T>(*state_, count()).run(0, count(), [&](detail::point_work<T>& work, index_t i) {
    if (given != nullptr) work.gather(u);
    if (takes.value) work.values();
    if (takes.gradient) work.slopes();
    for (index_t k = 0; k < points(); ++k) {
      const mapped_point<T> p = work.point(k);
      sums[std::size_t(i)] += double(p.weight) * f(p, takes.value ? work.value_at(k) : nullptr,
                                                   takes.gradient ? work.gradient_at(p, k) : nullptr);
    }
  });
  double all = 0;
  for (const double one : sums) all += one;
  return all;
}

template <class T>
double element_points<T>::integral(const std::function<double(const mapped_point<T>& p)>& f) const {
  if (!f) throw error("element_points::integral: no function", status::null_pointer);
  return sum(nullptr, {}, [&f](const mapped_point<T>& p, const T*, const T*) { return f(p); });
}

template <class T>
double element_points<T>::integral(fe_vector<const T> u, point_shape takes, const integrand& f) const {
  return sum(&u, takes, f);
}

template class element_points<float>;
template class element_points<double>;

}  // namespace tessera::fem
