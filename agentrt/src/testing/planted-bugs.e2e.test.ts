/**
 * That the invariants can fail: faults of a kernel, each planted into its source, each found within a thousand seeds.
 */
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Plant, searchPlanted } from "./test-support/planted-kernel.ts";
import type { PlantedTree } from "./test-support/planted-trees.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-planted-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const packages = fileURLToPath(new URL("../../../node_modules", import.meta.url));
symlinkSync(packages, join(folder, "node_modules"), "dir");

type Planted = Plant & { readonly invariant: string };

const plants: { readonly [bug: string]: Planted } = {
  "a lost crash report": {
    file: "core/supervision/supervisor-engine.ts",
    right: '.start((exit) => (slot.home ?? this).take({ kind: "childExited", slot, epoch, exit }))',
    wrong:
      '.start((exit) => { if (epoch !== 3) this.post({ kind: "childExited", slot, epoch, exit }); })',
    invariant: "crashes-decided",
  },
  "a reordered mailbox": {
    // A message overtakes the senders that wait for room before it.
    file: "core/messages/mailbox.ts",
    right: "if (lane.senders !== undefined && lane.senders.length > 0) return false;",
    wrong: "",
    invariant: "message-order",
  },
  "a restart over budget": {
    file: "core/supervision/plan-restart.ts",
    right: "crashesInWindow > limits.restartCountMax)",
    wrong: "crashesInWindow > limits.restartCountMax + 1)",
    invariant: "restart-budget",
  },
  "a double start": {
    // A restart does not wait for the end of a child that crashed meanwhile.
    file: "core/incarnations/agent-cell.ts",
    right: "if (incarnation === undefined || incarnation.isSealed) return Promise.resolve([]);",
    wrong:
      'if (incarnation === undefined || incarnation.isSealed || incarnation.status === "CRASHED") return Promise.resolve([]);',
    invariant: "one-incarnation",
  },
  "a reply to a dead caller": {
    file: "bus/pending-call.ts",
    right: "if (caller.isSealed === true)",
    wrong: "if (false)",
    // The calls of an agent that ends are closed, too.
    also: { right: "this.caller.requests?.add(this);", wrong: "" },
    invariant: "replies",
  },
};

const keyPassivation = "core/supervision/keyed/key-passivation.ts";

const plantsAmongKeys: { readonly [bug: string]: Planted } = {
  "a key on two instances": {
    // A key is forgotten before its object has ended.
    file: keyPassivation,
    right: "void driver.stop(softly);",
    wrong: "this.#home.forget(slot); void driver.stop(softly);",
    invariant: "one-incarnation",
  },
  "a reply after a cancel": {
    file: "bus/pending-call.ts",
    right: "this.cancel(cancelled(this.#to, signal));",
    wrong: '(this.#links ??= {}).callerGone = "abandoned";',
    invariant: "no-reply-after-cancel",
  },
  "a deadline that grows over a hop": {
    file: "bus/message-bus.ts",
    right: "if (limitMs !== undefined && sentAtMs + timeoutMs > limitMs) {",
    wrong: "if (limitMs !== undefined && sentAtMs > limitMs) {",
    invariant: "deadlines-shrink",
  },
  "a message lost at passivation": {
    // The first that came while the key went is nowhere.
    file: keyPassivation,
    right: "if (driver.hasNext) {",
    wrong: "driver.mailbox.take(); if (driver.hasNext) {",
    invariant: "message-balance",
  },
  "a leaked resident": {
    // A key that crashed once never goes.
    file: keyPassivation,
    right: "if (nowMs >= dueMs && isIdle(slot)) this.passivate(slot);",
    wrong: "if (nowMs >= dueMs && isIdle(slot) && slot.window === undefined) this.passivate(slot);",
    invariant: "keys-are-served",
  },
  "a key that hangs while it goes keeps others from being asked": {
    file: "core/supervision/keyed/key-places.ts",
    right: "if (slot.isPassivating && nowMs < slot.askedAtMs + roomCheckMs) wantedCount -= 1;",
    wrong: "if (slot.isPassivating) wantedCount -= 1;",
    invariant: "keys-are-served",
  },
};

const pools = "core/supervision/pool";

const plantsInPools: { readonly [bug: string]: Planted } = {
  "a member that takes two messages at once": {
    file: "core/tree/pool-spec.ts",
    right: "const memberOptions = { ...agentOptions,",
    wrong: "const memberOptions = { ...agentOptions, concurrency: 2,",
    also: {
      file: `${pools}/pool-member.ts`,
      right: "if (concurrency > 1) {",
      wrong: "if (concurrency > 2) {",
    },
    invariant: "one-incarnation",
  },
  "a member that takes two messages and handles one": {
    file: `${pools}/pool-queue.ts`,
    right: "if (assignment !== undefined) return assignment.message;",
    wrong: "if (assignment !== undefined) { this.#next(); return assignment.message; }",
    invariant: "message-balance",
  },
  "a message that two members take": {
    // A member that is asked for something else gives back what it was called for, and begins it all the same.
    file: `${pools}/pool-member.ts`,
    right: "this.#assigned = undefined;\n    return assigned;",
    wrong: "return assigned;",
    invariant: "message-order",
  },
  "a member that is not called when it is free": {
    file: `${pools}/pool-queue.ts`,
    right: "this.#becomeFree(member);\n    this.handOut();",
    wrong: "this.#becomeFree(member);",
    invariant: "pools-serve",
  },
  "a pool that does not shrink": {
    file: `${pools}/pool.ts`,
    right: "if (longest !== undefined) this.#armShrink(longest.sinceMs);",
    wrong: "",
    invariant: "pools-scale",
  },
};

const ledger = "core/llm/budgets/budget-ledger.ts";

const plantsInBudgets: { readonly [bug: string]: Planted } = {
  "calls that begin together and all pass": {
    file: ledger,
    right: "spentTokens + this.#reservedTokens))",
    wrong: "spentTokens))",
    invariant: "budgets-hold",
  },
  "an answer that is not counted": {
    file: ledger,
    right: "spentTokens: spentTokens + used.tokens,\n      callCount: callCount + 1,",
    wrong: "spentTokens,\n      callCount: callCount + 1,",
    invariant: "ledgers-agree",
  },
};

const approvals = "core/approvals/approvals.ts";
const handed = "const approval = new Approval(entry.record, entry.isHanded);";

/** What an agent is given in place of its decision. */
const given = (record: string): Omit<Planted, "also"> => ({
  file: approvals,
  right: handed,
  wrong: `const approval = new Approval(${record}, entry.isHanded);`,
  invariant: "approvals-hold",
});

const plantsAmongApprovals: { readonly [bug: string]: Planted } = {
  "two who decide about one approval, and both may": {
    file: approvals,
    right: 'if (record.status !== "pending") {',
    wrong: "if (record.isDelivered) {",
    invariant: "approvals-hold",
  },
  "the id of an approval that was used up, for another act": {
    file: approvals,
    right: "id: system.nextId(),",
    wrong:
      "id: this.list({ agent: agent.name, limit: 1000 }).find((old) => old.isDelivered)?.id ?? system.nextId(),",
    invariant: "approvals-hold",
  },
  "the approval of another key or agent": given(
    'this.list({ status: "approved", limit: 1000 }).find((each) => each.agent !== entry.record.agent) ?? entry.record',
  ),
  "a denial that an agent gets as an approval": given(
    '{ ...entry.record, status: entry.record.status === "denied" ? "approved" : entry.record.status }',
  ),
  "an approval that expired, and that an agent gets as approved": given(
    '{ ...entry.record, status: entry.record.status === "expired" ? "approved" : entry.record.status }',
  ),
  "an approval after its time": {
    file: approvals,
    right: "await this.#expireIfDue(entry);\n    const { record } = entry;",
    wrong: "const { record } = entry;",
    invariant: "approvals-hold",
  },
  "a payload that nobody has approved": given("{ ...entry.record, editedPayload: null }"),
  "a repeated decision that does not say so": {
    file: approvals,
    right: "entry.isHanded = true;\n    try {",
    wrong: "try {",
    invariant: "approvals-hold",
  },
};

/** With `durationsMs`, short runs come first, and the shortest are to find it: what one reads then is small. */
function findPlanted(
  bugs: { readonly [bug: string]: Planted },
  tree: PlantedTree,
  durationsMs?: readonly number[],
): void {
  for (const [bug, { invariant, ...plant }] of Object.entries(bugs)) {
    test(`${bug} is found within 1000 seeds`, async (context) => {
      const search = { tree, invariant, seedCount: 1000, durationsMs };
      const found = await searchPlanted(search, { plant, folder });
      assert.ok(found, "1000 seeds and nothing was found");
      context.diagnostic(`seed ${found.seed}: ${found.reason}`);
      assert.equal(found.durationMs, durationsMs?.[0]);
    });
  }
}

findPlanted(plants, "counters");
findPlanted(plantsAmongKeys, "keys");
findPlanted(plantsInPools, "pools");
findPlanted(plantsInBudgets, "budgets");
findPlanted(plantsAmongApprovals, "approvals", [1000, 4000, 30_000]);

test("in the kernel as it is, the same seeds find nothing", async () => {
  // `npm run soak -- sim` tries many more.
  for (const tree of ["counters", "keys", "pools", "budgets", "approvals"] as const)
    assert.equal(
      await searchPlanted({ tree, seedCount: 50 }, { plant: undefined, folder }),
      undefined,
    );
});
