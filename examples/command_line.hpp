// SPDX-License-Identifier: BSD-3-Clause
// Command lines of the example programs: exit statuses, and files that cannot be written.
#pragma once

#include <CLI/CLI.hpp>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

namespace tessera::examples {

/// What the program exits with, 0 after --help and 2 after a mistake, or nothing if it goes on.
inline std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return {};
}

/// Throws where a file cannot be written, before there is work to lose. An empty name is no file.
inline void check_writable(const std::string& file) {
  if (!file.empty() && !std::ofstream(file, std::ios::app)) throw std::runtime_error("cannot write '" + file + "'");
}

}  // namespace tessera::examples
