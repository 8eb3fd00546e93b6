// SPDX-License-Identifier: BSD-3-Clause
// Reads the wanted number of threads from the environment.
#include "threads.hpp"

#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tessera::ceed {

namespace {

int threads_of_environment() {
  const char* text = std::getenv("TESSERA_CEED_THREADS");
  if (text == nullptr || *text == '\0') return 1;
  if (std::string(text) == "all") return omp_get_max_threads();
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*end == '\0' && number >= 1 && number <= 4096) return int(number);
  std::fprintf(stderr, "tessera_ceed: TESSERA_CEED_THREADS=%s is neither a number from 1 to 4096 nor all; 1 is taken\n",
               text);
  return 1;
}

}  // namespace

int wanted_threads() {
  static const int threads = threads_of_environment();
  return threads;
}

thread_limit::thread_limit(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
thread_limit::~thread_limit() { omp_set_num_threads(before_); }

}  // namespace tessera::ceed
