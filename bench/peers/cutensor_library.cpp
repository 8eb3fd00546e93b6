// SPDX-License-Identifier: BSD-3-Clause
// Finds and opens cuTENSOR.
#include "peers/cutensor_library.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <tessera/error.hpp>

namespace tessera::bench::cutensor {

namespace {

constexpr const char* file_name = "libcutensor.so.2";

// Where pip puts the shared libraries of NVIDIA's wheels: cutensor/lib in a folder of packages.
std::vector<std::string> files_of_python() {
  std::vector<std::string> files;
  std::FILE* const out = popen(
      "python3 -c 'import site, sysconfig; print(sysconfig.get_paths()[\"platlib\"]); "
      "print(site.getusersitepackages())'"
      " 2>/dev/null",
      "r");
  if (out == nullptr) return files;
  for (char line[4096]; std::fgets(line, sizeof line, out) != nullptr;) {
    std::string folder(line);
    while (!folder.empty() && folder.back() == '\n') folder.pop_back();
    if (!folder.empty()) files.push_back(folder + "/cutensor/lib/" + file_name);
  }
  pclose(out);
  return files;
}

const char* from_environment() {
  const char* const given = std::getenv(variable);
  return given != nullptr && *given != 0 ? given : nullptr;
}

std::string why_not_open(const std::string& failure) {
  if (from_environment() != nullptr) return std::string(variable) + ": " + failure;  // which begins with the file
  return std::string(file_name) + " was not found; " + variable + " may name its file or folder";
}

std::string number_text(std::size_t number) {
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
}

}  // namespace

std::vector<std::string> candidates() {
  if (const char* const given = from_environment()) {
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(given, ignored);
    return {is_folder ? std::string(given) + "/" + file_name : std::string(given)};
  }
  std::vector<std::string> all{file_name};
  for (std::string& file : files_of_python()) all.push_back(std::move(file));
  return all;
}

library::library(const std::vector<std::string>& names) : file_(names) {
  if (!file_.is_open()) {
    version_ = why_not_open(file_.failure());
    return;
  }
  std::string missing;
  const auto find = [&]<class F>(F*& function, const char* name) {
    function = file_.find<F>(name);
    if (function == nullptr && missing.empty()) missing = name;
  };
  find(calls_.version, "cutensorGetVersion");
  if (calls_.version != nullptr && (calls_.version() < 20000 || calls_.version() >= 30000)) {
    version_ = "cuTENSOR " + number_text(calls_.version()) + " is not a version 2";
    return;
  }
  find(calls_.text_of, "cutensorGetErrorString");
  find(calls_.create, "cutensorCreate");
  find(calls_.create_tensor, "cutensorCreateTensorDescriptor");
  find(calls_.destroy_tensor, "cutensorDestroyTensorDescriptor");
  find(calls_.create_contraction, "cutensorCreateContraction");
  find(calls_.destroy_operation, "cutensorDestroyOperationDescriptor");
  find(calls_.get_of_operation, "cutensorOperationDescriptorGetAttribute");
  find(calls_.create_preference, "cutensorCreatePlanPreference");
  find(calls_.destroy_preference, "cutensorDestroyPlanPreference");
  find(calls_.set_of_preference, "cutensorPlanPreferenceSetAttribute");
  find(calls_.estimate_workspace, "cutensorEstimateWorkspaceSize");
  find(calls_.create_plan, "cutensorCreatePlan");
  find(calls_.destroy_plan, "cutensorDestroyPlan");
  find(calls_.get_of_plan, "cutensorPlanGetAttribute");
  find(calls_.contract, "cutensorContract");
  if (!missing.empty()) {
    version_ = "the library has no function " + missing;
    return;
  }
  version_ = "cuTENSOR " + number_text(calls_.version());
  if (const status s = calls_.create(&context_); s != success) {
    context_ = nullptr;
    version_ += ": cutensorCreate: " + std::string(calls_.text_of(s));
  }
}

const compute_descriptor* library::precision(const std::string& name) const {
  // The library exports a variable, which has the pointer.
  const auto* const holder = file_.find<const compute_descriptor* const>(("CUTENSOR_COMPUTE_DESC_" + name).c_str());
  return holder == nullptr ? nullptr : *holder;
}

void library::require(status s, const char* function) const {
  if (s != success) throw error(std::string("cuTENSOR: ") + function + ": " + calls_.text_of(s));
}

}  // namespace tessera::bench::cutensor
