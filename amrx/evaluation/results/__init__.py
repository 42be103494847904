"""Hold results as plain data: rows, items, intervals, published numbers, and their files."""
