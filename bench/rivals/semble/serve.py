"""semble, resident: reads one JSON query a line, answers with one JSON line.

Its model cannot be fetched where no host but the package registries is reached, so it gets one of the same shape, 62 500 rows
of 256, with random values. What an answer costs does not depend on the values; which answer it is does, and is not looked at.
"""

import json
import sys
import tempfile

import numpy
from model2vec import StaticModel
from semble import SembleIndex
from tokenizers import Tokenizer, models, pre_tokenizers


def make_model(folder: str) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [a + b for a in letters for b in letters]
    words = [*letters, *pairs, *(a + b for a in pairs for b in pairs)][:62_499]
    vocabulary = {word: row for row, word in enumerate(["[UNK]", *words])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", continuing_subword_prefix=""))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    vectors = numpy.random.default_rng(1).standard_normal((len(vocabulary), 256)).astype("float32")
    StaticModel(vectors, tokenizer).save_pretrained(folder)


with tempfile.TemporaryDirectory() as folder:
    make_model(folder)
    index = SembleIndex.from_path(sys.argv[1], model_path=folder)
print("ready", flush=True)
for line in sys.stdin:
    found = index.search(json.loads(line), top_k=10)
    print(json.dumps([str(result) for result in found]), flush=True)
