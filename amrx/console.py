"""Write tables and trees to standard output with rich."""

from rich.console import Console as RichConsole


class Console(RichConsole):
    """Console that passes the error of a closed pipe on; rich's own exits with status 1."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, for which `amrx.cli` has an exit status."""
        raise BrokenPipeError
