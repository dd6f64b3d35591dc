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


#: How much the path of a chunk's file counts beside its content, both taken to length one.
#: As in codetool/src/model/text-embedder.ts.
PATH_SHARE = 0.6


def chunk_bags(repository, size):
    chunks = repository.chunks
    rows, tokens = gather(repository.stream, chunks[:, 0], chunks[:, 1])
    return bag_matrix(rows, tokens, len(chunks), size)


def path_bags(repository, size):
    rows, tokens = gather(repository.stream, repository.files[:, 0], repository.files[:, 1])
    return bag_matrix(rows, tokens, len(repository.files), size)


def query_bags(repository, size):
    rows, tokens = gather(repository.stream, repository.queries[:, 0], repository.queries[:, 1])
    return bag_matrix(rows, tokens, len(repository.queries), size)


def evaluate(repositories, table, path_share=PATH_SHARE):
    """Scores by repository and by category."""
    by_repository = {}
    by_category = {}
    for repository in repositories:
        bags = repository.__dict__.setdefault("bags", {})
        if not bags:
            for name, make in [("chunks", chunk_bags), ("paths", path_bags), ("queries", query_bags)]:
                bags[name] = make(repository, len(table))
        file_of_chunk = repository.chunks[:, 2]
        paths = normalised(bags["paths"] @ table)
        chunks = normalised(normalised(bags["chunks"] @ table) + path_share * paths[file_of_chunk])
        queries = normalised(bags["queries"] @ table)
        values = []
        for row, query in zip(queries @ chunks.T, repository.labels["queries"]):
            best = np.full(len(repository.files), -9.0)
            np.maximum.at(best, file_of_chunk, row)
            order = np.argsort(-best, kind="stable")[:10]
            value = ndcg10([repository.paths[file] for file in order], query["targets"])
            values.append(value)
            by_category.setdefault(query["category"], []).append(value)
        by_repository[repository.name] = float(np.mean(values))
    return by_repository, {name: float(np.mean(list_)) for name, list_ in by_category.items()}
