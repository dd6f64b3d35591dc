import assert from "node:assert/strict";
import { test } from "node:test";
import { child, Runtime, supervisor } from "agentrt";
import { Librarian, Summarizer } from "./agents.ts";

test("the librarian answers from this repository, and takes flags and NULs of a stranger as text", async () => {
  await using runtime = new Runtime({
    supervision: supervisor("desk", {
      children: [child(Summarizer, "summarizer"), child(Librarian, "librarian")],
    }),
  });
  await runtime.start();
  const answered = await runtime.call("librarian", { question: "how are restarts limited" });
  assert.ok((answered["sources"] as unknown[]).length > 0);
  for (const question of ["--help", "--top-k", "a\0b", "x".repeat(200_000)]) {
    const reply = await runtime.call("librarian", { question });
    assert.ok(Array.isArray(reply["sources"]), question.slice(0, 20));
  }
  const { error } = await runtime.call("librarian", {});
  assert.ok(typeof error === "string" && error.startsWith("ask with a question"));
  assert.equal(runtime.snapshot().restartHistory.length, 0);
});
