/**
 * The named cases of OTP's supervisor test suite that have a meaning for the children of a static tree, under their
 * names. `docs/reference/otp-cases.md` maps every case to its test; those of dynamic children stand with them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, Puppet, puppet, simulate } from "../../testing/puppet.ts";
import type { Simulation } from "../../testing/simulation.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor, type SupervisorOptions } from "../tree/supervisor-spec.ts";

type Strategy = "ONE_FOR_ONE" | "ONE_FOR_ALL" | "REST_FOR_ONE";

/** A root over a supervisor "sup" with three children; the root gives back what fails. */
async function under(strategy: Strategy, options: Partial<SupervisorOptions> = {}) {
  const children = ["a", "b", "c"].map((name) => puppet(name));
  const inner = supervisor("sup", { strategy, ...instantly, children, ...options });
  return await simulate(supervisor("root", { ...instantly, children: [inner] }));
}

const statuses = (simulation: Simulation): { [name: string]: string } =>
  Object.fromEntries(
    simulation.runtime
      .tree()
      .children.flatMap((node) => (node.kind === "supervisor" ? node.children : [node]))
      .map(({ name, status }) => [name, status]),
  );

test("OTP sup_start_normal: a supervisor without children starts and stops", async () => {
  const simulation = await simulate(supervisor("root", { children: [] }));
  assert.equal(simulation.runtime.tree().status, "RUNNING");
  assert.deepEqual(await simulation.stop(), { lateNames: [] });
  assert.equal(simulation.runtime.tree().status, "STOPPED");
});

test("OTP sup_start_map: what a description leaves out has its default", () => {
  const { limits } = supervisor("root", { children: [] });
  assert.deepEqual(limits, {
    strategy: "ONE_FOR_ONE",
    restartCountMax: 3,
    restartWindowMs: 60_000,
    backoff: "CONSTANT",
    backoffBaseMs: 1000,
    backoffMaxMs: 60_000,
  });
  assert.deepEqual(child(Puppet, "a").limits, {
    concurrency: 1,
    mailboxLengthMax: 1000,
    retryCountMax: 3,
    shutdownTimeoutMs: 30_000,
    handleTimeoutMs: undefined,
    startTimeoutMs: 60_000,
    hookTimeoutMs: 60_000,
  });
});

for (const [options, message] of [
  [{ strategy: "ONE_FOR_SOME" }, /strategy is ONE_FOR_SOME, want one of ONE_FOR_ONE, ONE_FOR_ALL/],
  [{ restartCountMax: -1 }, /restartCountMax is -1/],
  [{ restartCountMax: 1.5 }, /restartCountMax is 1.5/],
  [{ restartWindowMs: -1 }, /restartWindowMs is -1/],
  [{ backoff: "QUADRATIC" }, /backoff is QUADRATIC/],
  [{ backoffBaseMs: Number.NaN }, /backoffBaseMs is NaN/],
  [{ backoffMaxMs: "1" }, /backoffMaxMs is 1/],
] as const) {
  test(`OTP sup_flags: supervisor() refuses ${JSON.stringify(options)}`, () => {
    assert.throws(() => supervisor("root", { children: [], ...(options as object) }), message);
  });
}

test("OTP sup_start_map_faulty_specs: a child without a name is refused when it is described", () => {
  assert.throws(() => puppet(""), /name: found ""/);
  assert.throws(() => supervisor("", { children: [] }), /name: found ""/);
});

test("OTP sup_stop_infinity: a child is waited for as long as its own limit says", async () => {
  const options = { shutdownTimeoutMs: 2_147_483_647, config: { hangs: true } };
  const simulation = await simulate(supervisor("root", { children: [puppet("a", options)] }));
  const stopped = simulation.runtime.stop({ timeoutMs: Number.POSITIVE_INFINITY });
  await simulation.advance(20 * 86_400_000);
  assert.equal(simulation.runtime.tree().children[0]?.status, "STOPPING");
  await simulation.advance(5 * 86_400_000);
  assert.deepEqual(await simulation.until(stopped), { lateNames: ["a"] });
});

test("OTP sup_stop_brutal_kill: a child with no time to stop is abandoned at once, its siblings stop as ever", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        puppet("b", { shutdownTimeoutMs: 0, config: { hangs: true } }),
        puppet("c"),
      ],
    }),
  );
  const beginMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: ["b"] });
  assert.ok(simulation.clock.monotonicMs() - beginMs < 100);
  assert.deepEqual(Puppet.trace.slice(3), ["stop c", "stop b", "stop a"]);
});

test("OTP multiple_restarts: as many restarts as the budget has, again and again as the window slides", async () => {
  const simulation = await simulate(
    supervisor("root", {
      ...instantly,
      restartCountMax: 3,
      restartWindowMs: 1000,
      children: [puppet("a")],
    }),
  );
  for (let round = 1; round <= 5; round += 1) {
    for (let count = 0; count < 3; count += 1) await crash(simulation, "a");
    assert.deepEqual(statuses(simulation), { a: "RUNNING" });
    assert.equal(simulation.runtime.tree().children[0]?.restartCount, 3 * round);
    await simulation.advance(1000);
  }
  await simulation.stop();
});

for (const { strategy, crashed, restarted } of [
  { strategy: "ONE_FOR_ONE", crashed: "b", restarted: ["start b"] },
  {
    strategy: "ONE_FOR_ALL",
    crashed: "b",
    restarted: ["stop c", "stop a", "start a", "start b", "start c"],
  },
  { strategy: "REST_FOR_ONE", crashed: "b", restarted: ["stop c", "start b", "start c"] },
] as const) {
  const name = strategy.toLowerCase();
  test(`OTP ${name}: a crash restarts those it concerns, in order`, async () => {
    const simulation = await under(strategy);
    Puppet.trace = [];
    await crash(simulation, crashed);
    assert.deepEqual(Puppet.trace, [`stop ${crashed}`, ...restarted]);
    assert.deepEqual(statuses(simulation), { a: "RUNNING", b: "RUNNING", c: "RUNNING" });
    await simulation.stop();
  });

  test(`OTP ${name}_escalation: a budget that is used up stops all children and fails upward`, async () => {
    const simulation = await under(strategy, { restartCountMax: 0 });
    Puppet.trace = [];
    await crash(simulation, crashed);
    assert.deepEqual(Puppet.trace, ["stop b", "stop c", "stop a", "start a", "start b", "start c"]);
    const sup = simulation.runtime.tree().children[0];
    assert.deepEqual([sup?.name, sup?.status, sup?.restartCount], ["sup", "RUNNING", 1]);
    assert.ok(simulation.events.lines.some((line) => line.includes("sup/b: escalated")));
    await simulation.stop();
  });
}

test("OTP one_for_all_other_child_fails_restart: another child that fails to start in a restart of all is tried again", async () => {
  const simulation = await under("ONE_FOR_ALL");
  Puppet.trace = [];
  Puppet.failingStarts.set("c", 1);
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace, [
    "stop a",
    "stop c",
    "stop b",
    "start a",
    "start b",
    "refuse c",
    "stop c",
    "stop b",
    "stop a",
    "start a",
    "start b",
    "start c",
  ]);
  assert.deepEqual(statuses(simulation), { a: "RUNNING", b: "RUNNING", c: "RUNNING" });
  await simulation.stop();
});

test("OTP rest_for_one_other_child_fails_restart: a later child that fails to start is tried again, those before it run on", async () => {
  const simulation = await under("REST_FOR_ONE");
  Puppet.trace = [];
  Puppet.failingStarts.set("c", 1);
  await crash(simulation, "b");
  assert.deepEqual(Puppet.trace, ["stop b", "stop c", "start b", "refuse c", "stop c", "start c"]);
  assert.deepEqual(statuses(simulation), { a: "RUNNING", b: "RUNNING", c: "RUNNING" });
  await simulation.stop();
});

for (const strategy of ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const) {
  test(`OTP hanging_restart_loop: ${strategy}, a restart that fails for ever is stopped at once`, async () => {
    const simulation = await under(strategy, { restartCountMax: 1_000_000, backoffBaseMs: 10 });
    Puppet.failingStarts.set("b", Number.POSITIVE_INFINITY);
    await crash(simulation, "b");
    await simulation.advance(1000);
    assert.ok((simulation.runtime.tree().children[0]?.kind === "supervisor") === true);
    assert.ok(Puppet.trace.filter((line) => line === "refuse b").length > 50);
    const beginMs = simulation.clock.monotonicMs();
    assert.deepEqual(await simulation.stop(), { lateNames: [] });
    assert.ok(simulation.clock.monotonicMs() - beginMs < 100);
  });

  test(`OTP hanging_restart_loop: ${strategy}, a start that hangs in a restart is given up with the stop`, async () => {
    const simulation = await under(strategy);
    Puppet.hangingStarts.add("b");
    await crash(simulation, "b");
    assert.equal(statuses(simulation)["b"], "INITIALIZING");
    const beginMs = simulation.clock.monotonicMs();
    const { lateNames } = await simulation.stop({ timeoutMs: 5000 });
    assert.deepEqual(lateNames, ["b"]);
    assert.ok(simulation.clock.monotonicMs() - beginMs <= 5100);
  });

  test(`OTP hanging_restart_loop: ${strategy}, a start that hangs in a restart fails after its time-out and is tried again`, async () => {
    const children = ["a", "b", "c"].map((name) => puppet(name, { startTimeoutMs: 1000 }));
    const simulation = await under(strategy, { children });
    Puppet.hangingStarts.add("b");
    await crash(simulation, "b");
    Puppet.hangingStarts.clear();
    await simulation.advance(1100);
    assert.deepEqual(statuses(simulation), { a: "RUNNING", b: "RUNNING", c: "RUNNING" });
    await simulation.stop();
  });
}

test("OTP tree: supervisors under supervisors start, fail and stop as one", async () => {
  const leaf = (name: string) => puppet(name);
  const simulation = await simulate(
    supervisor("top", {
      strategy: "ONE_FOR_ALL",
      ...instantly,
      children: [
        supervisor("left", {
          ...instantly,
          restartCountMax: 0,
          children: [leaf("l1"), leaf("l2")],
        }),
        supervisor("right", { ...instantly, children: [leaf("r1")] }),
      ],
    }),
  );
  assert.deepEqual(Puppet.trace, ["start l1", "start l2", "start r1"]);
  Puppet.trace = [];
  await crash(simulation, "r1");
  assert.deepEqual(Puppet.trace, ["stop r1", "start r1"]);
  Puppet.trace = [];
  await crash(simulation, "l2");
  // The left one fails upward, and the top restarts both sides.
  assert.deepEqual(Puppet.trace, [
    "stop l2",
    "stop l1",
    "stop r1",
    "start l1",
    "start l2",
    "start r1",
  ]);
  await simulation.stop();
  assert.deepEqual(Puppet.trace.slice(-3), ["stop r1", "stop l2", "stop l1"]);
});

test("OTP count_children: the tree says how many children there are, of which kind, and how many run", async () => {
  const simulation = await simulate(
    supervisor("root", {
      ...instantly,
      restartCountMax: 0,
      children: [puppet("a"), puppet("b"), supervisor("sup", { children: [puppet("c")] })],
    }),
  );
  const counts = (): number[] => {
    const { children } = simulation.runtime.tree();
    const active = children.filter(({ status }) => status === "RUNNING");
    const supervisors = children.filter(({ kind }) => kind === "supervisor");
    return [children.length, active.length, supervisors.length];
  };
  assert.deepEqual(counts(), [3, 3, 1]);
  await crash(simulation, "a");
  assert.deepEqual(counts(), [3, 2, 1]);
  await simulation.until(simulation.runtime.stopAgent("b"));
  assert.deepEqual(counts(), [3, 1, 1]);
  await simulation.stop();
});

test("OTP child_adm: a child is stopped, started again and replaced by a new life of the same name", async () => {
  const simulation = await under("ONE_FOR_ONE");
  Puppet.trace = [];
  await simulation.until(simulation.runtime.stopAgent("b"));
  assert.equal(statuses(simulation)["b"], "STOPPED");
  await simulation.until(simulation.runtime.restart("b"));
  await simulation.runUntilIdle();
  assert.deepEqual(statuses(simulation), { a: "RUNNING", b: "RUNNING", c: "RUNNING" });
  assert.deepEqual(Puppet.trace, ["stop b", "start b"]);
  await assert.rejects(simulation.runtime.stopAgent("nobody"), {
    code: "AGENTRT_SUPERVISION_UNKNOWN_NAME",
  });
  await simulation.stop();
});

for (const strategy of ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const) {
  test(`OTP normal_termination, shutdown_termination: ${strategy}, a static child that ends by itself or is stopped is not restarted`, async () => {
    const children = ["a", "b", "c"].map((name) => puppet(name, { config: { onError: "stop" } }));
    const simulation = await under(strategy, { children });
    Puppet.trace = [];
    await crash(simulation, "b");
    await simulation.until(simulation.runtime.stopAgent("c"));
    await simulation.advance(60_000);
    assert.deepEqual(Puppet.trace, ["stop b", "stop c"]);
    assert.deepEqual(statuses(simulation), { a: "RUNNING", b: "STOPPED", c: "STOPPED" });
    await simulation.stop();
  });

  test(`OTP abnormal_termination: ${strategy}, a static child that crashes is restarted`, async () => {
    const simulation = await under(strategy);
    await crash(simulation, "b");
    assert.equal(statuses(simulation)["b"], "RUNNING");
    await simulation.stop();
  });
}
