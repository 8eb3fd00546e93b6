// SPDX-License-Identifier: BSD-3-Clause
// Reads, merges and writes records of general contractions.
#include "general/general_store.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

#include "general/general_json.hpp"
#include "record.hpp"
#include "store/record_text.hpp"

namespace tessera::tune {

namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

ordered_json record_json(const tuning_record& r) {
  ordered_json j{{"family", name_of(record_family::general)}, {"kind", r.kind}};
  if (!r.contraction.empty()) j["contraction"] = r.contraction;
  j.update(form_json(r.form));
  j["tile"] = tile_json(r.tile, r.form);
  // Values that the reader would refuse are omitted.
  for (const record_figure& f : record_figures)
    if (const double value = r.measured.*f.value; value != 0 && why_no_figure(f, value).empty())
      j[std::string(f.name)] = value;
  j.update({{"tie", r.measured.tie},
            {"tried", r.measured.tried},
            {"candidates", r.measured.candidates},
            {"strategy", r.measured.strategy},
            {"date", r.measured.date}});
  if (!r.source_hash.empty()) j["source_hash"] = r.source_hash;
  return j;
}

bool is_of_same(const tuning_record& a, const tuning_record& b) {
  return a.kind == b.kind && general_form_text(a.form) == general_form_text(b.form);
}

}  // namespace

std::string general_file_name(const std::string& device) {
  record_file f;
  f.family = name_of(record_family::general);
  f.device = device;
  f.target = name_of(target::cuda);
  return file_name_for(f);
}

tuning_record general_record_of(const general_result& r) {
  tuning_record made;
  made.family = record_family::general;
  made.kind = general_kind_text(r.of.kind);
  made.contraction = contraction_text(r.of);
  made.form = r.of.form;
  made.tile = r.tiles.at(std::size_t(r.found.winner)).tile;
  record_measurement& m = made.measured;
  m.seconds = r.found.median;
  m.mad = r.found.mad;
  m.initial_seconds = r.tiles.front().seconds;
  m.fraction = r.fraction();
  m.runner_up_seconds = r.found.runner_up >= 0 ? r.found.runner_up_median : 0;
  m.clock_mhz = std::round(r.seen.clock_mhz);
  m.watts = std::round(r.seen.watts);
  m.tie = r.found.tie;
  m.tried = int(r.found.all.size());
  m.candidates = int(r.tiles.size());
  m.strategy = r.is_random ? "random" : "model";
  m.date = now_text();
  return made;
}

std::string general_records_text(const tuning_records& f) {
  std::vector<ordered_json> records;
  for (const tuning_record& r : f.records) records.push_back(record_json(r));
  return record_text(head_json(f, name_of(f.on)), records);
}

tuning_records read_general_records(const std::string& path, const std::string& device) {
  const std::string text = whole_file("records", path);
  try {
    tuning_records f = read_tuning_records(text);
    if (f.device != device || f.on != target::cuda)
      throw error("it is of " + f.device + ", " + name_of(f.on) + ", not of " + device + ", cuda");
    for (const tuning_record& r : f.records)
      if (r.family != record_family::general)
        throw error(std::string("it has records of family ") + name_of(r.family) +
                    ", not of general contractions only");
    return f;
  } catch (const error& wrong) {
    throw error("records " + path + ": " + wrong.what());
  }
}

std::size_t add_general_records(const std::string& path, const tuning_records& newer,
                                const std::function<void(const std::string&)>& say) {
  tuning_records all = newer;
  change_under_lock(path, say, [&] {
    if (std::filesystem::exists(path)) {
      const tuning_records older = read_general_records(path, newer.device);
      std::vector<tuning_record> kept;
      for (tuning_record r : older.records) {
        if (std::any_of(newer.records.begin(), newer.records.end(), [&](const auto& n) { return is_of_same(n, r); }))
          continue;
        r.source_hash = hash_beside(std::string(older.hash_of(r)), newer.source_hash);
        kept.push_back(std::move(r));
      }
      all.records.insert(all.records.begin(), kept.begin(), kept.end());
    }
    // A fixed order, so that a file changes only where a record did.
    std::sort(all.records.begin(), all.records.end(), [](const tuning_record& a, const tuning_record& b) {
      return std::pair(a.kind, general_form_text(a.form)) < std::pair(b.kind, general_form_text(b.form));
    });
    return general_records_text(all);
  });
  return all.records.size();
}

}  // namespace tessera::tune
