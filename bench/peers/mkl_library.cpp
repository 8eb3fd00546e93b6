// SPDX-License-Identifier: BSD-3-Clause
// Finds Intel MKL.
#include "peers/mkl_library.hpp"

#include <link.h>

#include <cstdio>
#include <cstdlib>

namespace tessera::bench {

namespace {

const char* const library_names[] = {"libmkl_rt.so.2", "libmkl_rt.so.3", "libmkl_rt.so"};

// Of mkl_service.h.
constexpr int threading_sequential = 1, interface_lp64 = 0;

void add_folder(std::vector<std::string>& all, const std::string& folder) {
  for (const char* name : library_names) all.push_back(folder.empty() ? name : folder + "/" + name);
}

// Where pip puts the shared libraries of a wheel: for everybody, and for this user.
std::vector<std::string> folders_of_python() {
  std::vector<std::string> folders;
  std::FILE* const out =
      popen("python3 -c 'import site, sys; print(sys.prefix); print(site.getuserbase())' 2>/dev/null", "r");
  if (out == nullptr) return folders;
  for (char line[4096]; std::fgets(line, sizeof line, out) != nullptr;) {
    std::string folder(line);
    while (!folder.empty() && folder.back() == '\n') folder.pop_back();
    if (!folder.empty()) folders.push_back(folder + "/lib");
  }
  pclose(out);
  return folders;
}

// Reads the name of the library that has the kernels for this processor's instruction set.
int note_kernels(dl_phdr_info* info, std::size_t, void* found) {
  const std::string path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const std::string name = path.substr(path.find_last_of('/') + 1);
  for (const char* set : {"avx512", "avx2", "avx", "mc3", "mc", "def"})
    if (name.rfind(std::string("libmkl_") + set + ".so", 0) == 0) *static_cast<std::string*>(found) = name;
  return 0;
}

}  // namespace

std::vector<std::string> mkl_candidates() {
  std::vector<std::string> all;
  if (const char* folder = std::getenv(mkl_variable); folder != nullptr && *folder != 0) {
    add_folder(all, folder);
    return all;
  }
  add_folder(all, "");
  for (const std::string& folder : folders_of_python()) add_folder(all, folder);
  return all;
}

const shared_library& mkl_library() {
  static const shared_library library = [] {
    shared_library opened(mkl_candidates());
    // Only our own threads run. Both take effect before the first call of anything else.
    if (auto* set = opened.find<int(int)>("MKL_Set_Threading_Layer")) set(threading_sequential);
    if (auto* set = opened.find<int(int)>("MKL_Set_Interface_Layer")) set(interface_lp64);
    return opened;
  }();
  return library;
}

std::string why_no_mkl() {
  const char* const folder = std::getenv(mkl_variable);
  if (folder != nullptr && *folder != 0)
    return std::string(mkl_variable) + "=" + folder + " has no " + library_names[0] + " that can be loaded";
  return std::string("its shared library was not found; ") + mkl_variable + " may name its folder";
}

std::string mkl_version() {
  char text[256] = "";
  if (auto* write = mkl_library().find<void(char*, int)>("mkl_get_version_string")) write(text, sizeof text - 1);
  std::string version(text), kernels;
  while (!version.empty() && version.back() == ' ') version.pop_back();
  dl_iterate_phdr(note_kernels, &kernels);
  return version + (kernels.empty() ? "" : ", kernels of " + kernels);
}

}  // namespace tessera::bench
