// SPDX-License-Identifier: BSD-3-Clause
// What compiling while the program runs needs: NVRTC, and an architecture.
#pragma once

namespace tessera::device {

/// Throws status::no_device where there is no NVRTC, naming what to install.
void require_nvrtc();

/// `architecture`, or the current device's where it is 0.
int architecture_or_own(int architecture);

}  // namespace tessera::device
