// SPDX-License-Identifier: BSD-3-Clause
// Groups candidates, searches the cache, compiles the rest and finds the ones that do not compile.
#include "work/cpu_compiler.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include <tessera/detail/cpu_isas.hpp>
#include <tessera/error.hpp>

#include "work/child_process.hpp"
#include "work/content_hash.hpp"

namespace tessera::tune {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The first error of a compiler, or the last line of its output.
std::string first_error(const finished& run, double seconds) {
  if (run.timed_out) return "the compiler took more than " + std::to_string(int(seconds)) + " s";
  std::istringstream lines(run.output);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("error:");
    if (at != std::string::npos) return line.substr(at);
    if (!line.empty()) last = line;
  }
  return last.empty() ? "the compiler failed without a message" : last;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void require_space(const finished& run, const std::filesystem::path& folder) {
  for (const std::string_view words : {"No space left on device", "Disk quota exceeded"})
    if (run.output.find(words) != std::string::npos)
      throw error("cannot compile candidates: " + std::string(words) + " in " + folder.string() +
                  " or the compiler's folder for temporary files; free some space or name other folders "
                  "(TESSERA_CACHE, TMPDIR)");
}

}  // namespace

cpu_compiler::cpu_compiler(compiler_settings settings, definition define)
    : settings_(std::move(settings)), define_(std::move(define)), cache_(settings_.cache) {
  const finished asked = run({{settings_.cxx, "--version"}, 30});
  if (!asked.ok())
    throw error("no C++ compiler: '" + settings_.cxx + " --version' failed (" + first_line(asked.output) +
                "); install g++ or clang++, or name one in TESSERA_TUNE_CXX");
  version_text_ = asked.output;
  version_ = first_line(asked.output);
  const std::string header = "tessera/cpu/detail/specialised.hpp";
  const auto has_it = [&](const std::string& d) { return content_of(d + "/" + header).has_value(); };
  if (std::ranges::none_of(settings_.directories, has_it))
    throw error("the kernels' headers are missing: no <" + header + "> in " + joined(settings_.directories) +
                "; name the directories of Tessera's headers and xsimd's in TESSERA_TUNE_INCLUDE, with ':' between");
}

std::string cpu_compiler::flags_text(target on) const {
  return joined(settings_.flags) + " " + joined(settings_.flags_for(on));
}

std::string cpu_compiler::identity_of(const candidate& c) const {
  return std::string(name_of(c.of.on)) + " " + name_of(c.of.type) + " " + define_(c, "f");
}

cpu_compiler::group cpu_compiler::make_group(target on, scalar_type type, std::vector<candidate> members) const {
  group g{on, type, std::move(members), {}, {}};
  g.source = source_of(on, type, g.members, define_);
  std::uint64_t hash = hash_of(g.source, headers_);
  for (const std::string& text : {settings_.cxx, version_text_, flags_text(on)}) hash = hash_of(text + "\n", hash);
  g.key = std::string(name_of(on)) + "-" + name_of(type) + "-" + hexadecimal(hash);
  return g;
}

// Candidates without a result, by target and type, in groups of equal size.
std::vector<cpu_compiler::group> cpu_compiler::groups_of(const std::vector<candidate>& all) const {
  std::map<std::pair<target, scalar_type>, std::vector<candidate>> unknown;
  std::map<std::string, bool> taken;
  for (const candidate& c : all) {
    const std::string identity = identity_of(c);
    if (known_.contains(identity) || std::exchange(taken[identity], true)) continue;
    unknown[{c.of.on, c.of.type}].push_back(c);
  }
  std::vector<group> groups;
  for (const auto& [kind, members] : unknown) {
    const std::size_t count = std::max<std::size_t>(1, members.size() / std::size_t(std::max(1, settings_.group)));
    for (std::size_t i = 0; i < count; ++i) {
      const auto start = members.begin() + std::ptrdiff_t(members.size() * i / count);
      const auto end = members.begin() + std::ptrdiff_t(members.size() * (i + 1) / count);
      groups.push_back(make_group(kind.first, kind.second, {start, end}));
    }
  }
  return groups;
}

std::vector<std::string> cpu_compiler::words_for(const group& g, const std::string& source,
                                                 const std::string& object) const {
  std::vector<std::string> words{settings_.cxx};
  words.insert(words.end(), settings_.flags.begin(), settings_.flags.end());
  const std::vector<std::string>& isa = settings_.flags_for(g.on);
  words.insert(words.end(), isa.begin(), isa.end());
  for (const std::string& directory : settings_.directories) words.push_back("-I" + directory);
  words.insert(words.end(), {source, "-o", object});
  return words;
}

void cpu_compiler::note(const group& g, const std::string& object) {
  for (std::size_t i = 0; i < g.members.size(); ++i)
    known_[identity_of(g.members[i])] = {outcome::ok, "", object, int(i)};
}

// A failure may not be due to a candidate: check whether the headers alone compile.
void cpu_compiler::require_that_headers_compile(const group& like) {
  if (std::exchange(headers_compile_, true)) return;
  const group empty = make_group(like.on, like.type, {});
  const std::string source = cache_.temporary(".cpp"), object = cache_.temporary(".so");
  cache_.write(source, empty.source);
  std::vector<std::string> words = words_for(empty, source, object);
  words.push_back("-fsyntax-only");
  const finished tried = run({words, settings_.seconds});
  unlink(source.c_str());
  unlink(object.c_str());
  if (!tried.ok())
    throw error("the compiler " + settings_.cxx + " cannot compile the kernels' headers with the flags " +
                flags_text(like.on) + ": " + first_error(tried, settings_.seconds) +
                "; name another one in TESSERA_TUNE_CXX");
}

// Returns the groups to try next: halves of those that failed.
std::vector<cpu_compiler::group> cpu_compiler::compile_all(const std::vector<group>& groups) {
  std::vector<command> commands;
  std::vector<std::string> objects, sources;
  for (const group& g : groups) {
    sources.push_back(cache_.temporary(".cpp"));
    objects.push_back(cache_.temporary(".so"));
    cache_.write(sources.back(), g.source);
    commands.push_back({words_for(g, sources.back(), objects.back()), settings_.seconds});
  }
  compilations_ += int(groups.size());
  const std::vector<finished> runs = run_all(commands, settings_.jobs);
  for (const std::string& source : sources) unlink(source.c_str());
  std::vector<group> halves;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const group& g = groups[i];
    if (runs[i].ok()) {
      note(g, cache_.keep(g.key, objects[i]));
      continue;
    }
    unlink(objects[i].c_str());
    require_space(runs[i], cache_.folder());
    require_that_headers_compile(g);
    if (g.members.size() == 1) {
      known_[identity_of(g.members[0])] = {outcome::not_compiled, first_error(runs[i], settings_.seconds), "", 0};
      continue;
    }
    const auto middle = g.members.begin() + std::ptrdiff_t(g.members.size() / 2);
    halves.push_back(make_group(g.on, g.type, {g.members.begin(), middle}));
    halves.push_back(make_group(g.on, g.type, {middle, g.members.end()}));
  }
  return halves;
}

std::vector<compiled> cpu_compiler::compile(const std::vector<candidate>& all) {
  // Read again for each call: headers may be edited while a tuner runs, and an entry must match their contents.
  std::vector<std::string> headers{"tessera/cpu/detail/specialised.hpp", "tessera/cpu/detail/gemm_rows.hpp",
                                   "xsimd/config/xsimd_config.hpp"};
  for (const detail::cpu_isa_numbers& each : detail::cpu_isas)
    headers.push_back("tessera/cpu/detail/isa_" + std::string(name_of(each.isa)) + ".hpp");
  headers_ = hash_of_headers(headers, settings_.directories);
  std::vector<group> waiting = groups_of(all);
  while (!waiting.empty()) {
    std::vector<group> missing;
    for (group& g : waiting) {
      if (const auto object = cache_.find(g.key))
        note(g, *object);
      else
        missing.push_back(std::move(g));
    }
    waiting = compile_all(missing);
  }
  std::vector<compiled> answers;
  for (const candidate& c : all) answers.push_back(known_.at(identity_of(c)));
  return answers;
}

}  // namespace tessera::tune
