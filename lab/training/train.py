"""Trains the table of token vectors.

    python lab/training/train.py --corpus DIR --out DIR [--labelled DIR] [--epochs N] [--seed N] ...
"""

import argparse
import json
import os
import time

import numpy as np

from bags import bag_matrix, gather
from corpus import choose_vocabulary, number_words, read_all
from evaluate import evaluate
from start import first_vectors, first_weights

DOC, NAME, COMMIT, SECTION, TEST, PATH = range(6)
KIND_NAMES = ["doc", "name", "commit", "section", "test", "path"]
#: Words around the subject of a question; a query gets some so that the table learns to pass over them.
QUESTION_FORMS = [
    "how does {} work", "how is {} handled", "where is {} implemented", "how are {} processed",
    "{} implementation", "where does it handle {}", "how to {}", "what does {} do", "{} logic",
    "which code handles {}", "how {} works", "code that implements {}", "what happens when {}",
    "where is the {} defined", "how does the library support {}", "how do {} and their parts interact",
]


class Pairs:
    """All pairs of the corpus in flat arrays."""

    def __init__(self, repositories, options):
        random = np.random.default_rng(options.seed)
        columns = {name: [] for name in ["kind", "qs", "qe", "ds", "de", "xs", "xe", "file", "repo", "ps", "pe"]}
        streams = []
        base = 0
        for number, repository in enumerate(repositories):
            pairs = repository.pairs
            is_commit = pairs[:, 0] == COMMIT
            files = repository.files[pairs[:, 7]]
            pairs[is_commit, 3] = files[is_commit, 2]
            pairs[is_commit, 4] = files[is_commit, 3]
            chunks = repository.chunks
            chunk_files = repository.files[chunks[:, 2]]
            path_rows = np.stack(
                [np.full(len(chunks), PATH), chunk_files[:, 0], chunk_files[:, 1], chunks[:, 0], chunks[:, 1],
                 np.zeros(len(chunks), int), np.zeros(len(chunks), int), chunks[:, 2]], axis=1)
            pairs = np.vstack([pairs, path_rows])
            pairs = pairs[thinned(pairs, options, random)]
            files = repository.files[pairs[:, 7]]
            for name, column in zip(["kind", "qs", "qe", "ds", "de", "xs", "xe", "file"], pairs.T):
                is_place = name in ("qs", "qe", "ds", "de", "xs", "xe")
                columns[name].append(column + base if is_place else column)
            columns["ps"].append(files[:, 0] + base)
            columns["pe"].append(files[:, 1] + base)
            columns["repo"].append(np.full(len(pairs), number))
            streams.append(repository.stream)
            base += len(repository.stream)
        self.stream = np.concatenate(streams)
        for name, parts in columns.items():
            setattr(self, name, np.concatenate(parts))
        self.by_repo = [np.flatnonzero(self.repo == number) for number in range(len(repositories))]

    def __len__(self):
        return len(self.kind)


def thinned(pairs, options, random):
    """At most so many pairs of a kind for a repository, and none without a few words."""
    limits = {DOC: options.docs, NAME: options.names, COMMIT: options.commits,
              SECTION: options.sections, TEST: options.tests, PATH: options.path_pairs}
    length = pairs[:, 2] - pairs[:, 1]
    target = pairs[:, 4] - pairs[:, 3]
    kept = []
    for kind, limit in limits.items():
        least = {DOC: 3, NAME: 1, COMMIT: 3, SECTION: 1, TEST: 3, PATH: 1}[kind]
        found = np.flatnonzero((pairs[:, 0] == kind) & (length >= least) & (target >= 8))
        if len(found) > limit:
            found = random.choice(found, limit, replace=False)
        kept.append(found)
    return np.sort(np.concatenate(kept))


def batches(pairs, options, random):
    """Three quarters of the batches lie inside one repository; every pair comes about once an epoch."""
    size = options.batch
    inside = []
    rest = []
    for members in pairs.by_repo:
        members = random.permutation(members)
        cut = int(len(members) * options.inside) // size * size
        inside.extend(members[:cut].reshape(-1, size))
        rest.append(members[cut:])
    rest = random.permutation(np.concatenate(rest))
    rest = rest[: len(rest) // size * size].reshape(-1, size)
    together = inside + list(rest)
    for place in random.permutation(len(together)):
        yield together[place]


class Table:
    """Vectors with a lazy Adam: rows that a batch does not touch are left alone."""

    def __init__(self, vectors, options):
        self.vectors = vectors
        self.mean = np.zeros_like(vectors)
        self.square = np.zeros(len(vectors), dtype=np.float32)
        self.steps = np.zeros(len(vectors), dtype=np.int64)
        self.options = options

    def update(self, rows, gradient, rate):
        self.steps[rows] += 1
        steps = self.steps[rows][:, None]
        mean = self.mean[rows] * 0.9 + 0.1 * gradient
        square = self.square[rows] * 0.999 + 0.001 * np.mean(gradient * gradient, axis=1)
        self.mean[rows] = mean
        self.square[rows] = square
        corrected = np.sqrt(square[:, None] / (1 - 0.999**steps)) + 1e-8
        self.vectors[rows] -= rate * (mean / (1 - 0.9**steps)) / corrected


def question_tokens(number_of_word):
    forms = []
    for form in QUESTION_FORMS:
        words = [word for word in form.replace("{}", " ").split()]
        forms.append(np.array([number_of_word[word] for word in words if word in number_of_word]))
    return forms


def batch_bags(pairs, members, size, options, forms, random):
    """Sparse matrices of the queries and the texts of a batch."""
    count = len(members)
    query_rows, query_tokens = gather(pairs.stream, pairs.qs[members], pairs.qe[members], 48)
    asked = np.flatnonzero(random.random(count) < options.questions)
    chosen = random.integers(len(forms), size=len(asked))
    form_rows = np.repeat(asked, [len(forms[form]) for form in chosen])
    form_tokens = np.concatenate([forms[form] for form in chosen] + [np.zeros(0, np.int64)])
    queries = bag_matrix(
        np.concatenate([query_rows, form_rows]),
        np.concatenate([query_tokens, form_tokens.astype(query_tokens.dtype)]), count, size)

    starts, ends = pairs.ds[members], pairs.de[members]
    window = options.window
    room = np.maximum(ends - starts - window, 0)
    shift = (random.random(count) * (room + 1)).astype(np.int64)
    # A definition begins with its signature; of a whole file any part will do.
    shift[pairs.kind[members] != COMMIT] = 0
    rows, tokens = gather(pairs.stream, starts + shift, ends, window)
    lengths = np.minimum(ends - starts - shift, window)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + (starts + shift)[rows]
    is_left_out = (places >= pairs.xs[members][rows]) & (places < pairs.xe[members][rows])
    # A name must not find its body by standing in it.
    hidden = (pairs.kind[members] == NAME) & (random.random(count) < options.hide_names)
    hide = hidden[rows]
    if hide.any():
        key_query = query_rows * np.int64(size) + query_tokens
        is_named = np.isin(rows * np.int64(size) + tokens, key_query) & hide
        is_left_out |= is_named
    kept = ~is_left_out
    with_path = (pairs.kind[members] != PATH) & (random.random(count) < options.with_path)
    path_rows, path_tokens = gather(pairs.stream, pairs.ps[members], np.where(with_path, pairs.pe[members], pairs.ps[members]))
    texts = bag_matrix(rows[kept], tokens[kept], count, size, (path_rows, path_tokens, options.path_weight))
    return queries, texts


def step(table, queries, texts, blocked, options, rate):
    """One step of symmetric in-batch contrast."""
    touched = np.unique(np.concatenate([queries.indices, texts.indices]))
    local = np.empty(table.vectors.shape[0], dtype=np.int32)
    local[touched] = np.arange(len(touched))
    vectors = table.vectors[touched]
    for matrix in (queries, texts):
        matrix.indices = local[matrix.indices]
        matrix._shape = (matrix.shape[0], len(touched))
    left, right = queries @ vectors, texts @ vectors
    left_length = np.linalg.norm(left, axis=1, keepdims=True) + 1e-6
    right_length = np.linalg.norm(right, axis=1, keepdims=True) + 1e-6
    left_unit, right_unit = left / left_length, right / right_length
    logits = (left_unit @ right_unit.T) * np.float32(options.scale)
    logits[blocked] = -1e4
    count = len(logits)
    by_row = np.exp(logits - logits.max(axis=1, keepdims=True))
    by_row /= by_row.sum(axis=1, keepdims=True)
    by_column = np.exp(logits - logits.max(axis=0, keepdims=True))
    by_column /= by_column.sum(axis=0, keepdims=True)
    loss = -np.mean(np.log(np.diagonal(by_row) + 1e-9))
    both = options.symmetric
    gradient = (by_row + both * by_column) / (1 + both)
    gradient[np.arange(count), np.arange(count)] -= 1
    gradient *= np.float32(options.scale / count)
    left_gradient = gradient @ right_unit
    right_gradient = gradient.T @ left_unit
    left_gradient -= left_unit * np.sum(left_gradient * left_unit, axis=1, keepdims=True)
    right_gradient -= right_unit * np.sum(right_gradient * right_unit, axis=1, keepdims=True)
    change = queries.T @ (left_gradient / left_length) + texts.T @ (right_gradient / right_length)
    table.update(touched, change.astype(np.float32), rate)
    return loss


def report(label, labelled, vectors, options):
    if not labelled:
        return None, {}
    by_repository, by_category = evaluate(labelled, vectors)
    mean = float(np.mean(list(by_repository.values())))
    parts = " ".join(f"{name} {value:.3f}" for name, value in sorted(by_category.items()))
    print(f"{label}: ndcg10 {mean:.4f}  {parts}", flush=True)
    return mean, by_repository


def parse_options():
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("--corpus", required=True)
    add("--labelled", default="", help="repositories to measure on after each epoch")
    add("--out", required=True)
    add("--repositories", type=int, default=0, help="only the first so many, for ablations")
    add("--epochs", type=int, default=3)
    add("--seed", type=int, default=1)
    add("--dimensions", type=int, default=256)
    add("--vocabulary", type=int, default=62_500)
    add("--batch", type=int, default=512)
    add("--inside", type=float, default=0.75)
    add("--scale", type=float, default=16.0)
    add("--rate", type=float, default=0.01)
    add("--symmetric", type=float, default=1.0)
    add("--window", type=int, default=220)
    add("--questions", type=float, default=0.4)
    add("--hide-names", type=float, default=0.7)
    add("--with-path", type=float, default=0.5)
    add("--path-weight", type=float, default=3.0)
    add("--docs", type=int, default=2500)
    add("--names", type=int, default=1500)
    add("--commits", type=int, default=1200)
    add("--sections", type=int, default=300)
    add("--tests", type=int, default=800)
    add("--path-pairs", type=int, default=800)
    add("--start", default="", help="a file with first vectors, made when it is missing")
    return parser.parse_args()


def main():
    options = parse_options()
    os.makedirs(options.out, exist_ok=True)
    begun = time.time()
    repositories = read_all(options.corpus)
    if options.repositories:
        order = np.random.default_rng(7).permutation(len(repositories))[: options.repositories]
        repositories = [repositories[place] for place in sorted(order)]
    labelled = read_all(options.labelled) if options.labelled else []
    stems, number_of_stem, counts = choose_vocabulary(repositories, options.vocabulary)
    with open(os.path.join(options.out, "stems.txt"), "w", encoding="utf8") as file:
        file.write("\n".join(stems))
    number_of_word = number_words(repositories + labelled, number_of_stem)
    for repository in repositories + labelled:
        repository.with_vocabulary(number_of_word)
    tokens = sum(len(repository.stream) for repository in repositories)
    print(f"{len(repositories)} repositories, {tokens} tokens, {len(stems)} stems, {time.time() - begun:.0f} s", flush=True)
    if labelled:
        known = np.mean(np.concatenate([repository.stream for repository in labelled]) >= 0)
        print(f"{known:.3f} of the labelled tokens known", flush=True)
    if options.start and os.path.exists(options.start):
        vectors = np.load(options.start)
    else:
        vectors = first_vectors(repositories, len(stems), options.dimensions, options.seed)
        vectors *= first_weights(counts)[:, None]
        if options.start:
            np.save(options.start, vectors)
    report(f"start, {time.time() - begun:.0f} s", labelled, vectors, options)
    pairs = Pairs(repositories, options)
    print(len(pairs), "pairs", dict(zip(KIND_NAMES, np.bincount(pairs.kind, minlength=6).tolist())), flush=True)
    forms = question_tokens(number_of_word)
    table = Table(vectors, options)
    random = np.random.default_rng(options.seed + 1)
    total = options.epochs * (len(pairs) // options.batch)
    done = 0
    for epoch in range(options.epochs):
        epoch_begun = time.time()
        losses = []
        for members in batches(pairs, options, random):
            queries, texts = batch_bags(pairs, members, len(stems), options, forms, random)
            start, kind, file = pairs.ds[members], pairs.kind[members], pairs.file[members]
            is_wide = (kind == COMMIT) | (kind == PATH)
            blocked = start[:, None] == start[None, :]
            same_repo = pairs.repo[members][:, None] == pairs.repo[members][None, :]
            blocked |= (file[:, None] == file[None, :]) & same_repo & (is_wide[:, None] | is_wide[None, :])
            np.fill_diagonal(blocked, False)
            rate = options.rate * (1 - 0.9 * done / total)
            losses.append(step(table, queries, texts, blocked, options, rate))
            done += 1
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}, {time.time() - epoch_begun:.0f} s", flush=True)
        mean, by_repository = report(f"epoch {epoch + 1}", labelled, table.vectors, options)
        table.vectors.astype("<f4").tofile(os.path.join(options.out, "vectors.f32"))
    with open(os.path.join(options.out, "scores.json"), "w", encoding="utf8") as file:
        json.dump({"ndcg10": mean, "repositories": by_repository, "options": vars(options)}, file, indent=1)


if __name__ == "__main__":
    main()
