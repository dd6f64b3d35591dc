import assert from "node:assert/strict";
import { test } from "node:test";
import { embedShortText, loadTokenTable } from "./load-token-table.ts";
import { TextEmbedder } from "./text-embedder.ts";

test("texts that are embedded at the same time, and again, have the vectors that the whole table gives", async () => {
  const texts = Array.from(
    { length: 40 },
    (_, at) => `parse the ${at} headers of a request, retry ${at}`,
  );
  texts.push("", "connection pool", "parse a connection", "wörter");
  const whole = new TextEmbedder(loadTokenTable());
  const expected = texts.map((text) => whole.embedText(text));
  for (let round = 0; round < 3; round += 1)
    assert.deepEqual(await Promise.all(texts.map(embedShortText)), expected);
});
