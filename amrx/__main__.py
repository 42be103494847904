"""``python -m amrx`` is the ``amrx`` command."""

import sys

from amrx.cli import main

sys.exit(main())
