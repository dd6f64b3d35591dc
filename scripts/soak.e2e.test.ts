/** The soaks, in a few rounds each: that they run, and that they can find something is shown by hand. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runProgram, skipUnless } from "testkit";

const script = fileURLToPath(new URL("./soak.ts", import.meta.url));

async function soak(...args: string[]) {
  const words = ["--conditions=agentrt-source", script, ...args];
  return await runProgram(process.execPath, words, { timeoutMs: 170_000 });
}

test("state-kill: two kills in the middle of checkpoints lose none that was acknowledged", async () => {
  const exit = await soak("state-kill", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^sqlite: 2 kills, \d{2,} acknowledged checkpoints of 50 agents, none lost\n$/,
  );
});

test("sim: simulated runs of all example trees break no invariant", async () => {
  const exit = await soak("sim", "--rounds=160");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /^sim: 160 runs of 8 trees, no invariant broken; \d+ messages/);
});

test("codetool-index-kill: after two rounds of killed writers every search is right", async () => {
  const exit = await soak("codetool-index-kill", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /^codetool-index-kill: 2 rounds, \d of two writers; \d+ runs killed/);
});

test("gateway: calls of four seconds are answered right, and memory is looked at", async () => {
  const exit = await soak("gateway", "--rounds=4");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /^gateway: 4 s, \d{4,} calls, each answered right; \d+ MB at first/);
});

test("keyed-kill: a kill of a runtime with ten thousand keys loses no acknowledged checkpoint", async () => {
  const exit = await soak("keyed-kill", "--rounds=1");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^keyed-kill: 1 kills, \d{2,} replies in order; \d{2,} acknowledged .* none lost/,
  );
});

test("telemetry: spans that were answered survive a kill, and charts come from sums", async () => {
  const exit = await soak("telemetry", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^telemetry: \d{4,} spans\/s for 2 s, .* none lost; 333333 spans over 30 days in \d+ MB: .* points\)\n$/,
  );
});

test("approvals: three kills lose no decision, and nothing is done without one", async () => {
  const exit = await soak("approvals", "--rounds=3");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^approvals: 3 kills, \d{2,} asked for, \d+ approved .* none without its own approval, none lost, none twice\n$/,
  );
});

test("apply-kill: after kills in the middle of an apply both files start whole", async () => {
  const exit = await soak("apply-kill", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^apply-kill: 2 kills; a change: 2 of [2-9]\d steps, .*; a change that is undone: 0 of [3-9]\d steps, /,
  );
});

test("budgets: two kills of a thousand agents cost no more than their budget, and no ledger is wrong", async () => {
  const exit = await soak("budgets", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^budgets: 2 kills, [1-3] budgets used up by \d{3,} calls of 1000 agents, \d{2,} at once, .* the ledgers agree/,
  );
});

test(
  "link-cuts: a killed broker and cut wires leave no call without an answer or a typed error",
  { skip: skipUnless("nats-server") },
  async () => {
    const exit = await soak("link-cuts", "--rounds=1");
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(
      exit.stdout,
      /^link-cuts: nats: 1 restarts of the broker and 1 cuts, \d{2,} answered .*; zmq: 1 restarts .* 0 came twice\n$/,
    );
  },
);

test("link-starts: a call right after a start is answered soon, with signed messages and without", async () => {
  const exit = await soak("link-starts", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^link-starts: zmq: 2 starts, all clean; served within \d+ ms, the slowest call took \d+ ms\n$/,
  );
});

test(
  "worker-kill: a killed worker is noticed, and its agents are served by the next",
  { skip: skipUnless("nats-server") },
  async () => {
    const exit = await soak("worker-kill", "--rounds=1");
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(
      exit.stdout,
      /^worker-kill: nats: 1 kills, noticed within \d{4,5} ms .*; zmq: 1 kills, /,
    );
  },
);

test("clients: over four protocols every client gets its whole answer, and who leaves stops the model", async () => {
  const exit = await soak("clients", "--rounds=8");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /^clients: \d{2,} whole answers, .* no crash, no restart\n/);
  for (const protocol of ["SSE", "HTTP/2", "WebSocket", "gRPC"])
    assert.ok(exit.stdout.includes(`keyed, ${protocol}`), exit.stdout);
});

test("codetool-edit-kill: after four killed applies every file is whole", async () => {
  const exit = await soak("codetool-edit-kill", "--rounds=4");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /^codetool-edit-kill: [45] applies killed, .* none mixed/);
});

test(
  "codetool-freshness: after changes that keep size, time or inode every answer is as rg says",
  { skip: skipUnless("rg") },
  async () => {
    const exit = await soak("codetool-freshness", "--rounds=40");
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(
      exit.stdout,
      /^codetool-freshness: 40 changes .*, [23]\d of them of a word; \d{3} answers, \d of new processes, none wrong\n$/,
    );
  },
);

test("codetool-edit-race: of eight processes that edit one file none loses an edit", async () => {
  const exit = await soak("codetool-edit-race", "--rounds=6");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^codetool-edit-race: 48 edits .* 4[678] in it, [012] refused, none lost/,
  );
});

test("soak lists the hostile tree, whose small form the tests of codetool run", async () => {
  assert.match((await soak()).stdout, /codetool-hostile .* \(100000 rounds\)/);
});

const skip = skipUnless("postgres");

test(
  "rolling-stops: a stop under load behind haproxy and one without lose no request",
  { skip: skipUnless("haproxy", "h2load", "curl") },
  async () => {
    const exit = await soak("rolling-stops", "--rounds=1");
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(
      exit.stdout,
      /^rolling-stops: stops behind haproxy: 1, \d{2,} requests, 0 lost\n[^]*\nstops without: 1, \d{2,} requests, 0 lost /,
    );
    for (const client of ["curl", "curl --http2", "curl, events", "h2load"])
      assert.equal(exit.stdout.match(new RegExp(`^  ${client} +HTTP.* 0 lost$`, "gm"))?.length, 2);
  },
);

test("state-kill-postgres: the same while the server crashes", { skip }, async () => {
  const exit = await soak("state-kill-postgres", "--rounds=2");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /^postgres: 2 kills, 1 crashes of the server, \d{2,} acknowledged/);
});

test("codetool-sameness: searches answer the same byte for byte, whatever way led to the tree", async () => {
  const exit = await soak("codetool-sameness", "--rounds=1");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^codetool-sameness: 1 rounds of \d+ searches .* the same byte for byte/,
  );
});

test("codetool-batch: questions, edits and bad lines are answered in order", async () => {
  const exit = await soak("codetool-batch", "--rounds=300");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(
    exit.stdout,
    /^codetool-batch: 300 lines, 15 of them edits, all answered in order, /,
  );
});

test("soak without a name lists what there is; a wrong name is a wrong usage", async () => {
  const listed = await soak();
  assert.equal(listed.code, 0);
  assert.match(listed.stdout, /state-kill /);
  assert.equal((await soak("state-kil")).code, 2);
});

test("cluster: a soak that cannot run says why in one line, with exit code 2; so does a flag that is not there", async () => {
  const exit = await soak("cluster", `--nats-server=${process.execPath}.conf`);
  assert.deepEqual([exit.code, exit.stdout], [2, ""]);
  assert.match(exit.stderr, /^soak cluster: \S+\.conf is not a NATS server\n$/);
  assert.equal((await soak("cluster", "--minuets=1")).code, 2);
});
