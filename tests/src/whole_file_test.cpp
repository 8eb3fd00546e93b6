// SPDX-License-Identifier: BSD-3-Clause
// Whole files: what is no regular file is named, and nothing waits for it.
#include <tessera/detail/whole_file.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/scratch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

void refuses(const std::string& path, std::initializer_list<std::string_view> words) {
  check_failure(status::invalid_argument, words, [&] { whole_file("the test's file", path); });
  check_failure(status::invalid_argument, {"the test's file", path.c_str()},
                [&] { whole_file("the test's file", path); });
}

}  // namespace

TEST_CASE("a file is read as a whole, with every byte", "[files]") {
  const scratch_folder folder;
  for (const std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(65536), std::size_t(300001)}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += char(i * 7);
    std::ofstream(folder / "file", std::ios::binary) << text;
    CHECK(whole_file("a file", folder / "file") == text);
  }
  std::filesystem::create_symlink("file", folder / "link");
  CHECK(whole_file("a file", folder / "link").size() == 300001);
  CHECK(why_no_regular_file(folder / "link").empty());
  CHECK(why_no_regular_file(folder / "absent").empty());
  // Of no size before they are read.
  if (std::filesystem::exists("/proc/self/status"))
    CHECK(whole_file("a file", "/proc/self/status").find("Name:") != std::string::npos);
}

TEST_CASE("what is no regular file is refused by what it is, and nobody waits for it", "[files]") {
  const scratch_folder folder;
  refuses(folder / "absent", {"No such file"});
  refuses(folder.path().string(), {"it is a folder, not a regular file"});
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  refuses(folder / "fifo", {"it is a FIFO"});
  std::filesystem::create_symlink("fifo", folder / "link");
  refuses(folder / "link", {"it is a FIFO"});
  refuses("/dev/null", {"it is a device"});
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder / "socket";
  REQUIRE(name.size() < sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  refuses(name, {"it is a socket"});
  ::close(socket);
  check_failure(status::invalid_argument, {"NUL"}, [&] { whole_file("a file", folder / std::string("a\0b", 3)); });
}

TEST_CASE("a file that is too large is refused before it is read", "[files]") {
  const scratch_folder folder;
  std::ofstream(folder / "huge") << "x";
  std::filesystem::resize_file(folder / "huge", largest_whole_file + 1);  // a hole: it takes no space
  refuses(folder / "huge", {std::to_string(largest_whole_file + 1), "256 MiB"});
}

TEST_CASE("a file that may not be read says so", "[files]") {
  if (::geteuid() == 0) return skip("root may read any file");
  const scratch_folder folder;
  std::ofstream(folder / "secret") << "x";
  std::filesystem::permissions(folder / "secret", std::filesystem::perms::none);
  refuses(folder / "secret", {"Permission denied"});
}
