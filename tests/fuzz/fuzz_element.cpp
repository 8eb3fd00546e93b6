// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes element operators through the C API: what is accepted is right and stays in its memory, or it is refused.
#include <algorithm>
#include <cmath>
#include <string>

#include "allocation.hpp"
#include "element_case.hpp"
#include "element_function.hpp"
#include "finding.hpp"

namespace {

using namespace fuzz;

struct operator_release {
  void operator()(tessera_element_operator* of) const { tessera_element_destroy(of); }
};
using made_operator = std::unique_ptr<tessera_element_operator, operator_release>;

// What apply is compared with: matrices by the library, full, of all elements.
struct matrices {
  tessera_element_sizes sizes;
  std::int64_t rows, columns;
  std::optional<vector_memory> M;

  double at(std::int64_t i, std::int64_t j, std::int64_t e) const { return M->get(i, j, e); }
};

// `first` and `count` elements of matrices of `entries` numbers, one behind the other.
vector_shape matrix_shape(std::int64_t rows, std::int64_t columns, std::int64_t count) {
  vector_shape shape{rows, columns, {}, 1, 0, conventional(rows, columns)};
  for (std::int64_t e = 0; e < count; ++e) shape.elements.push_back(e);
  return shape;
}

std::optional<matrices> matrices_of(const tessera_element_operator* op, const element_case& c) {
  matrices m{tessera_element_sizes_of(op), 0, 0, {}};
  m.rows = m.sizes.test_entries * m.sizes.test_components;
  m.columns = m.sizes.trial_entries * m.sizes.components;
  m.M.emplace(matrix_shape(m.rows, m.columns, m.sizes.elements), c.in_float());
  if (!m.M->exists() || m.rows * m.columns > 1 << 12) return std::nullopt;
  m.M->fill(3);
  if (tessera_element_assemble(op, 0, m.sizes.elements, m.M->given()) != TESSERA_OK)
    finding(std::string("matrices were refused: ") + tessera_last_error(), fuzz::text_of(c));
  return m;
}

double unit_of(const element_case& c) { return c.in_float() ? 6e-8 : 1.2e-16; }

// Of an entry of a matrix, or of a sum over a row of them. Derivatives come from values at q points a direction, whose
// rounding grows like q^2.
bool is_close(double got, double wanted, double size, const element_case& c) {
  if (!std::isfinite(wanted) || !std::isfinite(size)) return true;
  const double q = c.options.tables != nullptr ? 0 : std::clamp(c.options.points, 0, 40);
  return std::abs(got - wanted) <= (2000 + 4 * q * q) * unit_of(c) * size + 1e-30;
}

// What entries of an element's matrix are sums of: not less than about 10, and where they cancel more than they are.
double largest_of(const matrices& m, std::int64_t e) {
  double largest = 10;
  for (std::int64_t j = 0; j < m.columns; ++j)
    for (std::int64_t i = 0; i < m.rows; ++i) largest = std::max(largest, std::abs(m.at(i, j, e)));
  return largest;
}

struct application_case {
  tessera_element_application a{};
  std::vector<std::int64_t> list;
  vector_shape x, y;
  bool repeats = false;  // an element is in the list twice
  bool possible = true;  // the elements are some of the operator's
};

std::string text_of(const application_case& a) {
  std::string text = "  x " + fuzz::text_of(a.x.layout) + "\n  y " + fuzz::text_of(a.y.layout) + "\n  add " +
                     std::to_string(a.a.add) + ", sides " + std::to_string(a.a.sides) + " " +
                     std::to_string(a.a.x_side) + " " + std::to_string(a.a.y_side) + ", first " +
                     std::to_string(a.a.first) + ", count " + std::to_string(a.a.count) +
                     (a.a.list != nullptr ? ", list" : "");
  for (const std::int64_t e : a.list) text += " " + std::to_string(e);
  return text + "\n";
}

void choose_elements(application_case& a, const tessera_element_sizes& sizes, bytes& from) {
  const auto n = sizes.elements;
  switch (from.below(4)) {
    case 2:  // a range
      a.a.first = from.next() % (n + 1);
      a.a.count = from.next() % (n - a.a.first + 1);
      if (from.one_in(8)) a.a.first = from.absurd();
      if (from.one_in(8)) a.a.count = from.absurd();
      a.possible = a.a.count >= 0 && a.a.first >= 0 && a.a.first <= n && a.a.count <= n - a.a.first;
      break;
    case 3:  // a list
      a.a.count = from.below(12);
      for (std::int64_t i = 0; i < a.a.count; ++i) a.list.push_back(n > 0 ? from.next() % n : 0);
      if (from.one_in(8) && !a.list.empty()) a.list.back() = from.absurd();
      a.a.list = a.list.data();
      for (const std::int64_t e : a.list) {
        a.possible = a.possible && e >= 0 && e < n;
        a.repeats = a.repeats || std::ranges::count(a.list, e) > 1;
      }
      if (a.list.empty()) a.a.list = nullptr, a.a.count = 0;
      break;
    default: break;
  }
  if (!a.possible) return;
  std::vector<std::int64_t> chosen = a.list;
  for (std::int64_t i = 0; i < a.a.count && a.list.empty(); ++i) chosen.push_back(a.a.first + i);
  a.x.elements = a.y.elements = chosen;
}

application_case application_from(const tessera_element_operator* op, bytes& from) {
  const tessera_element_sizes sizes = tessera_element_sizes_of(op);
  application_case a;
  a.a = tessera_element_application_of(op, nullptr, nullptr);
  a.a.add = from.below(2);
  choose_elements(a, sizes, from);
  a.x.entries = sizes.trial_entries;
  a.x.components = sizes.components;
  a.y.entries = sizes.test_entries;
  a.y.components = sizes.test_components;
  for (const auto& [shape, layout] : {std::pair(&a.x, &a.a.x_layout), std::pair(&a.y, &a.a.y_layout)}) {
    if (from.one_in(2)) *layout = layout_from(from, shape->entries, shape->components, sizes.elements);
    shape->layout = says_nothing(*layout) ? conventional(shape->entries, shape->components) : *layout;
  }
  if (from.one_in(4)) {
    a.a.sides = from.one_in(8) ? from.absurd_int() : from.below(4);
    a.a.x_side = from.one_in(8) ? from.below(64) - 32 : a.x.entries * a.x.components * sizes.elements;
    a.a.y_side = from.one_in(8) ? from.below(64) - 32 : a.y.entries * a.y.components * sizes.elements;
  }
  a.x.sides = a.y.sides = a.a.sides;
  a.x.side = a.a.x_side;
  a.y.side = a.a.y_side;
  return a;
}

// y = M x or y += M x, element by element, from what x and y held before.
void check_result(const application_case& a, const matrices& m, const vector_memory& x, const vector_memory& y,
                  const vector_memory& y_before, const std::string& words, const element_case& c) {
  for (const std::int64_t e : a.y.elements) {
    const double largest = largest_of(m, e);
    const auto times = a.a.add != 0 ? std::ranges::count(a.y.elements, e) : 1;
    for (std::int64_t r = 0; r < a.y.sides; ++r) {
      double size = 0;
      for (std::int64_t j = 0; j < m.columns; ++j) size += std::abs(x.get(j % a.x.entries, j / a.x.entries, e, r));
      for (std::int64_t i = 0; i < m.rows; ++i) {
        double sum = 0;
        for (std::int64_t j = 0; j < m.columns; ++j)
          sum += m.at(i, j, e) * x.get(j % a.x.entries, j / a.x.entries, e, r);
        const double before = a.a.add != 0 ? y_before.get(i % a.y.entries, i / a.y.entries, e, r) : 0;
        const double wanted = before + double(times) * sum, got = y.get(i % a.y.entries, i / a.y.entries, e, r);
        if (!is_close(got, wanted, double(times) * largest * size + std::abs(before), c))
          finding("entry " + std::to_string(i) + " of element " + std::to_string(e) + " is " + std::to_string(got) +
                      ", by the matrix " + std::to_string(wanted),
                  words);
      }
    }
  }
}

void fuzz_application(const tessera_element_operator* op, const element_case& c, const matrices* m, bytes& from) {
  application_case a = application_from(op, from);
  vector_memory x(a.x, c.in_float()), y(a.y, c.in_float()), y_before(a.y, c.in_float());
  const std::string words = fuzz::text_of(c) + text_of(a);
  const bool real = a.possible && x.exists() && y.exists();
  if (real) {
    x.fill(1);
    y.fill(2);
    y_before.fill(2);
    a.a.x = x.given();
    a.a.y = y.given();
  }
  show(words);
  const std::vector<char> x_content = real ? x.content() : std::vector<char>();
  const tessera_status status = tessera_element_run(op, &a.a);
  const bool worked = status == TESSERA_OK, nothing = a.y.elements.empty() || a.a.sides == 0;
  if (worked && !a.possible) finding("elements that are not there were applied", words);
  if (worked && !real && !nothing) finding("an application to null pointers worked", words);
  if (!real) return;
  if (x.content() != x_content) finding("x was written", words);
  const std::vector<char> kept = worked ? y.with_entries(y_before.content()) : y_before.content();
  if (y.content() != kept) finding(worked ? "y was written beside its entries" : "y was written by what failed", words);
  if (worked && !nothing && y.entries_meet()) finding("entries of y share addresses", words);
  if (worked && m != nullptr && !nothing) check_result(a, *m, x, y, y_before, words, c);
}

// x and y in one block, y first and x `shift` entries behind: refused, or right.
void fuzz_in_place(const tessera_element_operator* op, const element_case& c, const matrices& m, bytes& from) {
  const std::int64_t elements = m.sizes.elements, shift = from.one_in(2) ? from.next() : 0;
  vector_memory both(matrix_shape(std::max(m.columns * elements + shift, m.rows * elements), 1, 1), c.in_float());
  if (!both.exists() || elements == 0) return;
  both.fill(1);
  std::vector<double> x;
  for (std::int64_t j = 0; j < m.columns * elements; ++j) x.push_back(both.get(shift + j, 0, 0));
  const std::vector<char> before = both.content();
  const void* const from_x = static_cast<const char*>(both.given()) + shift * (c.in_float() ? 4 : 8);
  const std::string words = fuzz::text_of(c) + "  x lies " + std::to_string(shift) + " entries behind y\n";
  show(words);
  if (tessera_element_apply(op, from_x, both.given(), 0, nullptr) != TESSERA_OK) {
    if (both.content() != before) finding("y was written by what failed", words);
    return;
  }
  for (std::int64_t e = 0; e < elements; ++e) {
    const double largest = largest_of(m, e);
    for (std::int64_t i = 0; i < m.rows; ++i) {
      double wanted = 0, size = 0;
      for (std::int64_t j = 0; j < m.columns; ++j) {
        const double value = x[std::size_t(j + m.columns * e)];
        wanted += m.at(i, j, e) * value;
        size += largest * std::abs(value);
      }
      const double got = both.get(i + m.rows * e, 0, 0);
      if (!is_close(got, wanted, size, c))
        finding("in place, entry " + std::to_string(i) + " of element " + std::to_string(e) + " is " +
                    std::to_string(got) + ", by the matrix " + std::to_string(wanted),
                words);
    }
  }
}

void check_triangle_and_diagonal(const tessera_element_operator* op, const element_case& c, const matrices& m) {
  const auto n = m.rows, elements = m.sizes.elements;
  vector_memory lower(matrix_shape(n * (n + 1) / 2, 1, elements), c.in_float()),
      diagonal(matrix_shape(n, 1, elements), c.in_float());
  if (!lower.exists() || !diagonal.exists() || m.rows != m.columns) return;
  lower.fill(1);
  diagonal.fill(1);
  const bool has_lower = tessera_element_assemble_lower(op, 0, elements, lower.given()) == TESSERA_OK;
  const bool has_diagonal = tessera_element_diagonal(op, diagonal.given()) == TESSERA_OK;
  for (std::int64_t e = 0; e < elements; ++e) {
    const double largest = largest_of(m, e);
    for (std::int64_t j = 0; j < n; ++j) {
      if (has_diagonal && !is_close(diagonal.get(j, 0, e), m.at(j, j, e), largest, c))
        finding("entry " + std::to_string(j) + " of a diagonal is " + std::to_string(diagonal.get(j, 0, e)) +
                    ", by the matrix " + std::to_string(m.at(j, j, e)),
                fuzz::text_of(c));
      for (std::int64_t i = j; i < n && has_lower; ++i)
        if (!is_close(lower.get(i + j * (2 * n - j - 1) / 2, 0, e), m.at(i, j, e), largest, c))
          finding("entry " + std::to_string(i) + ", " + std::to_string(j) + " of a triangle is " +
                      std::to_string(lower.get(i + j * (2 * n - j - 1) / 2, 0, e)) + ", by the matrix " +
                      std::to_string(m.at(i, j, e)),
                  fuzz::text_of(c));
    }
  }
}

// Ranges that are not there, without memory: the library has to say so before it looks for any.
void fuzz_ranges(tessera_element_operator* op, const element_case& c, bytes& from) {
  const auto n = tessera_element_sizes_of(op).elements;
  const std::int64_t first = from.absurd(), count = from.absurd();
  const bool none = count == 0 && first >= 0 && first <= n;
  for (const tessera_status status :
       {tessera_element_assemble(op, first, count, nullptr), tessera_element_assemble_lower(op, first, count, nullptr),
        tessera_element_set_data(op, first, count, nullptr)})
    if (status == TESSERA_OK && !none)
      finding("elements " + std::to_string(first) + " + " + std::to_string(count) + " of null pointers worked",
              fuzz::text_of(c));
}

// The same operator by numbers of D: the sizes are known now.
made_operator from_data(const element_case& c, const tessera_element_sizes& sizes, bytes& from) {
  const std::int64_t entries = sizes.points * sizes.factors;
  std::int64_t elements = 1 + from.below(9);
  vector_memory D(matrix_shape(entries, 1, elements), c.in_float());
  if (!D.exists()) return nullptr;
  D.fill(from.next());
  tessera_element_operator* made = nullptr;
  tessera_element_options options = c.options;
  if (options.matrix_free != 0) {
    if (tessera_element_create_from_data(&made, &options, elements, D.given()) == TESSERA_OK)
      finding("D was taken by a matrix-free operator", fuzz::text_of(c));
    options.matrix_free = 0;
  }
  const bool absurd = from.one_in(8);
  if (absurd) elements = from.absurd();
  const bool refused = absurd && (elements < 0 || wide(elements) * entries > INT64_MAX / 4);
  if (absurd && !refused && elements != 0) {  // of null pointers
    if (tessera_element_create_from_data(&made, &options, elements, nullptr) == TESSERA_OK)
      finding("D of a null pointer worked", fuzz::text_of(c));
    return nullptr;
  }
  const tessera_status status = tessera_element_create_from_data(&made, &options, elements, D.given());
  if (refused && status == TESSERA_OK) finding(std::to_string(elements) + " elements of D worked", fuzz::text_of(c));
  if (!absurd && c.ordinary && status != TESSERA_OK)
    finding(std::string("D was refused: ") + tessera_last_error(), fuzz::text_of(c));
  return made_operator(made);
}

// Around a linear function of the caller's own, whose context has to stay.
made_operator from_function(element_case& c, linear_function& own, std::int64_t points, bytes& from) {
  own.take(from, c.options.dim, c.in_float());
  c.options.components = own.f.components;
  c.ordinary = false;
  const std::int64_t elements = 1 + from.below(9);
  vector_memory D(matrix_shape(points * own.f.factors, 1, elements), c.in_float());
  if (!D.exists()) return nullptr;
  D.fill(from.next());
  tessera_element_operator* made = nullptr;
  tessera_element_create_from_function(&made, &c.options, &own.f, elements, D.given());
  return made_operator(made);
}

void use(tessera_element_operator* op, const element_case& c, bytes& from) {
  const std::optional<matrices> m = matrices_of(op, c);
  if (m) check_triangle_and_diagonal(op, c, *m);
  if (m && from.one_in(4)) fuzz_in_place(op, c, *m, from);
  for (int times = 1 + from.below(3); times > 0; --times) fuzz_application(op, c, m ? &*m : nullptr, from);
  if (from.one_in(4)) fuzz_ranges(op, c, from);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const memory_limit limit;
  bytes from(data, size);
  const std::unique_ptr<element_case> c = element_case_from(from);
  show(*c);
  auto* const nowhere = reinterpret_cast<tessera_element_operator*>(c.get());
  tessera_element_operator* given = nowhere;
  const tessera_status status = tessera_element_create(&given, &c->options, &c->nodes);
  if ((status == TESSERA_OK) != (given != nullptr) || given == nowhere)
    finding("the operator does not say what the status says", fuzz::text_of(*c));
  const made_operator made(given);
  if (status == TESSERA_OK && c->refused) finding("an operator over nothing was made", fuzz::text_of(*c));
  if (status != TESSERA_OK && c->ordinary)
    finding(std::string("it was refused: ") + tessera_last_error(), fuzz::text_of(*c));
  if (made == nullptr || c->nodes.elements > 64) return 0;
  use(made.get(), *c, from);
  const made_operator second = from_data(*c, tessera_element_sizes_of(made.get()), from);
  if (second != nullptr && tessera_element_sizes_of(second.get()).elements <= 64) use(second.get(), *c, from);
  if (!from.one_in(4)) return 0;
  linear_function own;
  const made_operator third = from_function(*c, own, tessera_element_sizes_of(made.get()).points, from);
  if (third != nullptr) use(third.get(), *c, from);
  return 0;
}
