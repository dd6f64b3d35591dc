import assert from "node:assert/strict";
import { test } from "node:test";
import { readAsset } from "../text/index.ts";
import { dotProduct, embedShortText, isWholeTable, loadTokenTable, TextEmbedder } from "./index.ts";

const table = loadTokenTable();
const embedder = new TextEmbedder(table);

function nearness(left: string, right: string): number {
  return dotProduct(embedder.embedText(left), embedder.embedText(right));
}

test("the table that is shipped is whole and as large as the specification says", async () => {
  assert.equal(await isWholeTable(readAsset("token-vectors.bin")), true);
  assert.equal(table.dimensions, 256);
  assert.equal(table.rowCount, 62_500);
  for (const weight of table.weights) assert.ok(weight >= 0 && weight < 100);
});

test("texts about one thing are nearer than texts about different ones, without a word in common", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["websocket handshake", "upgrade connection frame ping pong", "sort array of numbers"],
    ["delete a file", "unlink path remove directory", "http status code"],
    ["password login", "authenticate user credentials session", "render template html"],
    ["retry with delay", "backoff attempts exponential", "parse command line flags"],
    ["database rows", "sql query select table", "websocket frame"],
  ];
  for (const [text, near, far] of rows)
    assert.ok(nearness(text, near) > nearness(text, far) + 0.1, `${text}: ${near}, not ${far}`);
});

test("what only makes a question of a text hardly moves it", () => {
  const plain = embedder.embedText("session cookie encryption");
  const asked = embedder.embedText("how does the session cookie encryption work");
  assert.ok(dotProduct(plain, asked) > 0.85, `${dotProduct(plain, asked)}`);
});

test("a query has the same vector from the rows that it needs as from the whole table", async () => {
  for (const text of ["", "zxqv", "how does parseHttpRequest retry, and retry again?", "größe λ"]) {
    assert.deepEqual(await embedShortText(text), embedder.embedText(text), text);
  }
});
