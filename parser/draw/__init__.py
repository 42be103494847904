"""Draw AMR graphs: SVG, HTML pages, the terminal."""
