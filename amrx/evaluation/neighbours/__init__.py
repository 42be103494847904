"""Find nearest neighbours by cosine: in memory, by faiss, in a pool larger than memory."""
