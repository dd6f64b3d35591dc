import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fence, FencedStates, StateStore } from "../../core/index.ts";

/** Two stores on one place, as two processes have them. */
export interface SharedPlace extends AsyncDisposable {
  readonly one: StateStore;
  readonly other: StateStore;
}

const fenced = { code: "AGENTRT_STATE_FENCED" };

function statesOf({ fenced: states }: StateStore): FencedStates {
  assert.ok(states !== undefined);
  return states;
}

async function raised(states: FencedStates, name: string): Promise<Fence> {
  const [fence] = await states.raise([name]);
  assert.ok(fence !== undefined);
  return fence;
}

/**
 * What every store with `fenced` must show: whoever raised a fence last reads the latest state, and nobody else writes.
 *
 * @param name Of the store, for the names of the tests.
 * @param open Two stores on one place where nothing is saved.
 */
export function testFencedStates(name: string, open: () => Promise<SharedPlace>): void {
  test(`${name}: who raised a fence reads what others saved, and they save, read and delete nothing more`, async () => {
    await using place = await open();
    const [one, other] = [statesOf(place.one), statesOf(place.other)];
    const first = await raised(one, "counter#7");
    assert.deepEqual(await one.get("counter/a", first), undefined);
    await one.set("counter/a", { count: 1 }, first);
    await one.set("counter/a", { count: 2 }, first);

    const second = await raised(other, "counter#7");
    assert.ok(second.token > first.token);
    assert.deepEqual(await other.get("counter/a", second), { count: 2 });
    await assert.rejects(one.set("counter/a", { count: 3 }, first), fenced);
    await assert.rejects(one.set("counter/b", { count: 1 }, first), fenced);
    await assert.rejects(one.get("counter/a", first), fenced);
    await assert.rejects(one.delete("counter/a", first), fenced);
    await other.set("counter/a", { count: 3 }, second);
    assert.deepEqual(await other.get("counter/a", second), { count: 3 });
    assert.deepEqual(await other.get("counter/b", second), undefined);
    await other.delete("counter/a", second);
    await other.delete("counter/a", second);
    assert.deepEqual(await other.get("counter/a", second), undefined);
  });

  test(`${name}: fences are independent, raised many at once, and each token is above all before`, async () => {
    await using place = await open();
    const [one, other] = [statesOf(place.one), statesOf(place.other)];
    const names = Array.from({ length: 256 }, (_, index) => `counter#${index}`);
    const [first, second] = [await one.raise(names), await other.raise(names.slice(128))];
    assert.deepEqual(
      first.map((fence) => fence.name),
      names,
    );
    for (const [index, { token }] of second.entries())
      assert.ok(token > Number(first[index + 128]?.token));
    const [kept, lost] = [first[0], first[200]];
    assert.ok(kept !== undefined && lost !== undefined);
    await one.set("counter/a", { count: 1 }, kept);
    await assert.rejects(one.set("counter/b", { count: 1 }, lost), fenced);
    await assert.rejects(one.set("counter/c", {}, { name: "never raised", token: 1 }), fenced);
  });

  test(`${name}: writes on their way when a fence is raised are saved before it, or not at all`, async () => {
    await using place = await open();
    const [one, other] = [statesOf(place.one), statesOf(place.other)];
    for (let round = 0; round < 20; round += 1) {
      const mine = await raised(one, "race");
      const writes = Array.from({ length: 10 }, async (_, count) =>
        one.set("counter/a", { round, count }, mine).then(
          () => count,
          (error: unknown) => {
            assert.equal((error as { code?: unknown }).code, "AGENTRT_STATE_FENCED");
            return -1;
          },
        ),
      );
      const theirs = await raised(other, "race");
      const seen = await other.get("counter/a", theirs);
      const saved = await Promise.all(writes);
      assert.deepEqual(
        await other.get("counter/a", theirs),
        seen,
        `round ${round}: ${saved.join()}`,
      );
    }
  });
}
