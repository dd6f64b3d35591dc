/** `agentrt suspend`, `resume`, `restart` and `inject` through the real command line, against a topology that runs. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle(message: Message) {
    if (message.type === "hold") {
      console.log("holds");
      await new Promise((resolve) => process.once("SIGUSR2", resolve));
    }
    console.log("handles " + message.type + " " + JSON.stringify(message.payload));
    return {};
  }
  override async onSuspend(reason: string) { console.log("suspended for " + reason); }
  override async onResume(approver: string) { console.log("resumed by " + approver); }
}
`;
const guards = `
import type { Middleware } from "agentrt";

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;

function topology(port: number): string {
  return `supervision:
  name: root
  children:
    - agent: { name: desk, type: agents.Desk }
    - name: topo
      type: topology_server
      config: { port: ${port}, auth: { middleware: [guards.badge] } }
`;
}

test("an operator suspends, resumes and restarts an agent, and is told what is wrong", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "guards.ts": guards,
    "topology.yaml": topology(await freePort()),
  });
  const agentrt = async (...words: string[]): Promise<ProgramExit> =>
    await runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
  const asAda = ["-H", "X-Badge: ada"];
  const unreachable = await agentrt("suspend", "desk", ...asAda);
  assert.deepEqual([unreachable.code, unreachable.stdout], [1, ""]);
  assert.match(unreachable.stderr, /nothing listens there: is the topology running\?/);

  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  const suspended = await agentrt("suspend", "desk", "--reason", "wrong refunds", ...asAda);
  assert.equal(suspended.code, 0, suspended.stderr);
  assert.match(suspended.stdout, /^"desk" is suspended, [\d.]+ s ago by ada: wrong refunds\n$/);
  await program.waitFor(/suspended for wrong refunds/);
  const resumed = await agentrt("resume", "desk", "--json", ...asAda);
  assert.deepEqual(JSON.parse(resumed.stdout), {
    status: "resume_requested",
    agent: "desk",
    approver: "ada",
  });
  await program.waitFor(/resumed by ada/);
  await agentrt("inject", "desk", "{}", "--type", "hold", ...asAda);
  await program.waitFor(/holds/);
  const late = await agentrt("suspend", "desk", "--reason", "later", ...asAda);
  assert.match(
    late.stdout,
    /^"desk" will be suspended after the message at hand \(hold, for [\d.]+ s\): agentrt describe desk /,
  );
  program.kill("SIGUSR2");
  await program.waitFor(/suspended for later/);
  assert.equal((await agentrt("resume", "desk", ...asAda)).code, 0);
  const drained = await agentrt("drain", "desk", "--reason", "new prices", ...asAda);
  assert.equal(drained.code, 0, drained.stderr);
  await program.waitFor(/it is drained agent=desk initiatedBy=ada reason="new prices"/);
  await program.waitFor(/suspended for new prices/);
  const described = await agentrt("describe", "desk", ...asAda);
  assert.match(
    described.stdout,
    /\n {2}suspended {3}by ada [\d.]+ s ago: new prices \(other, drained\)\n/,
  );
  assert.match(described.stdout, /Z {2}draining {2}reason="new prices" initiated_by=ada\n/);
  assert.equal((await agentrt("resume", "desk", ...asAda)).code, 0);
  const restarted = await agentrt("restart", "desk", ...asAda);
  assert.equal(restarted.code, 0, restarted.stderr);
  await program.waitFor(/agent ends for a restart on request agent=desk initiatedBy=ada/);
  const unwaited = await agentrt("restart", "desk", "--no-wait", ...asAda);
  assert.equal(unwaited.code, 0, unwaited.stderr);
  assert.match(unwaited.stdout, /^"desk" is asked to be restarted; it is [A-Z]+\n$/);
  const forScript = await agentrt("restart", "desk", "--json", ...asAda);
  assert.deepEqual(JSON.parse(forScript.stdout), {
    status: "restart_requested",
    agent: "desk",
    initiated_by: "ada",
    has_begun: true,
  });

  const injected = await agentrt("inject", "desk", '{"flush":true}', "--type", "tidy", ...asAda);
  assert.match(injected.stdout, /^message [0-9a-f-]{36} is in the mailbox of "desk"\n$/);
  await program.waitFor(/handles tidy \{"flush":true\}/);
  const printed = await agentrt("inject", "desk", "--json", ...asAda);
  assert.equal((JSON.parse(printed.stdout) as { status: string }).status, "injected");
  await program.waitFor(/handles message \{\}/);

  // Somebody edits the file, and makes a mistake.
  const path = join(folder.path, "topology.yaml");
  const text = readFileSync(path, "utf8");
  for (const broken of [`${text}x: [\n`, text.replace("type: agents.Desk", "typo: agents.Desk")]) {
    writeFileSync(path, broken);
    const shown = await agentrt("ps", ...asAda);
    assert.deepEqual([shown.code, /^desk +Desk +RUNNING /m.test(shown.stdout)], [0, true]);
    assert.match(
      shown.stderr,
      /"topology\.yaml" is not what runs, it has a fault: topology\.yaml:\d+:/,
    );
    assert.equal(shown.stderr.split("\n").length, 2, shown.stderr);
  }
  assert.equal((await agentrt("suspend", "desk", ...asAda)).code, 0);
  assert.match((await agentrt("ps", ...asAda)).stdout, /^desk .* suspended by ada/m);
  assert.equal((await agentrt("resume", "desk", ...asAda)).code, 0);
  writeFileSync(path, text);

  const rows: readonly (readonly [words: string[], code: number, stderr: RegExp])[] = [
    [
      ["suspend", "dek", ...asAda],
      1,
      /Cannot suspend "dek": agent 'dek' not found, HTTP status 404; did you mean "desk"\?/,
    ],
    [
      ["restart", "root", ...asAda],
      1,
      /Cannot restart "root": 'root' is a supervisor, not an agent, HTTP status 409/,
    ],
    [["resume", "desk"], 1, /who is it\?, HTTP status 401: send credentials/],
    [["suspend", "desk", "--category", "hitl"], 2, /--category/],
    [["suspend"], 2, /agent/],
    [["inject", "desk", "[]"], 2, /the payload is not a JSON object/],
    [["inject", "dek", ...asAda], 1, /Cannot inject "dek": .*; did you mean "desk"\?/],
    [["inject", "desk", "--type", "_agency.stop", ...asAda], 1, /belongs to the runtime/],
  ];
  for (const [words, code, stderr] of rows) {
    const exit = await agentrt(...words);
    assert.deepEqual([exit.code, exit.stdout], [code, ""], words.join(" "));
    assert.match(exit.stderr, stderr);
  }
});
