// SPDX-License-Identifier: BSD-3-Clause
// tessera-tune-worker: runs candidates for tessera-tune, which starts it; see work/worker.hpp.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "work/worker.hpp"

int main() {
  if (isatty(STDIN_FILENO)) {
    std::fputs("tessera-tune-worker is started by tessera-tune; run that instead\n", stderr);
    return 2;
  }
  // A candidate may loop forever or crash: it must neither outlive the tuner nor write core files.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // Sanitizers and preloaded libraries catch these signals; the tuner needs the signal itself.
  for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) signal(each, SIG_DFL);
  tessera::tune::serve(STDIN_FILENO, STDOUT_FILENO);
}
