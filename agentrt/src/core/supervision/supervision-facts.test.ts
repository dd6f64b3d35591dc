/**
 * Every rule of supervision and the test that holds it; and the order of stops and starts, compared with a model, for
 * three children, each strategy, each position that crashes and each that does not start again at first.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { crash, instantly, Puppet, puppet, simulate } from "../../testing/puppet.ts";
import { supervisor, type RestartStrategy } from "../tree/supervisor-spec.ts";

/** Rule, then how the titles of the tests that hold it begin. */
const rules: readonly (readonly [string, ...string[]])[] = [
  ["budget scope", "budget scope"],
  ["recording", "recording", "the window forgets what is as old as it is"],
  ["exhausted", "exhausted"],
  ["CONSTANT", "CONSTANT"],
  ["LINEAR", "LINEAR"],
  ["EXPONENTIAL", "EXPONENTIAL"],
  ["n", "n:"],
  ["cap", "EXPONENTIAL: doubles, with up to a quarter of jitter on top, and the cap after"],
  ["cap, any numbers", "law: a backoff is a number from 0 to its cap"],
  ["per-child restart_count", "restart_count"],
  ["ONE_FOR_ONE, ONE_FOR_ALL, REST_FOR_ONE", "${strategy}: a crash of", "${strategy}: ${failing}"],
  ["child supervisors in their place", "a child supervisor inside ONE_FOR_ALL"],
  ["a restarted supervisor's window", "a restarted child supervisor begins with an empty window"],
  ["backoff first", "backoff: nothing stops or starts"],
  ["serial", "serial"],
  ["stale", "stale: a crash of an incarnation", "stale: a crash in the middle of a restart"],
  ["stopping", "stopping", "stop in the middle of a backoff", "stop in the middle of a failing"],
  ["callbacks", "callbacks"],
  ["normal exit", "normal exit"],
  ["cancelled tasks", "an abandoned incarnation is inert"],
  [
    "a restart that fails",
    "a restart that fails counts",
    "a restart that fails inside ONE_FOR_ALL",
    "a restart that fails beyond the budget",
  ],
  ["span", "span"],
  ["escalation", "budget exhausted with a parent", "escalation climbs three levels"],
  ["the parent's strategy", "parent ONE_FOR_ALL"],
  [
    "root",
    "budget exhausted at the root",
    "a restart of all goes on without a child that the root gives up",
  ],
  ["start failure at boot", "start failure at boot"],
  ["start", "start"],
  ["stop", "stop:"],
  ["agent stop", "agent stop", "a stop of the whole tree ends at its deadline"],
];

test("every rule of supervision has a test that holds it", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const sources = globSync("**/*.test.ts", { cwd: folder }).map((file) =>
    readFileSync(`${folder}/${file}`, "utf8"),
  );
  for (const [rule, ...titles] of rules) {
    for (const title of titles) {
      const holds = (source: string): boolean =>
        source.includes(`test("${title}`) || source.includes(`test(\`${title}`);
      assert.ok(sources.some(holds), `no test holds ${rule}: ${title}`);
    }
  }
});

const names = ["a", "b", "c"];

/** Who restarts with a child, in declaration order. */
function affectedBy(strategy: RestartStrategy, name: string): string[] {
  if (strategy === "ONE_FOR_ALL") return names;
  return names.slice(names.indexOf(name), strategy === "ONE_FOR_ONE" ? names.indexOf(name) + 1 : 3);
}

/** What a crash does when one start fails once: stops right to left, starts left to right, over and over. */
function expectedTrace(strategy: RestartStrategy, crashed: string, failing: string): string[] {
  const trace = [`stop ${crashed}`];
  const up = new Set(names.filter((name) => name !== crashed));
  let failureCount = 1;
  for (let next: string | undefined = crashed; next !== undefined;) {
    const affected = affectedBy(strategy, next);
    next = undefined;
    for (const name of affected.toReversed()) if (up.delete(name)) trace.push(`stop ${name}`);
    for (const name of affected) {
      if (name === failing && failureCount > 0) {
        failureCount -= 1;
        trace.push(`refuse ${name}`, `stop ${name}`);
        next = name;
        break;
      }
      up.add(name);
      trace.push(`start ${name}`);
    }
  }
  return trace;
}

for (const strategy of ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const) {
  for (const crashed of names) {
    for (const failing of affectedBy(strategy, crashed)) {
      test(`${strategy}: ${failing} does not start at first after a crash of ${crashed}`, async () => {
        await using simulation = await simulate(
          supervisor("root", {
            ...instantly,
            strategy,
            children: names.map((name) => puppet(name)),
          }),
        );
        Puppet.trace = [];
        Puppet.failingStarts.set(failing, 1);
        await crash(simulation, crashed);
        assert.deepEqual(Puppet.trace, expectedTrace(strategy, crashed, failing));
        for (const name of names) {
          assert.deepEqual(await simulation.runtime.call(name, {}), { name });
        }
      });
    }
  }
}
