# SPDX-License-Identifier: BSD-3-Clause
# The Python that draws charts: preferably that of the distribution, which has the distribution's matplotlib.
find_program(TESSERA_PLOT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(TESSERA_PLOT_PYTHON python3)
mark_as_advanced(TESSERA_PLOT_PYTHON)
