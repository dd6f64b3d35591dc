"""First vectors: which tokens stand near each other, as positive pointwise mutual information, and its main axes."""

import numpy as np
from scipy.sparse import csr_matrix, diags

WINDOW_TOKENS = 24


def window_matrix(repositories, size, seed, windows_per_repository=6_000):
    """Rows are windows of tokens, columns tokens, values how often (0 or 1)."""
    random = np.random.default_rng(seed)
    parts = []
    for repository in repositories:
        known = repository.stream[repository.stream >= 0]
        count = len(known) // WINDOW_TOKENS
        windows = known[: count * WINDOW_TOKENS].reshape(count, WINDOW_TOKENS)
        if count > windows_per_repository:
            windows = windows[random.choice(count, windows_per_repository, replace=False)]
        parts.append(windows)
    windows = np.vstack(parts)
    rows = np.repeat(np.arange(len(windows)), WINDOW_TOKENS)
    matrix = csr_matrix(
        (np.ones(windows.size, dtype=np.float32), (rows, windows.ravel())),
        shape=(len(windows), size),
    )
    matrix.data[:] = 1
    return matrix


def first_vectors(repositories, size, dimensions, seed):
    """PPMI of tokens within windows, smoothed, and a randomised SVD of it."""
    windows = window_matrix(repositories, size, seed)
    together = (windows.T @ windows).tocsr()
    together.setdiag(0)
    together.data[together.data < 2] = 0
    together.eliminate_zeros()
    total = together.sum()
    margin = np.asarray(together.sum(axis=1)).ravel()
    smooth = margin**0.75
    smooth /= smooth.sum()
    coordinates = together.tocoo()
    expected = margin[coordinates.row] * smooth[coordinates.col] * 1.0
    information = np.log(np.maximum(coordinates.data / np.maximum(expected, 1e-9), 1e-9))
    kept = information > 0
    ppmi = csr_matrix(
        (information[kept].astype(np.float32), (coordinates.row[kept], coordinates.col[kept])),
        shape=(size, size),
    )
    print(f"start: {windows.shape[0]} windows, {ppmi.nnz} pairs, {total:.0f} together", flush=True)
    random = np.random.default_rng(seed)
    probe = random.standard_normal((size, dimensions + 32)).astype(np.float32)
    basis = ppmi @ probe
    for _ in range(3):
        basis, _ = np.linalg.qr(basis)
        basis, _ = np.linalg.qr(ppmi.T @ basis)
        basis = ppmi @ basis
    basis, _ = np.linalg.qr(basis)
    small = (ppmi.T @ basis).T
    left, values, _ = np.linalg.svd(small, full_matrices=False)
    vectors = (basis @ left[:, :dimensions]) * np.sqrt(values[:dimensions])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.maximum(lengths, 1e-6)).astype(np.float32)


def first_weights(counts, smoothing=3e-4):
    """Frequent tokens say less."""
    share = counts / counts.sum()
    return (smoothing / (smoothing + share)).astype(np.float32)
