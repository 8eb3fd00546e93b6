// SPDX-License-Identifier: BSD-3-Clause
// Which symmetric element matrices have a kernel of their own on a GPU, and which block it gets.
#pragma once

#include <optional>

#include <tessera/element/halved_room.hpp>
#include <tessera/element/pair_room.hpp>
#include <tessera/element/parity_room.hpp>
#include <tessera/element/product_room.hpp>
#include <tessera/element/strip_room.hpp>
#include <tessera/fits.hpp>

namespace tessera {

/// Why such a block cannot run, in words; empty where it can.
const char* why_unfit(const pair_room& room, const gpu_limits& limits = {});
const char* why_unfit(const halved_room& room, const gpu_limits& limits = {});
const char* why_unfit(const strip_room& room, const gpu_limits& limits = {});
const char* why_unfit(const parity_room& room, const gpu_limits& limits = {});
const char* why_unfit(const product_room& room, const gpu_limits& limits = {});

/// By rules; nothing where the kernel of columns is the better one, or none fits.
std::optional<pair_tuning> pair_tuning_of(const pair_sizes& s, const gpu_limits& limits = {});
std::optional<halved_tuning> halved_tuning_of(const halved_sizes& s, const gpu_limits& limits = {});
std::optional<strip_tuning> strip_tuning_of(const halved_sizes& s, const gpu_limits& limits = {});
std::optional<parity_tuning> parity_tuning_of(const parity_sizes& s, const gpu_limits& limits = {});
std::optional<product_tuning> product_tuning_of(const product_sizes& s, const gpu_limits& limits = {});

}  // namespace tessera
