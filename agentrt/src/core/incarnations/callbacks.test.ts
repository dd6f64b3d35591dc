/** Every callback that a runtime, its registry and its dynamic supervisors take is called; the list comes from the classes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Puppet, simulate } from "../../testing/puppet.ts";
import { dynamicSupervisor } from "../tree/dynamic-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

/** What a class offers to register callbacks with. */
function registrationsOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => /^on[A-Z]/.test(name));
}

test("every callback that a runtime and its registry take is called, until it is taken back", async () => {
  const calls: string[] = [];
  const onSpawnRequested = (): boolean => calls.push("onSpawnRequested") > 0;
  await using simulation = await simulate(
    supervisor("root", { children: [dynamicSupervisor("pool", { onSpawnRequested })] }),
  );
  const { runtime } = simulation;
  const offered: string[] = [];
  const ends = [runtime, runtime.registry].flatMap((owner) =>
    registrationsOf(Object.getPrototypeOf(owner) as object).map((name) => {
      offered.push(name);
      const register = (owner as unknown as { [name: string]: Function })[name] as Function;
      return register.call(owner, () => void calls.push(name)) as () => void;
    }),
  );
  const live = async (name: string): Promise<string[]> => {
    calls.length = 0;
    await simulation.until(runtime.spawn(Puppet, name));
    await simulation.crash(name);
    await simulation.until(runtime.despawn(name));
    await assert.rejects(simulation.cast("nobody", {}));
    return [...new Set(calls)].toSorted();
  };
  assert.deepEqual(await live("first"), [...offered, "onSpawnRequested"].toSorted());
  assert.ok(offered.length >= 4, offered.join(", "));
  for (const end of ends) end();
  assert.deepEqual(await live("second"), ["onSpawnRequested"]);
});
