// SPDX-License-Identifier: BSD-3-Clause
// The prerequisites of run-time compilation: NVRTC and an architecture.
#pragma once

namespace tessera::device {

/// Throws status::no_device without NVRTC, naming what to install.
void require_nvrtc();

/// `architecture`, or the current device's if it is 0.
int architecture_or_own(int architecture);

}  // namespace tessera::device
