/** The agents under virtual time, with a model that says what a test wants. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { child, evalAgent, keyed, pool, supervisor } from "agentrt";
import { scriptedModel, Simulation } from "agentrt/testing";
import { Judge, Reader, Ticket, Writer } from "./agents.ts";

const supervision = supervisor("root", {
  children: [
    evalAgent("eval_agent", { agentClass: Judge }),
    pool(Reader, "reader", { size: 2 }),
    child(Writer, "writer"),
    keyed(Ticket, "ticket", { key: "ticket" }),
  ],
});

/** All chunks that a ticket answers a message with. */
async function ask(simulation: Simulation, text: string): Promise<unknown[]> {
  const chunks: unknown[] = [];
  const stream = simulation.runtime.stream("ticket", { ticket: "1", text });
  const read = async () => {
    for await (const chunk of stream) chunks.push(chunk);
  };
  await simulation.until(read());
  return chunks;
}

test("a ticket remembers what was said", async () => {
  const provider = scriptedModel(({ messages }) => `Answer to ${messages.length - 1}`);
  await using simulation = new Simulation({ supervision, models: [{ name: "main", provider }] });
  await simulation.start();
  assert.deepEqual((await ask(simulation, "Hello")).slice(-2), [
    { text: "Answer to 1" },
    { turns: 2 },
  ]);
  assert.deepEqual((await ask(simulation, "Again")).slice(-2), [
    { text: "Answer to 3" },
    { turns: 4 },
  ]);
});

test("after an answer with the number of a card no model writes answers any more", async () => {
  const provider = scriptedModel(() => "It is 4111 1111 1111 1111.");
  await using simulation = new Simulation({ supervision, models: [{ name: "main", provider }] });
  await simulation.start();
  await ask(simulation, "What is my card?");
  const [, text] = await ask(simulation, "And now?");
  assert.deepEqual(text, { text: "A person will answer you." });
});
