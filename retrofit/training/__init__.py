"""Train AMR encoders, students and base encoders."""
