"""Present results: terminal tables, Markdown, CSV, LaTeX, one HTML page."""
