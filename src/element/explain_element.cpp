// SPDX-License-Identifier: BSD-3-Clause
// The look-up of an element operator's tuning, step by step: written once for the tunings of CPUs and of GPUs.
#include <tessera/element/explain_element.hpp>

#include <span>

#include <tessera/detail/element/element_axes.hpp>
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/tuning_text.hpp>
#include <tessera/device_facts.hpp>

#include "../records/records_overlay.hpp"
#include "record_source.hpp"
#include "record_tuning.hpp"

namespace tessera {

namespace {

using detail::text_of;
using detail::tuning_of;

// What is looked for, and from which device.
struct question {
  element_kernel_facts f;
  target on;
  memory_regime in;
  std::string device;
  int compute_capability;

  gpu_limits limits() const { return compute_capability == 0 ? gpu_limits{} : gpu_limits_of(compute_capability); }
};

std::string sizes_text(const element_kernel_facts& f) {
  std::string text = "d = " + std::to_string(f.trial) + ", q = " + std::to_string(f.points);
  if (f.test != f.trial) text += ", t = " + std::to_string(f.test);
  return text;
}

std::string facts_text(const element_kernel_facts& f) {
  std::string text = std::to_string(f.dim) + "-D, " + sizes_text(f) + ", " + point_shape_text(f.of_trial) + " -> " +
                     point_shape_text(f.of_test) + ", " + (f.entry_bytes == 8 ? "f64" : "f32");
  if (f.nodal) text += ", nodes are the points";
  if (f.repeats > 1) text += ", " + std::to_string(f.repeats) + " times per element";
  return text;
}

// CPU and GPU: what a record means for these facts (of a GPU: detail::tuning_of), whether it is for this target, and
// why it is not taken; empty where it may be.
const element_run& tuning_of(const tuned_element_run& r, const element_kernel_facts&) { return r.run; }
bool is_for(const tuned_element_run& r, const question& q) { return r.on == q.on && r.in == q.in; }
bool is_for(const tuned_element&, const question&) { return true; }
std::string why_not(const tuned_element_run& r, const question& q) {
  const bool here = q.device == record_origins[std::size_t(r.origin)].device;
  return here ? why_unfit(r.run, q.in) : "a CPU takes records of its own model only";
}
std::string why_not(const tuned_element& r, const question& q) { return why_unfit(q.f, tuning_of(r, q.f), q.limits()); }

std::string line_of(const element_run& r) { return text_of(r); }
// With the other axes by their names in record files, where they are not at their initial values.
std::string line_of(const element_tuning& t) {
  std::string text = text_of(t);
  for (const element_axis& a : element_axes)
    if (std::string_view(a.name) != "elements" && std::string_view(a.name) != "threads" && a.get(t) != a.initial)
      text += std::string(", ") + a.name + " " + std::to_string(a.get(t));
  return text;
}

template <class Record>
std::string source_text(const Record& r, const question& q) {
  const record_source source = detail::source_of(record_origins[std::size_t(r.origin)], q.device, q.compute_capability);
  return detail::words_of(r, source).text();
}

// The record of the same operator whose sizes are nearest to those wanted; null where there is none.
template <class Record>
const Record* nearest_of(std::span<const Record> all, const question& q) {
  const Record* best = nullptr;
  int least = 0;
  for (const Record& r : all) {
    element_kernel_facts f = q.f;
    f.trial = r.of.trial, f.points = r.of.points, f.test = r.of.test;
    if (!is_for(r, q) || !is_of(r.of, f)) continue;
    const int d = f.trial - q.f.trial, p = f.points - q.f.points, t = f.test - q.f.test;
    const int distance = d * d + p * p + t * t;
    if (best == nullptr || distance < least) best = &r, least = distance;
  }
  return best;
}

// One line for each record of these facts, with a mark in front of the one that is taken; else the nearest one.
template <class Record>
std::string lines_of(std::span<const Record> all, const question& q, const Record* taken) {
  std::string text;
  for (const Record& r : all) {
    if (!is_for(r, q) || !is_of(r.of, q.f)) continue;
    const std::string why = why_not(r, q);
    text += (&r == taken ? "  * " : "    ") + line_of(tuning_of(r, q.f)) + ": " + source_text(r, q) +
            (why.empty() ? "" : "; not taken: " + why) + "\n";
  }
  if (!text.empty()) return text;
  text = "    no record of this operator and these sizes\n";
  if (const Record* r = nearest_of(all, q))
    text += "    nearest, " + sizes_text(r->of) + ", " + line_of(tuning_of(*r, r->of)) + ": " + source_text(*r, q) +
            "; not taken: element operators take records of their own sizes only\n";
  return text;
}

template <class Record>
std::string given_text(const detail::overlay* over, const std::vector<Record>* given, const question& q) {
  if (over == nullptr) return "no file";
  for (const Record& r : *given)
    if (is_for(r, q) && is_of(r.of, q.f)) return over->path + " has " + line_of(tuning_of(r, q.f));
  return over->path + " has no record of this operator";
}

template <class Record, class Tuning>
std::string steps_of(const question& q, const detail::overlay* over, const std::vector<Record>* given,
                     std::span<const Record> all, const Tuning& by_rule, const Tuning& taken, const tuning_source& from,
                     const Record* record) {
  return "  device: " + q.device + "\n  given at run time: " + given_text(over, given, q) +
         "\n  built in (* taken):\n" + lines_of(all, q, record) + "  default: " + line_of(by_rule) +
         "\n  takes: " + line_of(taken) + "\n  because: " + from.text() + "\n";
}

}  // namespace

std::string explain(const element_kernel_facts& f, target on, memory_regime in, const std::string& device,
                    int compute_capability) {
  const question q{f, on, in, device, compute_capability};
  const std::shared_ptr<const detail::overlay> over = detail::current_overlay();
  const bool cached = on != target::cuda && in == memory_regime::cache;
  const std::string head = "element operator " + facts_text(f) + " on " + name_of(on) + ", operands " +
                           (cached ? "in cache" : "from memory") + "\n";
  if (on == target::cuda) {
    const element_choice c = choose_element_tuning(f, q.limits(), device, compute_capability);
    return head + steps_of(q, over.get(), over ? &over->elements : nullptr, element_records(),
                           ruled_element_tuning(f, q.limits()), c.tuning, c.from, c.record);
  }
  const element_run_choice c = choose_element_run(f, on, in, device);
  return head + steps_of(q, over.get(), over ? &over->runs : nullptr, element_run_records(),
                         ruled_element_run(f, on, in), c.run, c.from, c.record);
}

std::string explain(const element_kernel_facts& f, target on, memory_regime in) {
  return explain(f, on, in, device_name(on), compute_capability(on));
}

}  // namespace tessera
