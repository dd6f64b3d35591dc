/** How `agentrt logs` shows lines to people. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../testing/index.ts";
import { createStyle } from "../style.ts";
import { LogLines } from "./log-lines.ts";

const style = createStyle({ isTerminal: false, environment: {} });

function recorded(system?: VirtualClock): { readonly printed: string[]; readonly lines: LogLines } {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  return { printed, lines: new LogLines({ print, style, ...(system ? { system } : {}) }) };
}

const behind = (agent: string, second: number, more: object = {}): { [name: string]: unknown } => ({
  agent,
  time: `2026-11-24T19:30:0${second}.000Z`,
  level: "warn",
  message: "a ledger is behind",
  error: { name: "NOT_SAVED", message: "it could not be saved", at: "/app/agents.ts:6:1" },
  traceId: `trace ${second}`,
  ...more,
});

test("a line shows the causes of its error below it, one a line, and commands no terminal", () => {
  const { printed, lines } = recorded();
  const locked = { name: "Error", message: "database is\u001B[2J\nlocked" };
  const cause = { name: "TIMEOUT", message: "no answer", cause: locked };
  lines.add(behind("desk", 1, { error: { name: "E", message: "no", at: "/a.ts:1:1", cause } }));
  assert.deepEqual(printed.join("").split("\n"), [
    '2026-11-24T19:30:01.000Z warn  desk  a ledger is behind  error="E: no" at=/a.ts:1:1',
    "    because of TIMEOUT: no answer",
    "    because of Error: database is\\u001b[2J locked",
    "",
  ]);
});

test("lines that say the same one after the other are one, with how often and until when", () => {
  const { printed, lines } = recorded();
  for (const second of [1, 2, 3]) lines.add(behind("desk", second));
  lines.add(behind("desk", 4, { n: 1 }));
  lines.add(behind("desk", 5, { n: 1 }));
  // Keys of one agent count together, other agents do not.
  lines.add(behind("ticket/1", 6));
  for (const key of ["2", "3", "1", "4", "5", "6", "7", "8"]) lines.add(behind(`ticket/${key}`, 7));
  lines.add(behind("mailer", 8));
  lines.flush();
  const error =
    'a ledger is behind  error="NOT_SAVED: it could not be saved" at=/app/agents.ts:6:1';
  assert.deepEqual(printed.join("").split("\n"), [
    `2026-11-24T19:30:01.000Z warn  desk  ${error}`,
    "    repeated 2 times more, the last at 2026-11-24T19:30:03.000Z",
    `2026-11-24T19:30:04.000Z warn  desk  ${error.replace("behind  ", "behind  n=1 ")}`,
    "    repeated once more, at 2026-11-24T19:30:05.000Z",
    `2026-11-24T19:30:06.000Z warn  ticket/1  ${error}`,
    "    repeated 8 times more, the last at 2026-11-24T19:30:07.000Z, also by ticket/2, ticket/3, ticket/4, ticket/5, ticket/6 and 2 others",
    `2026-11-24T19:30:08.000Z warn  mailer  ${error}`,
    "",
  ]);
});

test("who follows hears of repeats after two seconds, and of later ones again", async () => {
  const clock = new VirtualClock();
  const { printed, lines } = recorded(clock);
  lines.add(behind("desk", 1));
  lines.add(behind("desk", 2));
  await clock.advance(1999);
  assert.equal(printed.length, 1);
  lines.add(behind("desk", 3));
  await clock.advance(1);
  assert.match(printed[1] ?? "", /repeated 2 times more, the last at 2026-11-24T19:30:03/);
  lines.add(behind("desk", 4));
  lines.flush();
  assert.match(printed[2] ?? "", /repeated once more, at 2026-11-24T19:30:04/);
  await clock.advance(10_000);
  assert.equal(printed.length, 3);
  assert.equal(clock.timerCount, 0);
});
