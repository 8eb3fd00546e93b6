// SPDX-License-Identifier: BSD-3-Clause
// Opens shared objects, checks and times their functions, and sends the results.
#include "work/worker.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/error.hpp>

#include "general/general_session.hpp"
#include "measure/machine.hpp"
#include "work/candidate_source.hpp"
#include "work/element_session.hpp"
#include "work/gpu_session.hpp"
#include "work/kernel_check.hpp"
#include "work/kernel_timing.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

using any_function = void (*)();

json failed(const std::string& reason) { return {{"how", "failed"}, {"reason", reason}}; }

// A shared object of candidates; it stays open until the process ends.
class candidate_object {
 public:
  explicit candidate_object(const std::string& path)
      : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw error(std::string("cannot open the candidates: ") + dlerror());
    const any_function* all = find<const any_function>(candidates_symbol);
    functions_.assign(all, all + *find<const int>(count_symbol));
    problem_bytes_ = *find<const int>(problem_bytes_symbol);
  }

  /// Offsets from the load address of the object: the addresses in its disassembly.
  std::vector<std::uintptr_t> offsets() const {
    std::vector<std::uintptr_t> all;
    for (const any_function f : functions_) {
      Dl_info info{};
      dladdr(reinterpret_cast<const void*>(f), &info);
      all.push_back(reinterpret_cast<std::uintptr_t>(f) - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
    }
    return all;
  }

  template <class T>
  kernel<T> function(int index) const {
    if (problem_bytes_ != int(sizeof(problem<T>)))
      throw error(path_ +
                  " was compiled from other headers than this program; name this version's in "
                  "TESSERA_TUNE_INCLUDE");
    return reinterpret_cast<kernel<T>>(functions_.at(std::size_t(index)));
  }

 private:
  template <class Symbol>
  Symbol* find(const char* name) const {
    void* found = dlsym(handle_, name);
    if (found == nullptr) throw error(path_ + " has no symbol " + name);
    return static_cast<Symbol*>(found);
  }

  std::string path_;
  void* handle_;
  std::vector<any_function> functions_;
  int problem_bytes_ = 0;
};

// The current case; its memory for timing exists after the request "allocate".
class ground {
 public:
  virtual ~ground() = default;
  virtual std::string fault_in(const candidate_object& from, int index) = 0;
  virtual index_t allocate() = 0;
  virtual json time(const candidate_object& from, int index, double least) = 0;
};

template <class T>
class ground_of final : public ground {
 public:
  explicit ground_of(const tuning_case& c) : case_(c) {}

  std::string fault_in(const candidate_object& from, int index) override {
    return fault_of<T>(from.function<T>(index), case_);
  }
  index_t allocate() override {
    if (!memory_) memory_.emplace(case_);
    return memory_->batch();
  }
  json time(const candidate_object& from, int index, double least) override {
    allocate();
    const timed t = memory_->sample(from.function<T>(index), least);
    if (!memory_->is_intact())
      return {{"how", "wrong"}, {"reason", "wrote outside of the operands while it was timed"}};
    return {{"how", "ok"}, {"seconds", t.seconds}, {"disturbed", t.disturbed}};
  }

 private:
  tuning_case case_;
  std::optional<timing_ground<T>> memory_;
};

class session {
 public:
  json answer(const json& request) {
    const std::string what = request.at("do");
    if (what == "case") {
      const tuning_case c = case_of(request);
      ground_.reset();
      if (c.type == scalar_type::f64)
        ground_ = std::make_unique<ground_of<double>>(c);
      else
        ground_ = std::make_unique<ground_of<float>>(c);
      return {{"how", "ok"}};
    }
    if (what == "open") {
      const candidate_object& o = object(request);
      return {{"how", "ok"}, {"offsets", o.offsets()}};
    }
    if (what.starts_with("gpu ")) return gpu_.answer(request);
    if (what.starts_with("general ")) return general_.answer(request);
    if (what.starts_with("element ")) return elements_.answer(request);
    if (what == "clock") return {{"how", "ok"}, {"mhz", bench::measured_clock_mhz()}};
    if (!ground_) return failed("no case was named");
    if (what == "allocate") return {{"how", "ok"}, {"batch", ground_->allocate()}};
    if (what == "time") return ground_->time(object(request), request.at("index"), request.at("least"));
    if (what != "check") return failed("unknown request " + what);
    const std::string fault = ground_->fault_in(object(request), request.at("index"));
    return {{"how", fault.empty() ? "ok" : "wrong"}, {"reason", fault}};
  }

 private:
  const candidate_object& object(const json& request) {
    const std::string path = request.at("object");
    return objects_.try_emplace(path, path).first->second;
  }

  std::map<std::string, candidate_object> objects_;
  std::unique_ptr<ground> ground_;
  gpu_session gpu_;
  element_session elements_;
  general_session general_;
};

json answer_to(session& s, const std::string& line) {
  try {
    return s.answer(json::parse(line));
  } catch (const std::exception& e) {
    return failed(e.what());
  }
}

bool write_line(int out, const std::string& text) {
  const std::string line = text + "\n";
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = write(out, line.data() + done, line.size() - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += std::size_t(count);
  }
  return true;
}

}  // namespace

json json_of(const tuning_case& c) {
  json j{{"target", name_of(c.on)},
         {"type", name_of(c.type)},
         {"regime", name_of(c.in)},
         {"m", c.m},
         {"n", c.n},
         {"k", c.k},
         {"form", form_text(c.layouts)}};
  if (c.element)
    j["element"] = {
        {"operator", int(c.element->kind)}, {"dim", c.element->dim},        {"p", c.element->p}, {"q", c.element->q},
        {"nodal", c.element->nodal},        {"repeats", c.element->repeats}};
  if (c.is_of_matrices()) j["element"]["matrices"] = int(*c.element->matrices);
  return j;
}

tuning_case case_of(const json& j) {
  tuning_case c;
  c.on = target_from_name(j.at("target").get<std::string>());
  c.type = j.at("type") == name_of(scalar_type::f64) ? scalar_type::f64 : scalar_type::f32;
  c.in = j.at("regime") == name_of(memory_regime::cache) ? memory_regime::cache : memory_regime::stream;
  c.m = j.at("m");
  c.n = j.at("n");
  c.k = j.at("k");
  c.layouts = layouts_from(j.at("form").get<std::string>()).value();
  if (j.contains("element")) {
    const json& e = j["element"];
    c.element = {.kind = operator_kind(e.at("operator").get<int>()),
                 .dim = e.at("dim"),
                 .p = e.at("p"),
                 .q = e.at("q"),
                 .nodal = e.at("nodal"),
                 .repeats = e.at("repeats")};
    if (e.contains("matrices")) c.element->matrices = matrix_storage(e["matrices"].get<int>());
  }
  return c;
}

void serve(int in, int out) {
  session s;
  std::string waiting;
  char part[4096];
  for (;;) {
    const ssize_t count = read(in, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    waiting.append(part, std::size_t(count));
    for (std::size_t end; (end = waiting.find('\n')) != std::string::npos; waiting.erase(0, end + 1))
      if (!write_line(out, answer_to(s, waiting.substr(0, end)).dump())) return;
  }
}

}  // namespace tessera::tune
