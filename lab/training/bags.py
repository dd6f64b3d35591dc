"""Bags of tokens: which tokens a text has and how much each counts."""

import numpy as np
from scipy.sparse import csr_matrix

#: As in codetool/src/model/text-embedder.ts.
SATURATION = 1.5


def gather(stream, starts, ends, length_max=None):
    """The tokens of many ranges, one after the other, with the row that each belongs to."""
    lengths = ends - starts
    if length_max is not None:
        lengths = np.minimum(lengths, length_max)
    lengths = np.maximum(lengths, 0)
    rows = np.repeat(np.arange(len(starts)), lengths)
    offsets = np.cumsum(lengths) - lengths
    at = np.arange(lengths.sum()) - offsets[rows] + starts[rows]
    return rows, stream[at]


def saturate(counts):
    """How much a token counts that occurs so often: the second time adds less than the first."""
    return counts * (SATURATION + 1) / (counts + SATURATION)


def bag_matrix(rows, tokens, row_count, vocabulary_size, extra=None):
    """A sparse matrix of saturated counts; `extra` is (rows, tokens, weight), added after."""
    known = tokens >= 0
    key = rows[known] * np.int64(vocabulary_size) + tokens[known]
    key, counts = np.unique(key, return_counts=True)
    values = saturate(counts).astype(np.float32)
    matrix = csr_matrix(
        (values, (key // vocabulary_size, key % vocabulary_size)),
        shape=(row_count, vocabulary_size),
    )
    if extra is None:
        return matrix
    extra_rows, extra_tokens, weight = extra
    known = extra_tokens >= 0
    values = np.full(known.sum(), weight, dtype=np.float32)
    return matrix + csr_matrix(
        (values, (extra_rows[known], extra_tokens[known])), shape=(row_count, vocabulary_size)
    )
