"""Print results: terminal tables, Markdown, one HTML page."""
