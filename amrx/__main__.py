"""``python -m amrx`` is the ``amrx`` command."""

from __future__ import annotations

import sys

from amrx.cli import main

sys.exit(main())
