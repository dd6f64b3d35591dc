import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { PostingsBuilder } from "../index/index.ts";
import { toHalf } from "./half-float.ts";
import { buildTokenTable, ChunkEmbedder, TextEmbedder, TokenTable } from "./index.ts";

const stems = ["pars", "http", "request", "plain", "init", "caf\u00e9", "utf8", "port"];

function embedderOf(): TextEmbedder {
  const { bytes } = buildTokenTable({
    dimensions: 2,
    stems,
    weights: Float32Array.from(stems, (_, row) => 1 + row),
    vectors: Uint16Array.from({ length: 2 * stems.length }, (_, at) => toHalf(at)),
  });
  return new TextEmbedder(new TokenTable(bytes));
}

test("terms counted for the lexical index give the tokens that scanning the text gives, for any texts", () => {
  const word = fc.constantFrom(
    "parseHttpRequest",
    "HTTP_PORT",
    "http",
    "Http",
    "__init__",
    "plain",
    "caf\u00e9Http",
    "utf8",
    "___",
    "42",
    "x",
    "http_".repeat(25),
    "\u65e5\u672chttp",
  );
  const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const embedder = embedderOf();
      const body = new PostingsBuilder();
      const chunks = new ChunkEmbedder(embedder, (term) => body.bytesOf(term));
      for (const each of texts) {
        const bytes = Buffer.from(each, "utf8");
        body.addDocument(bytes, { listener: (term, times) => chunks.take(term, times) });
        assert.deepEqual(chunks.finish(), embedder.countText(bytes));
      }
    }),
    { seed: 7 },
  );
});
