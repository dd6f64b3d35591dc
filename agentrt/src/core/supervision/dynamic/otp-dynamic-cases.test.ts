/**
 * The named cases of OTP's supervisor test suite that have a meaning for the children of a dynamic supervisor, under
 * their names: OTP's simple_one_for_one and its temporary children. `docs/reference/otp-cases.md` maps every case.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, Puppet, puppet, simulate } from "../../../testing/puppet.ts";
import type { Simulation } from "../../../testing/simulation.ts";
import {
  dynamicSupervisor,
  type DynamicSupervisorOptions,
  supervisor,
  type SupervisorNode,
} from "../../index.ts";

async function pooled(options: DynamicSupervisorOptions = {}): Promise<Simulation> {
  return await simulate(
    supervisor("root", {
      strategy: "ONE_FOR_ALL",
      ...instantly,
      children: [dynamicSupervisor("pool", options), puppet("static")],
    }),
  );
}

const pool = (simulation: Simulation): SupervisorNode => {
  const node = simulation.runtime.tree().children[0];
  assert.ok(node?.kind === "supervisor");
  return node;
};
const children = (simulation: Simulation): string[] =>
  pool(simulation).children.map(({ name, status }) => `${name} ${status}`);

async function spawn(simulation: Simulation, name: string, config = {}): Promise<void> {
  await simulation.until(simulation.runtime.spawn(Puppet, name, config));
}

for (const { restart, normal, abnormal } of [
  { restart: "permanent", normal: ["a RUNNING"], abnormal: ["a RUNNING"] },
  { restart: "transient", normal: [], abnormal: ["a RUNNING"] },
  { restart: "temporary", normal: [], abnormal: [] },
] as const) {
  test(`OTP ${restart}_normal: a ${restart} child that ends by itself is ${normal.length > 0 ? "started again" : "gone"}`, async () => {
    await using simulation = await pooled({ restart });
    await spawn(simulation, "a", { onError: "stop" });
    await crash(simulation, "a");
    assert.deepEqual(children(simulation), normal);
  });

  test(`OTP ${restart}_shutdown: a ${restart} child that is told to end is gone`, async () => {
    await using simulation = await pooled({ restart });
    await spawn(simulation, "a");
    await simulation.until(simulation.runtime.stopChild("a"));
    await simulation.advance(60_000);
    assert.deepEqual(children(simulation), []);
  });

  test(`OTP ${restart}_abnormal: a ${restart} child that crashes is ${abnormal.length > 0 ? "started again" : "gone"}`, async () => {
    await using simulation = await pooled({ restart });
    await spawn(simulation, "a");
    await crash(simulation, "a");
    assert.deepEqual(children(simulation), abnormal);
  });
}

test("OTP temporary_bystander: a crash beside it does nothing to a child that is not restarted", async () => {
  await using simulation = await pooled({ restart: "temporary" });
  await spawn(simulation, "a");
  await spawn(simulation, "b");
  Puppet.trace = [];
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace, ["stop a"]);
  assert.deepEqual(children(simulation), ["b RUNNING"]);
});

test("OTP simple_one_for_one: each child is restarted by itself", async () => {
  await using simulation = await pooled();
  for (const name of ["a", "b", "c"]) await spawn(simulation, name);
  Puppet.trace = [];
  await crash(simulation, "b");
  assert.deepEqual(Puppet.trace, ["stop b", "start b"]);
  assert.deepEqual(children(simulation), ["a RUNNING", "b RUNNING", "c RUNNING"]);
});

test("OTP simple_one_for_one_escalation: a child out of budget is given up, and nothing fails upward", async () => {
  await using simulation = await pooled({ restartCountMax: 0 });
  await spawn(simulation, "a");
  await spawn(simulation, "b");
  Puppet.trace = [];
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace, ["stop a"]);
  assert.deepEqual(children(simulation), ["b RUNNING"]);
  assert.equal(pool(simulation).restartCount, 0);
});

test("OTP simple_one_for_one_shutdown: the children stop with their supervisor, those that hang are named", async () => {
  const simulation = await pooled();
  await spawn(simulation, "a");
  await spawn(simulation, "b", { hangs: true });
  await spawn(simulation, "c");
  const { lateNames } = await simulation.stop({ timeoutMs: 1000 });
  assert.deepEqual(lateNames, ["b"]);
  for (const name of ["a", "b", "c"]) assert.ok(Puppet.trace.includes(`stop ${name}`));
});

test("OTP simple_one_for_one_extra: each child is given a configuration of its own, kept over restarts", async () => {
  await using simulation = await pooled({ restart: "permanent" });
  await spawn(simulation, "a", { onError: "stop" });
  await spawn(simulation, "b", {});
  await crash(simulation, "a");
  await crash(simulation, "a");
  assert.deepEqual(children(simulation), ["a RUNNING", "b RUNNING"]);
});

test("OTP child_adm_simple: children come, are listed, end and leave their name free", async () => {
  await using simulation = await pooled();
  await spawn(simulation, "a");
  await assert.rejects(simulation.until(simulation.runtime.spawn(Puppet, "a")), {
    code: "AGENTRT_SPAWN_NAME_TAKEN",
  });
  await simulation.until(simulation.runtime.despawn("a"));
  assert.deepEqual(children(simulation), []);
  await spawn(simulation, "a");
  assert.deepEqual(children(simulation), ["a RUNNING"]);
  await assert.rejects(simulation.runtime.despawn("static"), {
    code: "AGENTRT_SPAWN_NOT_A_DYNAMIC_CHILD",
  });
  await assert.rejects(simulation.runtime.despawn("nobody"), {
    code: "AGENTRT_SPAWN_UNKNOWN_CHILD",
  });
});

test("OTP do_not_save_child_specs_for_temporary_children: children are gone after a restart of their supervisor", async () => {
  await using simulation = await pooled({ restart: "permanent" });
  await spawn(simulation, "a");
  await crash(simulation, "static");
  assert.equal(pool(simulation).status, "RUNNING");
  assert.deepEqual(children(simulation), []);
  await spawn(simulation, "a");
  assert.deepEqual(children(simulation), ["a RUNNING"]);
});

test("OTP hanging_restart_loop_simple: a child whose restart fails for ever is ended at once", async () => {
  await using simulation = await pooled({ restartCountMax: 1_000_000 });
  await spawn(simulation, "a");
  Puppet.hangingStarts.add("a");
  await crash(simulation, "a");
  assert.deepEqual(children(simulation), ["a INITIALIZING"]);
  // Others come and go meanwhile.
  await spawn(simulation, "b");
  const ended = simulation.runtime.despawn("a");
  await simulation.until(ended);
  assert.deepEqual(children(simulation), ["b RUNNING"]);
});

test("OTP simple_one_for_one_scale_many_temporary_children: a thousand come and go, twice, and nothing is left", async () => {
  await using simulation = await pooled({ restart: "temporary" });
  const names = Array.from({ length: 1000 }, (_, index) => `child-${index}`);
  const { runtime } = simulation;
  for (let round = 0; round < 2; round += 1) {
    await simulation.until(Promise.all(names.map((name) => runtime.spawn(Puppet, name))));
    assert.equal(pool(simulation).children.length, 1000);
    await simulation.until(Promise.all(names.map((name) => runtime.despawn(name))));
    assert.equal(pool(simulation).children.length, 0);
  }
  assert.equal(runtime.registry.list().length, 3);
  assert.deepEqual(Object.keys(runtime.snapshot().agents), ["static"]);
});
