"""Reads what extract.ts wrote, as numpy arrays over one vocabulary of stems."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ["doc", "name", "commit", "section", "test", "path"]


def stems_of(words):
    """Stems, by the program's own code, so that there is one stemmer."""
    script = os.path.join(HERE, "stem-words.ts")
    with tempfile.NamedTemporaryFile("w", encoding="utf8") as file:
        file.write("\n".join(words))
        file.flush()
        done = subprocess.run(["node", script, file.name], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().split("\n")


def read_numbers(folder, name, columns=1):
    numbers = np.fromfile(os.path.join(folder, name + ".u32"), dtype=np.uint32).astype(np.int64)
    return numbers if columns == 1 else numbers.reshape(-1, columns)


@dataclass
class Repository:
    """Streams are numbers of the vocabulary, -1 for words beyond it."""

    name: str
    words: list
    stream: np.ndarray
    files: np.ndarray
    chunks: np.ndarray
    pairs: np.ndarray
    queries: np.ndarray = None
    paths: list = field(default_factory=list)
    labels: dict = None

    def with_vocabulary(self, number_of_word):
        numbers = np.array([number_of_word.get(word, -1) for word in self.words], dtype=np.int32)
        self.stream = numbers[self.stream]
        return self


def read_repository(folder):
    with open(os.path.join(folder, "vocabulary.txt"), encoding="utf8") as file:
        words = file.read().split("\n")
    repository = Repository(
        name=os.path.basename(folder),
        words=words,
        stream=read_numbers(folder, "stream"),
        files=read_numbers(folder, "files", 4),
        chunks=read_numbers(folder, "chunks", 3),
        pairs=read_numbers(folder, "pairs", 8),
    )
    with open(os.path.join(folder, "paths.txt"), encoding="utf8") as file:
        repository.paths = file.read().split("\n")
    labels = os.path.join(folder, "labels.json")
    if os.path.exists(labels):
        repository.queries = read_numbers(folder, "queries", 2)
        with open(labels, encoding="utf8") as file:
            repository.labels = json.load(file)
    return repository


def read_all(root, names=None):
    names = sorted(os.listdir(root)) if names is None else names
    names = [name for name in names if not name.endswith(".part")]
    return [read_repository(os.path.join(root, name)) for name in names]


def choose_vocabulary(repositories, size_max=62_500, repositories_min=2, count_min=6):
    """The commonest stems that more than one repository uses.

    Returns the stems, the number of each word, and how often each stem occurs.
    """
    totals = {}
    spread = {}
    for repository in repositories:
        counts = np.bincount(repository.stream, minlength=len(repository.words))
        for word, count in zip(repository.words, counts.tolist()):
            totals[word] = totals.get(word, 0) + count
            spread.setdefault(word, set()).add(repository.name)
    words = sorted(totals)
    stems = stems_of(words)
    stem_count = {}
    stem_spread = {}
    for word, stem in zip(words, stems):
        stem_count[stem] = stem_count.get(stem, 0) + totals[word]
        stem_spread.setdefault(stem, set()).update(spread[word])
    kept = [
        stem
        for stem, count in stem_count.items()
        if count >= count_min and len(stem_spread[stem]) >= repositories_min and len(stem) > 1
    ]
    kept.sort(key=lambda stem: (-len(stem_spread[stem]) * stem_count[stem] ** 0.5, stem))
    kept = kept[:size_max]
    number = {stem: index for index, stem in enumerate(kept)}
    return kept, number, np.array([stem_count[stem] for stem in kept], dtype=np.float64)


def number_words(repositories, number_of_stem):
    """Maps words to the numbers of their stems; the same words are stemmed once."""
    words = sorted({word for repository in repositories for word in repository.words})
    numbers = {
        word: number_of_stem[stem]
        for word, stem in zip(words, stems_of(words))
        if stem in number_of_stem
    }
    return numbers
