// SPDX-License-Identifier: BSD-3-Clause
// The quality of a model: the correlation of its ranking with measurements, and the speed of its first choices.
#pragma once

#include <vector>

namespace tessera::tune {

/// Spearman's rank correlation, equal values having the mean of their ranks. 0 if one of the two does not vary or there
/// are fewer than two values; throws if the lengths differ.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

/// The fraction of the best speed that the model's first k choices reach: best time of all divided by the best time
/// among the k with the smallest prediction. Times that are not finite and positive were not measured: they never count
/// as best. 0 if none of the k was measured.
double top_share(const std::vector<double>& predicted, const std::vector<double>& measured, int k);

}  // namespace tessera::tune
