// SPDX-License-Identifier: BSD-3-Clause
// Compares the two builds family by family, then renews the files.
#include "restamp/restamp.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>
#include <tessera/tuning_records.hpp>

#include "restamp/build_folder.hpp"
#include "restamp/compared_code.hpp"
#include "restamp/recorded_code.hpp"
#include "store/file_lock.hpp"
#include "store/safe_file.hpp"
#include "work/build_facts.hpp"

namespace tessera::tune {

namespace {

namespace fs = std::filesystem;

// As cmake/kernel_hashes.cmake names it.
std::string family_of(const tuning_record& r, target on) {
  switch (r.family) {
    case record_family::gemm: return on == target::cuda ? "gpu" : "cpu";
    case record_family::element: return on == target::cuda ? "element" : "element_run";
    case record_family::matrix: return "matrix";
    case record_family::general: break;
  }
  return "general";
}

tuning_records records_in(const std::string& path, const std::string& text) {
  try {
    return read_tuning_records(text);
  } catch (const error& wrong) {
    throw error("records " + path + ": " + wrong.what());
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Of --records: files, and those of folders.
std::vector<std::string> files_of(const std::vector<std::string>& named) {
  std::vector<std::string> files;
  for (const std::string& name : named) {
    if (!fs::is_directory(name)) {
      files.push_back(name);
      continue;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(name))
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw error("--records: there are no record files (*.json) there");
  return files;
}

class restamping {
 public:
  explicit restamping(const restamp_request& o)
      : o_(o), former_(open_build(o.former)), latter_(open_build(o.latter.empty() ? build::folder : o.latter)) {
    if (const std::vector<std::string> all = different_settings(former_, latter_); !all.empty()) {
      std::string text = o.former + " and " + latter_.path + " are configured differently; configure both alike:";
      for (const std::string& one : all) text += "\n  " + one;
      throw error(text);
    }
  }

  int run() {
    const std::vector<std::string> files = files_of(o_.files);
    for (const std::string& path : files) note(path);
    for (const char* family : kernel_families) compare(family);
    bool all = true;
    for (const std::string& path : files) {
      const renewal r = renew_records(path, verdicts_, !o_.dry_run);
      all = all && r.kept == 0;
      std::printf("%s: %d of %d records %s", path.c_str(), r.renewed, r.all, o_.dry_run ? "can be renewed" : "renewed");
      if (r.kept > 0) std::printf("; %d stay stale: %s", r.kept, r.why_kept.c_str());
      if (r.older > 0) std::printf("; %d were stale before", r.older);
      std::printf("\n");
    }
    return all ? 0 : 1;
  }

 private:
  // Which files have records of the former kernels, by family and target.
  void note(const std::string& path) {
    const tuning_records f = records_in(path, whole_file("records", path));
    for (const tuning_record& r : f.records) {
      const std::string family = family_of(r, f.on);
      if (!former_.hashes.at(family).empty() && f.hash_of(r) == former_.hashes.at(family))
        files_[family][name_of(f.on)].insert(path);
    }
  }

  void compare(const std::string& family) {
    family_verdict& v = verdicts_[family];
    v.former = former_.hashes.at(family);
    v.latter = latter_.hashes.at(family);
    if (v.former == v.latter) {
      std::printf("%s: its sources are the same\n", family.c_str());
      return;
    }
    if (files_[family].empty()) std::printf("%s: no record is of the former kernels\n", family.c_str());
    for (const auto& [target, files] : files_[family]) {
      const std::size_t before = v.differences.size();
      std::string text;
      try {
        text = target == name_of(target::cuda) ? compare_gpu(v, family, files) : compare_cpu(v, family, target);
      } catch (const error& wrong) {
        std::printf("%s, %s: not compared: %s\n", family.c_str(), target.c_str(), wrong.what());
        continue;
      }
      const bool same = v.differences.size() == before;
      if (same) v.same.insert(target);
      std::printf("%s, %s: %s: %s\n", family.c_str(), target.c_str(),
                  same ? "the same machine code" : "other machine code", text.c_str());
      for (std::size_t i = before; i < v.differences.size(); ++i) std::printf("  %s\n", v.differences[i].c_str());
    }
    std::fflush(stdout);
  }

  std::string compare_cpu(family_verdict& v, const std::string& family, const std::string& target) const {
    if (!latter_.is_optimised())
      throw error("the builds are for debugging; configure both with CMAKE_BUILD_TYPE=Release");
    if (!o_.some_rows && !latter_.has_all_rows())
      throw error(
          "the builds do not have all kernels; configure both with TESSERA_ROWS=full and both types, or let "
          "some stand for all with --some-rows");
    const code_comparison c =
        compared_code(kernel_objects(former_, family, target), kernel_objects(latter_, family, target));
    v.differences.insert(v.differences.end(), c.differences.begin(), c.differences.end());
    std::string text = std::to_string(c.functions) + " functions and " + std::to_string(c.data) +
                       " sections of data in " + std::to_string(c.objects) + " objects";
    if (c.renamed > 0) text += "; " + std::to_string(c.renamed) + " symbols of other objects have other names";
    return text;
  }

  std::string compare_gpu(family_verdict& v, const std::string& family, const std::set<std::string>& files) const {
    if (family == "general") throw error("tiles of general contractions are measured again instead");
    std::size_t kernels = 0;
    const tuner_of_build before{former_.tuner(), v.former}, now{latter_.tuner(), v.latter};
    for (const std::string& path : files) {
      const tuner_comparison c = compared_tuners(before, now, path);
      kernels += c.kernels;
      v.differences.insert(v.differences.end(), c.differences.begin(), c.differences.end());
    }
    if (kernels == 0) throw error("there are no kernels to compare");
    return std::to_string(kernels) + " kernels that records name, compiled by NVRTC";
  }

  const restamp_request& o_;
  build_folder former_, latter_;
  std::map<std::string, std::map<std::string, std::set<std::string>>> files_;
  std::map<std::string, family_verdict> verdicts_;
};

}  // namespace

std::string family_verdict::why_not(const std::string& target) const {
  if (!differences.empty()) return "the machine code of their family differs";
  return same.contains(target) ? "" : "their kernels were not compared";
}

renewal renew_records(const std::string& path, const std::map<std::string, family_verdict>& verdicts, bool write) {
  std::optional<file_lock> mine;
  if (write) {
    lock_wait how;
    how.say = [](const std::string& said) { std::fprintf(stderr, "tessera-tune: %s\n", said.c_str()); };
    mine.emplace(followed(path), how);
    remove_leftovers(path);
  }
  std::string text = whole_file("records", path);
  const tuning_records f = records_in(path, text);
  renewal result{.all = int(f.records.size())};
  std::set<std::string> renewed;
  for (const tuning_record& r : f.records) {
    const std::string family = family_of(r, f.on);
    const family_verdict& v = verdicts.at(family);
    if (f.hash_of(r) != v.former && f.hash_of(r) != v.latter) ++result.older;
    if (f.hash_of(r) != v.former || v.former == v.latter) continue;
    const std::string why_not = v.why_not(name_of(f.on));
    (why_not.empty() ? result.renewed : result.kept)++;
    if (why_not.empty())
      renewed.insert(family);
    else
      result.why_kept = why_not;
  }
  for (const std::string& family : renewed)
    text = replaced(text, "\"" + verdicts.at(family).former + "\"", "\"" + verdicts.at(family).latter + "\"");
  if (write && !renewed.empty()) replace_file(path, text);
  return result;
}

int run_restamp(const restamp_request& o) { return restamping(o).run(); }

}  // namespace tessera::tune
