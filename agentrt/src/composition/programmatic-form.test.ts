/** What a topology file refuses, a program may not give either. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  dynamicSupervisor,
  evalAgent,
  httpGateway,
  keyed,
  pool,
  Runtime,
  supervisor,
  topologyServer,
} from "../index.ts";
import { nodeKinds } from "../node-kinds/index.ts";
import { parseTopology } from "../topology/index.ts";

class Clerk extends Agent {
  override async handle() {
    return {};
  }
}

/** The same calls without types, as in a program that nothing checks. */
type Loose = (...parameters: unknown[]) => never;
const loose = {
  child: child as unknown as Loose,
  supervisor: supervisor as unknown as Loose,
  dynamicSupervisor: dynamicSupervisor as unknown as Loose,
  pool: pool as unknown as Loose,
  keyed: keyed as unknown as Loose,
  evalAgent: evalAgent as unknown as Loose,
  httpGateway: httpGateway as unknown as Loose,
  topologyServer: topologyServer as unknown as Loose,
};
const runtime = (options: unknown): Runtime => new Runtime(options as never);
const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

const rows: readonly (readonly [
  what: string,
  run: () => unknown,
  code: string,
  message: string,
])[] = [
  [
    "a mistyped option of a supervisor",
    () => loose.supervisor("root", { restartCountMx: 9, children: [] }),
    "AGENTRT_OPTION_UNKNOWN",
    'Cannot configure supervisor "root": unknown option "restartCountMx"; did you mean "restartCountMax"?',
  ],
  [
    "an option by its name in a topology",
    () => loose.supervisor("root", { max_restarts: 1, children: [] }),
    "AGENTRT_OPTION_UNKNOWN",
    'Cannot configure supervisor "root": unknown option "max_restarts"; known are strategy, ',
  ],
  [
    "a mistyped option of an agent",
    () => loose.child(Clerk, "a", { mailboxLenghtMax: 9 }),
    "AGENTRT_OPTION_UNKNOWN",
    'Cannot configure agent "a": unknown option "mailboxLenghtMax"; did you mean "mailboxLengthMax"?',
  ],
  ["of a pool", () => loose.pool(Clerk, "p", { sise: 1 }), "AGENTRT_OPTION_UNKNOWN", '"size"'],
  [
    "of a keyed agent",
    () => loose.keyed(Clerk, "k", { idelMs: 1 }),
    "AGENTRT_OPTION_UNKNOWN",
    '"idleMs"',
  ],
  [
    "of a dynamic supervisor",
    () => loose.dynamicSupervisor("d", { childCountMx: 1 }),
    "AGENTRT_OPTION_UNKNOWN",
    '"childCountMax"',
  ],
  [
    "of an eval agent",
    () => loose.evalAgent("e", { agentclass: Clerk }),
    "AGENTRT_OPTION_UNKNOWN",
    '"agentClass"',
  ],
  ["of a gateway", () => loose.httpGateway("g", { prot: 1 }), "AGENTRT_OPTION_UNKNOWN", '"port"'],
  [
    "of a topology server",
    () => loose.topologyServer("t", { hots: "" }),
    "AGENTRT_OPTION_UNKNOWN",
    '"host"',
  ],
  ["of a runtime", () => runtime({ supervison: 1 }), "AGENTRT_OPTION_UNKNOWN", '"supervision"'],
  [
    "no tree",
    () => runtime({}),
    "AGENTRT_OPTION_WRONG",
    "Cannot configure the runtime: supervision: found nothing, wanted a tree, as supervisor() makes it",
  ],
  [
    "no options",
    () => runtime(undefined),
    "AGENTRT_OPTION_WRONG",
    "the options: found nothing, wanted an object",
  ],
  [
    "a text for a class",
    () => loose.child("x", "a"),
    "AGENTRT_OPTION_WRONG",
    'Cannot configure agent "a": class: found "x", wanted a class derived from Agent',
  ],
  [
    "a name with a space",
    () => loose.child(Clerk, "a b"),
    "AGENTRT_OPTION_WRONG",
    'Cannot configure agent: name: found "a b", wanted 1 to 255 characters without spaces',
  ],
  [
    "a name of the runtime's own",
    () => loose.child(Clerk, "_runtime"),
    "AGENTRT_OPTION_WRONG",
    '"_runtime"',
  ],
  [
    "no name",
    () => loose.supervisor(undefined, { children: [] }),
    "AGENTRT_OPTION_WRONG",
    "found nothing",
  ],
  [
    "children that are no nodes",
    () => loose.supervisor("root", { children: [Clerk] }),
    "AGENTRT_OPTION_WRONG",
    "children: found the function Clerk, wanted a list of nodes, as child() and supervisor() make them",
  ],
  [
    "no children",
    () => loose.supervisor("root", {}),
    "AGENTRT_OPTION_WRONG",
    "children: found nothing",
  ],
  [
    "a supervisor without children",
    () => runtime({ supervision: supervisor("root", { children: [] }) }),
    "AGENTRT_OPTION_NO_CHILDREN",
    'Cannot configure supervisor "root": it has no children: it must have at least one',
  ],
];

for (const [what, run, code, message] of rows)
  test(`the programmatic form refuses ${what} with one clear error`, () => {
    assert.throws(run, (error: Error & { code?: string }) => {
      assert.equal(error.code, code, error.message);
      assert.ok(error.message.includes(message), error.message);
      return true;
    });
  });

test("what a program gives is refused in the words of the file: nearest name, children, names", () => {
  const told = (text: string): string =>
    parseTopology(text, { fileName: "t", kinds: nodeKinds })
      .problems.map((each) => each.message)
      .join("\n");
  const empty = told("supervision: { name: root, restart_windw: 1, children: [] }");
  assert.match(empty, /; did you mean "restart_window"\?/);
  assert.match(empty, /has no children: it must have at least one/);
  assert.match(
    told("supervision: { name: a b, children: [{ name: a, type: a.B }] }"),
    /found "a b", wanted a name of 1 to 255 characters without spaces/,
  );
});

test("a mistyped option of a message is refused, and so is one of a spawn", async () => {
  await using running = new Runtime({
    log: silent,
    supervision: supervisor("root", {
      children: [child(Clerk, "clerk"), dynamicSupervisor("dynamic")],
    }),
  });
  await running.start();
  await assert.rejects(running.call("clerk", {}, { timoutMs: 1 } as never), {
    code: "AGENTRT_OPTION_UNKNOWN",
    message: /unknown option "timoutMs"; did you mean "timeoutMs"\?/,
  });
  await assert.rejects(running.spawn(Clerk, "new", {}, { tokn: "x" } as never), {
    code: "AGENTRT_OPTION_UNKNOWN",
    message: /"tokn"; did you mean "token"/,
  });
});

test("a class without handle is refused when its agent starts, not at its first message", async () => {
  const Mute = class extends (Agent as unknown as new (name: string) => object) {};
  await using running = new Runtime({
    log: silent,
    supervision: supervisor("root", { children: [loose.child(Mute, "mute")] }),
  });
  await assert.rejects(running.start(), (error: Error) => {
    const cause = error.cause as Error & { code?: string };
    assert.equal(cause.code, "AGENTRT_OPTION_WRONG");
    assert.match(cause.message, /class: found Mute without handle\(message\)/);
    return true;
  });
});
