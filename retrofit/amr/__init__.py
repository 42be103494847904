"""The AMR encoder: linearized graphs -> vectors (Cai et al. 2022, section 4.1, Algorithm 1, Eq. 1)."""
