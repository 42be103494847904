"""``python -m parser ARGS`` is ``amrx parse ARGS``."""

import sys

from amrx.cli import main_stage

sys.exit(main_stage("parse"))
