import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, puppet, Puppet, simulate } from "../../testing/puppet.ts";
import { supervisor, type RestartStrategy } from "../tree/supervisor-spec.ts";

/** Three children, each a supervisor of two puppets and without a budget: the first crash fails it. */
const groups = ["a", "b", "c"];

const tree = (strategy: RestartStrategy) =>
  supervisor("root", {
    ...instantly,
    strategy,
    children: groups.map((name) =>
      supervisor(name, {
        ...instantly,
        restartCountMax: 0,
        children: [puppet(`${name}1`), puppet(`${name}2`)],
      }),
    ),
  });

const rows: readonly (readonly [RestartStrategy, string, string])[] = [
  ["ONE_FOR_ONE", "a", "start a1 a2"],
  ["ONE_FOR_ONE", "b", "start b1 b2"],
  ["ONE_FOR_ONE", "c", "start c1 c2"],
  ["ONE_FOR_ALL", "a", "stop c2 c1 b2 b1 start a1 a2 b1 b2 c1 c2"],
  ["ONE_FOR_ALL", "b", "stop c2 c1 a2 a1 start a1 a2 b1 b2 c1 c2"],
  ["ONE_FOR_ALL", "c", "stop b2 b1 a2 a1 start a1 a2 b1 b2 c1 c2"],
  ["REST_FOR_ONE", "a", "stop c2 c1 b2 b1 start a1 a2 b1 b2 c1 c2"],
  ["REST_FOR_ONE", "b", "stop c2 c1 start b1 b2 c1 c2"],
  ["REST_FOR_ONE", "c", "start c1 c2"],
];

/** The lines of a word list such as `stop b a start a b`. */
function linesOf(words: string): string[] {
  let verb = "";
  return words.split(" ").flatMap((word) => {
    if (word !== "stop" && word !== "start") return [`${verb} ${word}`];
    verb = word;
    return [];
  });
}

for (const [strategy, failing, wanted] of rows) {
  test(`${strategy}: a supervisor that fails is a crashed child: "${failing}" of three comes back in its place`, async () => {
    await using simulation = await simulate(tree(strategy));
    Puppet.trace = [];
    await crash(simulation, `${failing}1`);
    // The failed supervisor stops what it has left, then its parent's strategy goes on.
    const own = [`stop ${failing}1`, `stop ${failing}2`];
    assert.deepEqual(Puppet.trace, [...own, ...linesOf(wanted)]);
    for (const name of groups.flatMap((group) => [`${group}1`, `${group}2`])) {
      assert.deepEqual(await simulation.call(name, {}), { name });
    }
    assert.equal(simulation.runtime.tree().crashesInWindow, 1);
  });
}
