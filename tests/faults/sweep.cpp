// SPDX-License-Identifier: BSD-3-Clause
// The loop over injected failures: in children, which report through memory that they share with the parent.
#include "sweep.hpp"

#include <omp.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <new>

#include <tessera/error.hpp>
#include <tessera/memory.hpp>

#include "child.hpp"
#include "injection.hpp"

namespace tessera::faults {

namespace {

constexpr std::byte pattern{0x3f};  // a finite number of any type

struct place {
  bool cold = false;
  bool own_allocator = false;  // of the program, which fails
  kind how = kind::once;
  long k = 0;
};

// Where a child is, what it found, and what a call without failures gives.
struct report {
  place at{};
  bool known = false;
  std::uint64_t result = 0, description = 0;
  long asked = 0, kept_objects = 0, kept_allocations = 0;
  long grown = 0;  // objects that a call keeps when it has something new to compile
  long points = 0, survived = 0, wrong = 0;
  std::size_t size = 0;
  char text[1 << 14];
};

std::string words_of(const place& at) {
  return std::string(at.cold ? "first call of the process, " : "") +
         (at.own_allocator ? "allocator of the program, " : "") + "allocation " + std::to_string(at.k) +
         (at.how == kind::once ? "" : " and all behind it");
}

[[gnu::format(printf, 2, 3)]] void complain(report& r, const char* format, ...) {
  ++r.wrong;
  char line[400];
  va_list rest;
  va_start(rest, format);
  std::vsnprintf(line, sizeof line, format, rest);
  va_end(rest);
  const int n = std::snprintf(r.text + r.size, sizeof r.text - r.size, "  %s: %s\n", words_of(r.at).c_str(), line);
  if (n > 0) r.size = std::min(r.size + std::size_t(n), sizeof r.text - 1);
}

enum class ended { well, as_expected, otherwise };
struct outcome {
  ended how = ended::well;
  counted of{};
  char text[300] = "";
  void note(ended as, const char* words) {
    of = disarm();
    how = as;
    std::snprintf(text, sizeof text, "%s", words);
  }
};

void fill(const scenario& s) {
  for (const std::span<std::byte>& output : s.outputs) std::fill(output.begin(), output.end(), pattern);
}

bool is_expected(status code, const failures& which) {
  if (code == status::out_of_memory) return true;
  return which.of_gpu && (code == status::launch_failure || code == status::no_device || code == status::internal);
}

outcome attempt(const scenario& s, said& words, long k, kind how, const failures& which) {
  outcome o;
  const auto as = [&](status code) { return is_expected(code, which) ? ended::as_expected : ended::otherwise; };
  fill(s);
  if (s.send) s.send();
  arm(k, how);
  try {
    s.call(words);
    o.note(ended::well, "");
  } catch (const error& e) {
    o.note(as(e.code()), e.what());
  } catch (const std::bad_alloc& e) {
    o.note(ended::as_expected, e.what());
  } catch (const c_failure& f) {
    const std::string_view why = tessera_last_error();  // no string: this allocates nothing
    const bool named = why.starts_with("tessera_") || why.find("no host memory left") == why.npos;
    o.note(named ? as(status(f.code)) : ended::otherwise, why.data());
  } catch (const std::exception& e) {
    o.note(ended::otherwise, e.what());
  } catch (...) {
    o.note(ended::otherwise, "an exception of no known type");
  }
  if (s.fetch) s.fetch();
  return o;
}

bool is_untouched(const scenario& s) {
  return std::all_of(s.outputs.begin(), s.outputs.end(), [](const std::span<std::byte>& output) {
    return std::all_of(output.begin(), output.end(), [](std::byte b) { return b == pattern; });
  });
}
std::uint64_t hash(std::uint64_t from, const void* memory, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(memory);
  for (std::size_t i = 0; i < bytes; ++i) from = (from ^ at[i]) * 0x100000001b3u;
  return from;
}
constexpr std::uint64_t start_of_hash = 0xcbf29ce484222325u;
std::uint64_t result_of(const scenario& s) {
  std::uint64_t all = start_of_hash;
  for (const std::span<std::byte>& output : s.outputs) all = hash(all, output.data(), output.size());
  return all;
}

std::uint64_t description_of(const said& words) {
  return hash(start_of_hash, words.text().data(), words.text().size());
}

void complain_of_result(report& r, const char* what, const said& words) {
  complain(r, "%s: %.*s", what, int(std::min<std::size_t>(250, words.text().size())), words.text().data());
}

// Without failures it has to give what it gave before. Returns its allocations.
long check_well(report& r, const scenario& s, const failures& which, const char* when) {
  said words;
  const outcome o = attempt(s, words, 0, kind::once, which);
  if (o.how != ended::well) {
    complain(r, "%s, without failures, it fails: %s", when, o.text);
  } else if (!r.known) {
    r.known = true;
    r.result = result_of(s);
    r.description = description_of(words);
  } else if (result_of(s) != r.result || description_of(words) != r.description) {
    complain_of_result(r, "without failures it gives another result", words);
  }
  return o.of.asked;
}

// True where an allocation failed.
bool check_point(report& r, const scenario& s, const failures& which) {
  said words;
  const outcome o = attempt(s, words, r.at.k, r.at.how, which);
  if (o.of.refused == 0) return false;
  ++r.points;
  if (o.how == ended::well) {
    ++r.survived;
    if (result_of(s) != r.result || (!which.of_gpu && description_of(words) != r.description))
      complain_of_result(r, "it succeeds with another result", words);
  } else {
    if (o.how == ended::otherwise) complain(r, "not as what failed: %s", o.text);
    if (o.of.writes == 0 && !is_untouched(s)) complain(r, "it wrote before it failed: %s", o.text);
  }
  return true;
}

void check_kept(report& r, const char* when) {
  const long objects = live_objects() - r.kept_objects, memory = long(live_allocations()) - r.kept_allocations;
  // In a first call caches are filled, or not.
  const bool is_right = r.at.cold ? objects <= 0 && memory <= 0 : objects >= 0 && objects <= r.grown && memory == 0;
  if (!is_right) complain(r, "%s, %ld objects and %ld pieces of memory more than before", when, objects, memory);
}
void note_kept(report& r) {
  r.kept_objects = live_objects();
  r.kept_allocations = long(live_allocations());
}

void prepare(const report& r, int threads) {
  omp_set_num_threads(threads);
  if (r.at.own_allocator) set_allocator(failing_allocator());
  live_allocations();  // its counter is made when it is first asked
  // The text of the last error keeps its memory.
  tessera_plan* none = nullptr;
  const std::string long_text(4000, 'x');
  tessera_plan_create(&none, long_text.c_str(), 1, 0, nullptr, 0, nullptr, 1);
}

struct task {
  const named_scenario& of;
  int threads;
  const failures& which;
};

void go_warm(report& r, const task& t) {
  prepare(r, t.threads);
  const scenario s = t.of.make(t.threads);
  const long start = r.at.k;
  r.at.k = 0;
  for (int i = 0; i < 3; ++i) check_well(r, s, t.which, "before");
  note_kept(r);
  r.grown = 0;
  if (s.renew) {
    s.renew();
    check_well(r, s, t.which, "when renewed");
    r.grown = live_objects() - r.kept_objects;
  }
  for (r.at.k = start;; r.at.k += t.which.stride) {
    if (s.renew) {
      note_kept(r);
      s.renew();
    }
    if (!check_point(r, s, t.which)) return;
    check_kept(r, "after the failure");
    check_well(r, s, t.which, "afterwards");
    check_kept(r, "afterwards");
  }
}

void go_cold(report& r, const task& t) {
  prepare(r, t.threads);
  const scenario s = t.of.make(t.threads);
  if (r.at.k == 0) {
    r.asked = check_well(r, s, t.which, "at first");
    check_well(r, s, t.which, "afterwards");
    note_kept(r);
    return;
  }
  check_point(r, s, t.which);
  check_well(r, s, t.which, "afterwards");
  check_kept(r, "afterwards");
}

void add_death(tally& all, const place& at, const std::string& how) {
  ++all.ended;
  all.text += "  " + words_of(at) + ": the process " + how + "\n";
}

void sweep_warm(tally& all, shared<report>& r, const task& t, const place& at) {
  constexpr int most_deaths = 20;
  r->at = at;
  r->at.k = 1;
  for (int deaths = 0; deaths < most_deaths; ++deaths) {
    const std::string how = run_in_child([&] { go_warm(*r, t); });
    if (how.empty()) return;
    add_death(all, r->at, how);
    if (r->at.k == 0) return;
    r->at.k += t.which.stride;
  }
}

void sweep_cold(tally& all, shared<report>& r, const task& t, const place& at) {
  r->at = at;
  const std::string how = run_in_child([&] { go_cold(*r, t); });
  if (!how.empty()) return add_death(all, r->at, how);
  constexpr long few = 30;  // of which none is left out
  const long stride = t.which.stride == 1 && r->asked <= few ? 1 : t.which.cold_stride;
  for (long k = 1; k <= r->asked; k += stride) {
    r->at = at;
    r->at.k = k;
    const std::string ended = run_in_child([&] { go_cold(*r, t); });
    if (!ended.empty()) add_death(all, r->at, ended);
  }
}

}  // namespace

tally& tally::operator+=(const tally& other) {
  points += other.points;
  survived += other.survived;
  ended += other.ended;
  wrong += other.wrong;
  text += other.text;
  return *this;
}

tally sweep(const named_scenario& of, int threads, const failures& which) {
  tally all;
  shared<report> r;
  const task t{of, threads, which};
  for (const bool own : {false, true})
    for (const kind how : {kind::once, kind::from_there_on}) {
      // Where the program's allocator is at hand all behind fail with it. What a GPU has is not from there.
      if (which.of_gpu ? !own : own || how == kind::once) sweep_warm(all, r, t, {.own_allocator = own, .how = how});
      if (which.cold_stride > 0 && own != which.of_gpu)
        sweep_cold(all, r, t, {.cold = true, .own_allocator = own, .how = how});
    }
  all.points += r->points + all.ended;
  all.survived += r->survived;
  all.wrong += r->wrong;
  all.text += r->text;
  if (all.ended + all.wrong > 0) all.text = of.name + ":\n" + all.text;
  return all;
}

}  // namespace tessera::faults
