// SPDX-License-Identifier: BSD-3-Clause
// Memory spaces: the tags `cpu` and `gpu`, usable as template arguments and as values.
#pragma once

namespace tessera {

enum class space_kind { cpu, gpu };

struct cpu_space {
  static constexpr space_kind kind = space_kind::cpu;
};
struct gpu_space {
  static constexpr space_kind kind = space_kind::gpu;
};

inline constexpr cpu_space cpu{};
inline constexpr gpu_space gpu{};

template <class T>
concept space_tag = requires {
  space_kind(T::kind);
};

constexpr const char* name_of(space_kind space) { return space == space_kind::cpu ? "cpu" : "gpu"; }

}  // namespace tessera
