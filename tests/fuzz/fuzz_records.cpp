// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the readers of record files, recordings and journals: text in, tessera::error or sense out.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <tessera/tessera.h>
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/general_records.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/overlay.hpp>

#include "allocation.hpp"
#include "bytes.hpp"
#include "finding.hpp"
#include "general/general_store.hpp"
#include "record.hpp"
#include "records/json_reader.hpp"
#include "records/records_overlay.hpp"
#include "search/journal_lines.hpp"
#include "search/recording.hpp"

namespace {

using namespace tessera;
using fuzz::finding;

// A folder of this process alone, which goes with it.
struct scratch_folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tessera_fuzz_records_" + std::to_string(getpid()));
  scratch_folder() { std::filesystem::create_directories(path); }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

std::string written(const std::string& text) {
  static const scratch_folder folder;
  const std::string path = (folder.path / "input").string();
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string text_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Seeds name the kernels of this build so, and do not grow old: $avx2, $cuda, $element. $nest and $back are brackets,
// too many for a reader that calls itself.
std::string spelt_out(std::string text) {
  const std::pair<std::string, std::string> words[] = {{"$sse2", std::string(kernel_source_hash(target::sse2))},
                                                       {"$avx2", std::string(kernel_source_hash(target::avx2))},
                                                       {"$cuda", std::string(kernel_source_hash(target::cuda))},
                                                       {"$element", std::string(element_source_hash(target::avx2))},
                                                       {"$general", std::string(detail::general_source_hash())},
                                                       {"$nest", std::string(5000, '[')},
                                                       {"$back", std::string(5000, ']')}};
  for (const auto& [name, meaning] : words)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + meaning.size()))
      text.replace(at, name.size(), meaning);
  return text;
}

// The result of body(), or nothing where it threws what readers may throw; `what` must name `path` then.
template <class Body>
auto read_or_refused(const std::string& path, const std::string& text, Body body) -> std::optional<decltype(body())> {
  try {
    return body();
  } catch (const error& refused) {
    if (std::string(refused.what()).find(path) == std::string::npos)
      finding(std::string("an error that does not name the file: ") + refused.what(), text);
    return std::nullopt;
  }
}

// A square product of the record's size by plans that look into the record: small integers, so that sums are exact.
template <class T>
void multiply(const detail::overlay_record& r, const std::string& text) {
  const std::int64_t m = r.m, n = r.n, k = r.k;
  std::vector<T> a(std::size_t(m * k)), b(std::size_t(k * n)), c(std::size_t(m * n), T(7));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(i % 5) - 2;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(i % 7) - 3;
  const tessera_type type = sizeof(T) == 8 ? TESSERA_F64 : TESSERA_F32;
  const std::int64_t of_a[] = {m, k}, of_b[] = {k, n}, of_c[] = {m, n};
  const tessera_operand operands[] = {tessera_packed(type, TESSERA_CPU, a.data(), 2, of_a, -1),
                                      tessera_packed(type, TESSERA_CPU, b.data(), 2, of_b, -1),
                                      tessera_packed(type, TESSERA_CPU, c.data(), 2, of_c, -1)};
  tessera_plan* plan = nullptr;
  if (tessera_plan_create(&plan, "ik,kj->ij", 1, 0, operands, 3, name_of(r.on), 1) != TESSERA_OK ||
      tessera_plan_run(plan, operands, 3, nullptr) != TESSERA_OK)
    finding(std::string("a plan by a record failed: ") + tessera_last_error(), text);
  tessera_plan_destroy(plan);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < m; ++i) {
      T sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += a[std::size_t(i + m * l)] * b[std::size_t(l + k * j)];
      if (c[std::size_t(i + m * j)] != sum) finding("a product by a record is wrong", text);
    }
}

void use(const detail::overlay& read, const std::string& path, const std::string& text) {
  overlay_records(path);
  int left = 4;
  for (const detail::overlay_record& r : read.records) {
    if (r.on == target::cuda || tessera_target_available(name_of(r.on)) == 0) continue;
    if (r.m * r.n * r.k > 1 << 14 || left-- == 0) continue;
    if (r.type == scalar_type::f64)
      multiply<double>(r, text);
    else
      multiply<float>(r, text);
  }
  overlay_records("");
}

// What the tuner reads it writes back, and reads again as the same.
void check_round_trip(const tune::record_file& read, const std::string& path, const std::string& text) {
  tune::write_records(read, path);
  const std::string once = text_in(path);
  try {
    tune::write_records(tune::read_records(path), path);
  } catch (const error& refused) {
    finding(std::string("what was read and written is refused: ") + refused.what(), text);
  }
  if (text_in(path) != once) finding("what was read and written is read as something else", text + "\n" + once);
}

// Every record of a general contraction is what that contraction takes, and is written as it was read.
void use_generals(const detail::overlay& read, const std::string& path, const std::string& text) {
  const std::string kind = text_of(detail::general_kind{});
  for (const detail::tuned_general& r : read.generals) {
    if (r.kind != kind) continue;
    const auto taken = choose_general(read.generals, r.form, {}, r.device, detail::rates_of_h200, 1);
    if (!taken || taken->distance != 0 || !why_no_tile(taken->tile, r.form).empty())
      finding("a record of a general contraction is not taken", text);
  }
  if (read.generals.empty()) return;
  const auto records = read_or_refused(path, text, [&] { return tune::read_general_records(path, read.device); });
  if (!records) return;
  const std::string once = tune::general_records_text(*records);
  if (tune::general_records_text(read_tuning_records(once)) != once)
    finding("records of general contractions are read as something else", text + "\n" + once);
}

void fuzz_record_file(const std::string& text) {
  const std::string path = written(text);
  const auto overlay = read_or_refused(path, text, [&] { return detail::read_overlay(path); });
  if (overlay) use(*overlay, path, text);
  if (overlay) use_generals(*overlay, path, text);
  const auto records = read_or_refused(path, text, [&] { return tune::read_records(path); });
  if (records) check_round_trip(*records, path, text);
}

void fuzz_recording(const std::string& text) {
  const std::string path = written(text);
  const auto read = read_or_refused(path, text, [&] { return tune::read_recording(path); });
  if (!read) return;
  for (const tune::recorded_space& s : read->spaces) tune::problem_of(s);
  tune::write_recording(*read, path);
  const std::string once = text_in(path);
  tune::write_recording(tune::read_recording(path), path);
  if (text_in(path) != once) finding("a recording is read as something else", text);
}

const tune::journal_header& header() {
  static const tune::journal_header known{"a device", "a hash", {{"compiler", "some"}}};
  return known;
}

void fuzz_journal_line(const std::string& text) {
  tune::difference_of(text, header());
  const auto entry = tune::entry_of(text);
  if (!entry || entry->what.how != tune::outcome::ok) return;
  if (!(entry->what.seconds > 0 && std::isfinite(entry->what.seconds))) finding("a sample without a time", text);
}

// The lines behind the first one stand under a header that fits.
void fuzz_journal(const std::string& text) {
  const std::string whole = tune::line_of(header()) + "\n" + text, path = written(whole);
  long samples = 0, lines = 0;
  {
    const tune::journal j(path, header());
    samples = j.samples();
    lines = j.samples() + j.skipped_lines();
    if (!j.set_aside().empty()) finding("a journal of this header was set aside", text);
  }
  const tune::journal again(path, header());
  if (again.samples() != samples || again.samples() + again.skipped_lines() != lines)
    finding("a journal that was opened reads otherwise", text);
}

void fuzz_json(const std::string& text) {
  try {
    const detail::json_value read = detail::parse_json(text);
    if (read.is != detail::json_value::kind::object && !read.names.empty()) finding("names without an object", text);
  } catch (const error&) {
  }
}

}  // namespace

// The first letter says what the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::memory_limit limit;
  fuzz::bytes from(data, size);
  const std::uint8_t what = from.next();
  const std::string text = spelt_out(from.rest());
  fuzz::show(text);
  switch (what) {
    case 'g': fuzz_recording(text); break;
    case 'l': fuzz_journal_line(text); break;
    case 'n': fuzz_journal(text); break;
    case 'j': fuzz_json(text); break;
    default: fuzz_record_file(text); break;
  }
  return 0;
}
