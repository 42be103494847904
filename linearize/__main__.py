"""``python -m linearize`` is ``amrx linearize``."""

import sys

from amrx.cli import main_stage

if __name__ == "__main__":
    sys.exit(main_stage("linearize"))
