"""``python -m retrofit ARGS`` is ``amrx retrofit ARGS``."""

import sys

from amrx.cli import main_stage

sys.exit(main_stage("retrofit"))
