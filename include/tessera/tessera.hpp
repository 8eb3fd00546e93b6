// SPDX-License-Identifier: BSD-3-Clause
// All of Tessera's types, and plans. contract<> is in <tessera/cpu/contract.hpp> and <tessera/gpu/contract.cuh>.
#pragma once

#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/compiled_targets.hpp>
#include <tessera/contraction.hpp>
#include <tessera/copy.hpp>
#include <tessera/error.hpp>
#include <tessera/executor.hpp>
#include <tessera/fused.hpp>
#include <tessera/group.hpp>
#include <tessera/indexed.hpp>
#include <tessera/network.hpp>
#include <tessera/numa.hpp>
#include <tessera/overlay.hpp>
#include <tessera/plan.hpp>
#include <tessera/product.hpp>
#include <tessera/regime.hpp>
#include <tessera/reshape.hpp>
#include <tessera/stream.hpp>
#include <tessera/target.hpp>
#include <tessera/tensor.hpp>
#include <tessera/view.hpp>
