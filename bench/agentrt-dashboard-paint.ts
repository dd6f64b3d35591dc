/** How soon does the dashboard show 10 000 agents, how soon a key, and what does it take to look at them each second? */
import type { Bench, Sample } from "./bench.ts";
import { dashboardAt, noTerminal, watched } from "./rivals/watched.ts";

/** Keys are pressed one after another, each when the picture of the one before is long there, ms. */
const keyPauseMs = 400;

async function measure(isQuick: boolean): Promise<Sample> {
  await using server = await watched(["idle"]);
  await using screen = dashboardAt(server.port);
  const seen = (kind: string): number[][] =>
    screen
      .probed()
      .filter((line) => line.startsWith(`${kind} `))
      .map((line) => line.split(" ").slice(1).map(Number));
  while (seen("paint").length === 0) await rest(100);
  await rest(3000);
  const before = seen("cpu").at(-1) ?? [];
  await rest(isQuick ? 10_000 : 30_000);
  const after = seen("cpu").at(-1) ?? [];
  const [beganMs = 0, usedMs = 0] = before;
  const [endMs = 0, usedThenMs = 0] = after;
  const keyCount = isQuick ? 20 : 50;
  for (let count = 0; count < keyCount; count += 1) {
    screen.press("j");
    await rest(keyPauseMs);
  }
  const sorted = (column: number): number[] =>
    seen("redraw")
      .map((times) => times[column] ?? Number.NaN)
      .sort((one, other) => one - other);
  const redraws = sorted(0);
  const processor = sorted(1);
  if (redraws.length < keyCount)
    throw new Error(`${redraws.length} pictures came of ${keyCount} keys`);
  return {
    operationCount: redraws.length,
    seconds: redraws.reduce((sum, ms) => sum + ms, 0) / 1000,
    figures: {
      "first paint ms": seen("paint")[0]?.[0] ?? Number.NaN,
      "first paint processor ms": seen("paint")[0]?.[1] ?? Number.NaN,
      "redraw ms, median": redraws[redraws.length >> 1] ?? Number.NaN,
      "redraw ms, most": redraws.at(-1) ?? Number.NaN,
      "redraw processor ms, median": processor[processor.length >> 1] ?? Number.NaN,
      "% of a core at 1 Hz": ((usedThenMs - usedMs) / (endMs - beganMs)) * 100,
    },
  };
}

function rest(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}

/** See the header. To be: under 200 ms, under 33 ms, under 5 %. */
export const bench: Bench = {
  question: "pictures of a dashboard of 10 000 agents that come of keys, and what it takes",
  operation: "picture",
  roundCount: 5,
  contenders: [
    { name: "dashboard", prepare: noTerminal, run: async ({ isQuick }) => await measure(isQuick) },
  ],
};
