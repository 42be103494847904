"""Stage: AMR graph <-> tokens."""

import amrx  # noqa: F401  # first: raises if another package shadows a stage
from linearize.forms import linearize
from linearize.restore import Delinearized, delinearize
from linearize.tokens import join_tokens, split_tokens

__all__ = ["Delinearized", "delinearize", "join_tokens", "linearize", "split_tokens"]
