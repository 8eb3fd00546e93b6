// SPDX-License-Identifier: BSD-3-Clause
// How good a model is: whether it ranks as measurement does, and how far its first choices reach.
#pragma once

#include <vector>

namespace tessera::tune {

/// Spearman's rank correlation, equal values sharing the mean of their ranks. 0 where one of the two does not vary or
/// there are fewer than two values; throws where the lengths differ.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

/// The share of the best speed that the model's first k choices reach: best time of all over best time among the k
/// with the smallest prediction. Times that are not finite and positive were not measured: they never count as best.
/// 0 where none of the k was measured.
double top_share(const std::vector<double>& predicted, const std::vector<double>& measured, int k);

}  // namespace tessera::tune
