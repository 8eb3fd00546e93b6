// SPDX-License-Identifier: BSD-3-Clause
// A job for each kernel that is not there yet; what it makes is kept with the other loaded kernels.
#include "kernel_jobs.hpp"

#include <algorithm>
#include <utility>

namespace tessera::detail {

namespace {

// What another attempt would end with, too.
bool is_final(status failure) {
  return failure == status::ok || failure == status::internal || failure == status::no_target ||
         failure == status::overflow;
}

}  // namespace

struct kernel_jobs::result {
  std::shared_ptr<const void> kernel;  // null: it failed
  status failure = status::ok;
  std::string why_not;
};

struct kernel_jobs::job {
  job(device::kept_code& kept, const std::string& key, const maker& make)
      : work([this, &kept, key, make](compile_job::done_by who) {
          const auto made = [&]() -> device::kept_code::made {
            try {
              device::kept_code::made fresh = make(who);
              return {std::make_shared<const result>(result{std::move(fresh.value), status::ok, ""}), fresh.bytes};
            } catch (const error& e) {
              if (!is_final(e.code())) throw;
              const std::string why = e.what();  // kept as long as there is room for it
              return {std::make_shared<const result>(result{nullptr, e.code(), why}), key.size() + why.size()};
            }
          };
          ended_with = std::static_pointer_cast<const result>(kept.get(key, made));
          if (ended_with->kernel == nullptr) throw error(ended_with->why_not, ended_with->failure);
        }) {}

  compile_job work;
  std::shared_ptr<const result> ended_with;
};

// The kernel's pointer counts as one to the result, which kept_code does not destroy while anybody holds it.
kernel_attempt kernel_jobs::attempt_of(const std::shared_ptr<const result>& made) {
  if (made->kernel == nullptr) return {nullptr, nullptr, made->why_not};
  return {std::shared_ptr<const void>(made, made->kernel.get()), nullptr, ""};
}

std::shared_ptr<kernel_jobs::job> kernel_jobs::job_of(const std::string& key, const maker& make) {
  const std::lock_guard lock(guard_);
  std::erase_if(jobs_, [](const auto& one) { return one.second.expired(); });
  std::weak_ptr<job>& at = jobs_[key];
  std::shared_ptr<job> mine = at.lock();
  if (mine == nullptr || (mine->work.has_ended() && !is_final(mine->work.failure()))) {
    mine = std::make_shared<job>(kept_, key, make);
    at = mine;
  }
  return mine;
}

kernel_attempt kernel_jobs::get(const std::string& key, const maker& make, bool wait) {
  if (const auto made = std::static_pointer_cast<const result>(kept_.find(key))) return attempt_of(made);
  const std::shared_ptr<job> mine = job_of(key, make);
  const std::shared_ptr<compile_job> work(mine, &mine->work);
  if (wait) {
    work->finish();
  } else if (!work->has_ended()) {
    if (std::string problem = to_thread_(work); !problem.empty()) return {nullptr, nullptr, std::move(problem)};
    if (!work->ends_within(grace)) return {nullptr, work, ""};
  }
  if (mine->ended_with == nullptr) return {nullptr, nullptr, work->failure_text()};
  return attempt_of(mine->ended_with);
}

std::size_t kernel_jobs::jobs() const {
  const std::lock_guard lock(guard_);
  return std::size_t(std::count_if(jobs_.begin(), jobs_.end(), [](const auto& one) { return !one.second.expired(); }));
}

kernel_jobs& process_kernel_jobs() {
  static auto& all = *new kernel_jobs(device::loaded_kernels());
  return all;
}

}  // namespace tessera::detail
