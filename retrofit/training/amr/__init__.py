"""Train the AMR encoder (Cai et al. 2022, section 4.1, Algorithm 1, Eq. 1)."""
