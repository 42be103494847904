"""List the means of Tables 2-4 of Cai et al. 2022.

The base ``muse`` is none of these rows: mUSE in the paper is the large Transformer, ``muse`` the
convolutional model. ``LASER`` in the paper is LASER1. Rows with a number are the paper's systems, by variant
of the AMR encoder.

The seen means of MARC are computed from Table 8 (mBERT 39.56): those of Table 4 are over de, en, es, fr and
ja, which is not a seen language, instead of zh, which is (mBERT 38.66). For Xpara on QAM, Table 4 gives 56.25
and Table 9 58.66; Table 4 is used.
"""

from amrx.evaluation.results.published import Published, printed

SOURCE = "Cai et al. 2022"

# Tables 2 and 3: monolingual and cross-lingual mean
_STS = """
mBERT, mean pooling: 53.97 27.47; XLM-R, mean pooling: 42.42 17.59; mUSE: 83.22 81.11
LASER: 75.38 67.03; LaBSE: 76.45 73.62; Xpara: 84.30 83.17; mUSE++ #1: 85.05 82.49
mUSE++ #2: 85.53 82.76; mUSE++ #3: 85.23 83.05; mUSE++ #4: 85.30 83.09; mUSE++ #5: 85.52 83.33
Xpara++ #1: 85.28 83.40; Xpara++ #2: 85.88 83.73; Xpara++ #3: 85.42 83.92; Xpara++ #4: 85.45 84.00
Xpara++ #5: 85.66 84.25
"""
# Table 4: means over seen and over all languages; seen means of MARC from Table 8
_TASKS = ("mldoc", "xnli", "pawsx", "marc", "qam")
_TRANSFER = (
    ("mBERT, mean pooling", (80.17, 77.90), (47.23, 44.41), (57.30, 57.05), (39.56, 38.43), (55.25, 55.25)),
    ("XLM-R, mean pooling", (79.99, 77.86), (48.57, 46.83), (56.10, 56.06), (50.15, 50.03), (55.58, 55.58)),
    ("mUSE", (79.79, 77.20), (55.60, 48.63), (57.68, 57.34), (47.24, 46.37), (60.82, 60.82)),
    ("LASER", (77.42, 74.63), (60.36, 58.87), (73.89, 70.81), (49.16, 47.97), (58.28, 58.28)),
    ("LaBSE", (84.93, 82.29), (58.24, 56.65), (58.75, 58.31), (49.51, 48.85), (59.34, 59.34)),
    ("Xpara", (65.68, 62.42), (55.81, 53.33), (58.50, 58.06), (49.64, 48.79), (56.25, 56.25)),
    ("LASER++ #1", (81.67, 78.67), (63.48, 57.53), (73.64, 70.49), (49.67, 48.32), (59.16, 59.16)),
    ("LASER++ #2", (81.71, 78.71), (63.64, 57.33), (73.51, 70.36), (49.54, 48.18), (59.08, 59.08)),
    ("LASER++ #3", (81.91, 79.03), (63.65, 57.86), (73.68, 70.50), (49.83, 48.51), (59.37, 59.37)),
    ("LASER++ #4", (82.74, 79.74), (63.45, 57.66), (73.72, 70.52), (49.72, 48.27), (59.42, 59.42)),
    ("LASER++ #5", (82.65, 79.80), (63.88, 57.98), (73.79, 70.61), (49.76, 48.31), (59.41, 59.41)),
    ("LaBSE++ #1", (85.59, 82.86), (59.24, 53.06), (59.92, 59.13), (50.84, 50.07), (59.73, 59.73)),
    ("LaBSE++ #2", (85.68, 82.77), (59.66, 53.07), (59.44, 58.80), (50.59, 49.84), (59.85, 59.85)),
    ("LaBSE++ #3", (85.56, 82.82), (59.69, 53.54), (59.66, 58.95), (50.83, 50.08), (59.99, 59.99)),
    ("LaBSE++ #4", (85.89, 83.10), (59.44, 53.31), (59.68, 58.98), (50.89, 50.11), (60.21, 60.21)),
    ("LaBSE++ #5", (85.70, 83.02), (59.66, 53.55), (59.81, 59.07), (51.05, 50.21), (59.99, 59.99)),
)


def similarity_rows() -> tuple[Published, ...]:
    """Return the means over the tracks of STS17."""
    return printed(_STS, ("monolingual", "cross-lingual"), SOURCE)


def transfer_rows(task: str, metric: str) -> tuple[Published, ...]:
    """Return the accuracies of a transfer task, over the seen languages and over all."""
    index = _TASKS.index(task)
    rows = (f"{name}, fitted on train-en: {row[index][0]} {row[index][1]}" for name, *row in _TRANSFER)
    return printed("\n".join(rows), ("mean, seen", "mean, all"), SOURCE, metric)
