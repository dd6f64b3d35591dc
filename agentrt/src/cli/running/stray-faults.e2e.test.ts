/** Code that misbehaves outside of a handler, or in onError, through the real command line. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, runProgram, startProgram } from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";
export class Failing extends Agent {
  override async onStart() {
    this.sendAfter(1, {});
  }
  override async handle() {
    throw new Error("the original");
  }
  override async onError() {
    if (this.config["answer"] === "throw") throw new Error("onError itself");
    return this.config["answer"];
  }
}
`;

test("a module that ends the process while it is loaded is named, by run and by validate --load", async () => {
  using folder = createTemporaryFolder({
    "leaves.ts": "process.exit(3);\nexport class T {}\n",
    "topology.yaml": "supervision: { name: root, children: [{ name: t, type: leaves.T }] }\n",
  });
  for (const words of [["run"], ["topology", "validate", "--load"]]) {
    const { code, stderr } = await runProgram(process.execPath, [binary, ...words], {
      workingDirectory: folder.path,
    });
    assert.equal(code, 3);
    assert.match(stderr, /a module of the topology called process\.exit\(3\) while it was loaded/);
  }
});

const late = `await new Promise((resolve) => globalThis.setTimeout(resolve, 60_000));
export class T {}
`;

for (const { title, source, expected } of [
  {
    title: "a module that throws",
    source: "const settings = undefined;\nconsole.log(settings.port);\nexport class T {}\n",
    expected: /topology\.yaml:1:\d+: .*Cannot load "own\.T": \S*own\.ts:2: Cannot read properties/,
  },
  {
    title: "a module that throws what is no error and cannot be shown",
    source: "throw { toString() { throw new Error() } };\nexport class T {}\n",
    expected: /Cannot load "own\.T": \S*own\.ts: it threw a/,
  },
  {
    title: "a timer that throws while a module is loaded",
    source: `setTimeout(() => {\n  throw new Error("late");\n}, 0);\n${late}`,
    expected: /a timer or promise of a module failed.*: late, at \S*own\.ts:2:\d+\./,
  },
  {
    title: "a promise that nobody awaits while a module is loaded",
    source: `void Promise.reject(new Error("late"));\n${late}`,
    expected: /a timer or promise of a module failed.*: late, at \S*own\.ts:1:\d+\./,
  },
]) {
  test(`${title} is told in one line, with file and line, by run, sim and validate --load`, async () => {
    using folder = createTemporaryFolder({
      "own.ts": source,
      "topology.yaml": "supervision: { name: root, children: [{ name: t, type: own.T }] }\n",
    });
    for (const words of [["run"], ["sim"], ["topology", "validate", "--load"]]) {
      const { code, stdout, stderr } = await runProgram(process.execPath, [binary, ...words], {
        workingDirectory: folder.path,
      });
      assert.equal(code, 1);
      assert.match(words.includes("--load") ? stdout + stderr : stderr, expected);
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    }
  });
}

test("a constructor that throws is told with file and line: of an agent, of a plugin", async () => {
  using folder = createTemporaryFolder({
    "own.ts": `import { Agent } from "agentrt";
export class T extends Agent {
  constructor() {
    super();
    throw new TypeError("not today");
  }
}
`,
    "agent.yaml": "supervision: { name: root, children: [{ name: t, type: own.T }] }\n",
    "plugin.yaml":
      "plugins: { models: [{ type: own.T }] }\nsupervision: { name: root, children: [{ name: t, type: own.T }] }\n",
  });
  for (const [file, expected] of [
    ["agent.yaml", /^agentrt: Cannot start "t": not today, at \S*own\.ts:5:11\. /m],
    ["plugin.yaml", /^agentrt: plugin\.yaml:1:\d+: .*not today, at \S*own\.ts:5:11\. /m],
  ] as const) {
    const { code, stdout, stderr } = await runProgram(process.execPath, [binary, "run", file], {
      workingDirectory: folder.path,
    });
    assert.equal(code, 1);
    assert.match(stderr, expected);
    assert.doesNotMatch(stdout + stderr, /\n {4}at /);
  }
});

test("a fault of a module's timer stops the tree, with its onStop, and no value of a variable is in the report", async () => {
  using folder = createTemporaryFolder({
    "late.ts": `import { Agent } from "agentrt";
export class T extends Agent {
  override async onStart() {
    globalThis.fail = this.config["word"];
  }
  override async onStop() {
    console.log("t is stopped");
  }
  override async handle() {
    return {};
  }
}
const timer = setInterval(() => {
  if (globalThis.fail === undefined) return;
  clearInterval(timer);
  throw new Error("late fault of " + globalThis.fail);
}, 1);
`,
    "topology.yaml": `supervision:
  name: root
  children:
    - name: t
      type: late.T
      config: { word: "\${WORD}" }
`,
  });
  const { code, stdout, stderr } = await runProgram(
    process.execPath,
    [binary, "run", "--substitute-env"],
    {
      workingDirectory: folder.path,
      environment: { ...process.env, WORD: "open-sesame-11" },
    },
  );
  assert.equal(code, 1, stderr);
  assert.match(stderr, /a fault outside of any agent ends the process.*late fault of \$\{WORD\}/);
  assert.match(stdout, /t is stopped/);
  assert.doesNotMatch(stdout + stderr, /sesame|\n {4}at /);
});

test("onError that stops the agent, fails, or answers something else does not hide the error of the message", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": `supervision:
  name: root
  max_restarts: 0
  children:
    - { name: stops, type: agents.Failing, config: { answer: stop } }
    - { name: throws, type: agents.Failing, config: { answer: throw } }
    - { name: shouts, type: agents.Failing, config: { answer: RETRY } }
`,
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  for (const pattern of [
    /the agent stops: onError answered "stop" agent=stops .*the original/,
    /onError failed about this error agent=throws .*the original/,
    /onError answered "RETRY", wanted one of retry, skip, escalate, stop agent=shouts .*the original/,
  ])
    await program.waitFor(pattern);
  program.kill("SIGTERM");
  await program.exited();
});
