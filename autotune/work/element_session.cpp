// SPDX-License-Identifier: BSD-3-Clause
// Serves requests about one case after the other.
#include "work/element_session.hpp"

#include <tessera/error.hpp>

#include "space/as_config.hpp"
#include "work/worker.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

element_run run_in(const json& tuning) {
  config how;
  for (std::size_t i = 0; i < tuning.size() && i < std::size_t(max_axes); ++i) how.value[i] = tuning[i];
  return as_tuning<element_run>(how);
}

}  // namespace

json element_session::answer(const json& request) {
  const std::string what = request.at("do");
  if (what == "element case") {
    ground_ = element_ground_for(case_of(request));
    return {{"how", "ok"}};
  }
  if (!ground_) throw error("no case was named", status::internal);
  if (what == "element allocate") return {{"how", "ok"}, {"elements", ground_->allocate()}};
  const element_run how = run_in(request.at("tuning"));
  if (what == "element time") {
    const timed t = ground_->sample(how, request.at("least"));
    if (!ground_->is_intact())
      return {{"how", "wrong"}, {"reason", "wrote outside of the operands while it was timed"}};
    return {{"how", "ok"}, {"seconds", t.seconds}, {"disturbed", t.disturbed}};
  }
  if (what != "element check") throw error("unknown request " + what, status::internal);
  const std::string fault = ground_->fault_of(how);
  return {{"how", fault.empty() ? "ok" : "wrong"}, {"reason", fault}};
}

}  // namespace tessera::tune
