"""NDCG@10 over files of the labelled repositories, by the vectors alone."""

import numpy as np

from bags import bag_matrix, gather


def normalised(matrix):
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)


def same_path(left, right):
    return left == right or left.endswith("/" + right) or right.endswith("/" + left)


def ndcg10(ranked, targets):
    open_targets = list(targets)
    score = 0.0
    for rank, path in enumerate(ranked[:10]):
        met = [target for target in open_targets if same_path(target, path)]
        for target in met:
            open_targets.remove(target)
        score += len(met) / np.log2(rank + 2)
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(10, len(targets))))
    return score / ideal


def chunk_bags(repository, size, path_weight):
    chunks = repository.chunks
    rows, tokens = gather(repository.stream, chunks[:, 0], chunks[:, 1])
    files = repository.files[chunks[:, 2]]
    extra = None
    if path_weight > 0:
        path_rows, path_tokens = gather(repository.stream, files[:, 0], files[:, 1])
        extra = (path_rows, path_tokens, path_weight)
    return bag_matrix(rows, tokens, len(chunks), size, extra)


def query_bags(repository, size):
    rows, tokens = gather(repository.stream, repository.queries[:, 0], repository.queries[:, 1])
    return bag_matrix(rows, tokens, len(repository.queries), size)


def evaluate(repositories, table, path_weight=1.0, second_share=0.0):
    """Scores by repository and by category."""
    by_repository = {}
    by_category = {}
    for repository in repositories:
        cache = repository.__dict__.setdefault("cache", {})
        if path_weight not in cache:
            cache[path_weight] = chunk_bags(repository, len(table), path_weight)
            cache["q"] = query_bags(repository, len(table))
        chunks = normalised(cache[path_weight] @ table)
        queries = normalised(cache["q"] @ table)
        scores = queries @ chunks.T
        file_of_chunk = repository.chunks[:, 2]
        values = []
        for row, query in zip(scores, repository.labels["queries"]):
            best = np.full(len(repository.files), -9.0)
            np.maximum.at(best, file_of_chunk, row)
            order = np.argsort(-best, kind="stable")[:10]
            value = ndcg10([repository.paths[file] for file in order], query["targets"])
            values.append(value)
            by_category.setdefault(query["category"], []).append(value)
        by_repository[repository.name] = float(np.mean(values))
    return by_repository, {name: float(np.mean(list_)) for name, list_ in by_category.items()}
