import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import { askProcess } from "./ask-process.ts";
import { LargeAnswers, partLengthMax, partQuestion } from "./large-answers.ts";

/** Answers by what is kept, over a wire that takes no half characters. */
function asked(large: LargeAnswers, answer: JsonObject): Elsewhere {
  const overWire = (value: JsonObject): JsonObject => {
    const text = JSON.stringify(value);
    assert.ok(text.isWellFormed() && !/\\ud[89a-f]/i.test(text));
    return JSON.parse(text) as JsonObject;
  };
  const ask = async (_: string, { route, query }: JsonObject): Promise<JsonObject> => {
    if (route !== partQuestion) return overWire(large.fit(answer));
    const { id, index } = query as { readonly [name: string]: string };
    return overWire(large.part(id ?? "", Number(index)));
  };
  return { ask } as unknown as Elsewhere;
}

test("an answer that is larger than a message comes over whole, cut between characters", async () => {
  for (const offset of [0, 1, 2, 3]) {
    const text = `${"x".repeat(offset)}${"😀\u0001ä".repeat(partLengthMax)}`;
    const answer = { status: 200, body: { text }, headers: {} };
    const large = new LargeAnswers();
    const others = asked(large, answer);
    const found = await askProcess({ others, process: "back" }, { route: "GET /x" });
    assert.deepEqual(found.body, { text });
    // It was asked for to its end: nothing of it is kept.
    assert.deepEqual(large.part("1", 1), {});
  }
});

test("what nobody fetches goes when there is too much of it, and half an answer is none", async () => {
  const large = new LargeAnswers();
  const answer = { status: 200, body: { text: "x".repeat(partLengthMax * 2) }, headers: {} };
  for (let count = 0; count < 33; count += 1) large.fit(answer);
  assert.deepEqual(large.part("1", 1), {});
  assert.equal(large.part("2", 1)["index"], 1);
  const others = asked(large, answer);
  const broken: Elsewhere = {
    ...others,
    ask: async (process, question) => {
      const said = await others.ask(process, question);
      return question["route"] === partQuestion ? {} : said;
    },
  };
  const { status } = await askProcess({ others: broken, process: "back" }, { route: "GET /x" });
  assert.equal(status, 502);
});
