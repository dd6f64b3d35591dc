/** The dashboard in a real terminal, driven by keys and by the bytes that a mouse sends; what it shows is compared whole. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  openTerminal,
  type Program,
  runProgram,
  skipUnless,
  startProgram,
  type TemporaryFolder,
  type Terminal,
} from "testkit";
import { assertFrame } from "../test-support/assert-frame.ts";

const waitMs = 60_000;
const agentrt = `${process.execPath} ${agentrtLauncher()}`;

const agents = `import { Agent } from "agentrt";
export class Desk extends Agent {
  override async handle(message: { readonly type: string }) {
    if (message.type === "break") throw new TypeError("\\u001B[2Jno \\u001B]0;title\\u0007stamp");
    return {};
  }
}
`;

function topologyText(port: number, name: string): string {
  return `supervision:
  name: ${name}
  max_restarts: 100
  backoff_base: 0.01
  children:
    - supervisor:
        name: front
        strategy: REST_FOR_ONE
        max_restarts: 100
        backoff_base: 0.01
        children:
          - agent: { name: desk, type: agents.Desk }
          - agent: { name: clerk, type: agents.Desk }
    - agent: { name: archive, type: agents.Desk }
    - { type: pool, name: readers, class: agents.Desk, size: 2 }
    - { type: topology_server, config: { port: ${port} } }
`;
}

/** What changes from run to run, without changing what is around it. */
function masked(screen: string): string {
  return screen
    .replace(/(messages {2}).*/, "$1…")
    .replaceAll(
      /(pid|uptime|cpu|memory|loop late|handled|last crash|since)( [^│┃]*)/g,
      (whole, label: string) => label.padEnd(whole.length, "~"),
    )
    .replaceAll(/[▁▂▃▄▅▆▇█]/g, " ")
    .replaceAll(/in (docker|kubernetes|containerd)/g, (whole) => " ".repeat(whole.length))
    .trimEnd();
}

/** Compares what a terminal shows, or a part of it, with what is kept of that. */
async function shows(
  terminal: Terminal,
  name: string,
  partOf = (screen: string): string => screen,
): Promise<void> {
  const path = fileURLToPath(new URL(`frames/${name}.txt`, import.meta.url));
  await assertFrame(terminal, path, (screen) => masked(partOf(screen)));
}

/** The window in front. */
function windowIn(screen: string): string {
  return screen.match(/║.*║/g)?.join("\n") ?? "";
}

/** Presses and lets go the left button, at a column and a row that count from 1. */
function click(terminal: Terminal, column: number, row: number): void {
  sendBytes(terminal, `\u001B[<0;${column};${row}M\u001B[<0;${column};${row}m`);
}

function sendBytes(terminal: Terminal, bytes: string): void {
  const hex = Array.from(Buffer.from(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  terminal.tmux("send-keys", "-t", "main", "-H", ...hex);
}

/** A folder with the topology `shop.yaml`. */
async function shopFolder(): Promise<{ readonly folder: TemporaryFolder; readonly port: number }> {
  const port = await freePort();
  const folder = createTemporaryFolder({
    "agents.ts": agents,
    "shop.yaml": topologyText(port, "shop"),
  });
  return { folder, port };
}

async function start(folder: TemporaryFolder, topology: string): Promise<Program> {
  const program = startProgram(process.execPath, [agentrtLauncher(), "run", "-t", topology], {
    workingDirectory: folder.path,
    timeoutMs: 400_000,
  });
  await program.waitFor(/started/);
  return program;
}

/** Ends a topology as Ctrl+C does. */
async function end(program: Program): Promise<void> {
  program.kill("SIGINT");
  await program.exited();
}

const skip = skipUnless("tmux");

test(
  "one topology on 80 columns: keys, mouse, acts, and a server that is away for a while",
  { skip },
  async () => {
    const { folder: made, port } = await shopFolder();
    using folder = made;
    await using programs = new AsyncDisposableStack();
    let program = programs.use(await start(folder, "shop.yaml"));
    using terminal = openTerminal(
      `cd ${folder.path} && PS1='ready> ' NO_COLOR=1 ${agentrt} dashboard shop.yaml -r 0.2; PS1='ready> ' exec sh`,
    );
    await terminal.waitFor(/topology_server[^]*loop late/, waitMs);
    await shows(terminal, "start");

    // A click selects, and the arrow keys go on from there.
    click(terminal, 10, 6);
    await terminal.waitFor(/›.*desk[^]*mailbox/, waitMs);
    terminal.type("Down");
    await terminal.waitFor(/›.*clerk[^]*mailbox[^]*messages a second/, waitMs);
    await shows(terminal, "selected");
    terminal.type("f");
    await terminal.waitFor(/─{36}/, waitMs);
    await shows(terminal, "wide");
    terminal.type("f");
    await terminal.waitFor(/^(?![^]*─{36})/, waitMs);

    // The palette finds commands by letters of their names.
    terminal.type("C-p");
    await terminal.waitFor(/> ▏[^]*Quit/, waitMs);
    // What is behind the window goes on changing.
    await shows(terminal, "palette", windowIn);
    terminal.type("s", "u", "s", "p");
    await terminal.waitFor(/> susp▏/, waitMs);
    terminal.type("Enter");
    await terminal.waitFor(/Suspend "clerk"\?/, waitMs);
    terminal.type("n");
    await terminal.waitFor(/^(?![^]*Suspend "clerk")/, waitMs);
    terminal.type("s");
    await terminal.waitFor(/Suspend "clerk"\?/, waitMs);
    terminal.type("y");
    await terminal.waitFor(/"clerk" is asked to be suspended[^]*$/, waitMs);
    await terminal.waitFor(/‖ clerk[^]*SUSPENDED[^]*asked for at/, waitMs);
    await shows(terminal, "suspended");

    terminal.type("/", "a", "r", "c", "h");
    await terminal.waitFor(/Tree \/arch/, waitMs);
    await shows(terminal, "filter");
    terminal.type("Escape");
    await terminal.waitFor(/readers/, waitMs);

    await end(program);
    const lost = await terminal.waitFor(/unreachable: http:[^]*\/snapshot[^]*\/processes/, waitMs);
    assert.match(lost, /clerk/, "what was known last goes on being shown");
    program = programs.use(await start(folder, "shop.yaml"));
    await terminal.waitFor(/^(?![^]*unreachable)/, waitMs);

    terminal.type("q");
    await terminal.waitFor(/ready>/, waitMs);
    assert.equal(
      terminal
        .tmux(
          "display-message",
          "-p",
          "-t",
          "main",
          "#{mouse_any_flag} #{alternate_on} #{cursor_flag}",
        )
        .trim(),
      "0 0 1",
      "the terminal is as it was",
    );
    assert.equal((await fetch(`http://127.0.0.1:${port}/ready`)).status, 200, "what runs goes on");
    await end(program);
  },
);

test(
  "two topologies on 200 columns: tabs, history, events, and what an agent says cannot command the terminal",
  { skip },
  async () => {
    const ports = [await freePort(), await freePort()] as const;
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "shop.yaml": topologyText(ports[0], "shop"),
      "depot.yaml": topologyText(ports[1], "depot"),
    });
    await using shop = await start(folder, "shop.yaml");
    await using depot = await start(folder, "depot.yaml");
    assert.ok(shop !== depot);
    using terminal = openTerminal(
      `cd ${folder.path} && NO_COLOR=1 ${agentrt} dashboard shop.yaml depot.yaml -r 0.2; PS1='ready> ' exec sh`,
      { columns: 200, rows: 60 },
    );
    await terminal.waitFor(/\[1 shop\][^]*loop late/, waitMs);
    await shows(terminal, "two-tabs");
    click(terminal, 14, 2);
    await terminal.waitFor(/\[2 depot\][^]*▪ depot/, waitMs);

    const { code } = await runProgram(
      process.execPath,
      [agentrtLauncher(), "inject", "archive", "--type", "break", "-t", "depot.yaml"],
      { workingDirectory: folder.path },
    );
    assert.equal(code, 0);
    click(terminal, 10, 9);
    const crashed = await terminal.waitFor(/archive ↻1[^]*last crash.*ago:/, waitMs);
    assert.match(crashed, /\\u001b\[2Jno/, "control characters are written out");
    assert.match(crashed, /restarts {3}1/);
    terminal.type("h");
    await terminal.waitFor(/History[^]*crash_id=/, waitMs);
    terminal.type("e");
    await terminal.waitFor(/Events[^]*agent\.crashed archive/, waitMs);
    terminal.type("?");
    await terminal.waitFor(/Keys[^]*quit; what runs goes on/, waitMs);
    await shows(terminal, "help", windowIn);
    terminal.type("x", "1");
    await terminal.waitFor(/\[1 shop\]/, waitMs);
    terminal.type("C-c");
    await terminal.waitFor(/ready>/, waitMs);
  },
);

test("a terminal without a mouse that becomes smaller and larger", { skip }, async () => {
  const { folder: made } = await shopFolder();
  using folder = made;
  await using program = await start(folder, "shop.yaml");
  using terminal = openTerminal(
    `cd ${folder.path} && PS1='ready> ' TERM=vt100 ${agentrt} dashboard shop.yaml -r 0.2; PS1='ready> ' exec sh`,
  );
  await terminal.waitFor(/topology_server[^]*loop late/, waitMs);
  terminal.type("Down", "Down", "Down");
  await terminal.waitFor(/›.*desk[^]*mailbox/, waitMs);

  // Each size has the whole frame, and what was selected stays so.
  for (const [columns, rows] of [
    [60, 16],
    [140, 40],
    [80, 24],
  ] as const) {
    terminal.tmux("resize-window", "-t", "main", "-x", `${columns}`, "-y", `${rows}`);
    const framed = new RegExp(`^┏━[^\\n]*┐\\n([^\\n]{${columns}}\\n){${rows - 4}}┗━`, "m");
    const screen = await terminal.waitFor(framed, waitMs);
    assert.match(screen, /›.*desk/);
    assert.equal(screen.trimEnd().split("\n").length, rows);
    for (const line of screen.trimEnd().split("\n")) assert.ok(line.length <= columns, line);
  }
  terminal.type("q");
  await terminal.waitFor(/(?:^|\$ )ready> *$/m, waitMs);
  await end(program);
});

test(
  "without a terminal, and for screen readers: lines; once, for scripts: a document",
  { skip },
  async () => {
    const { folder: made } = await shopFolder();
    using folder = made;
    const options = { workingDirectory: folder.path };
    const dashboard = async (...words: string[]): ReturnType<typeof runProgram> =>
      await runProgram(process.execPath, [agentrtLauncher(), "dashboard", ...words], options);

    const away = await dashboard("shop.yaml", "--once");
    assert.equal(away.code, 1);
    assert.match(away.stdout, /^unreachable: http:.*\/topology: nothing listens there/m);

    await using program = await start(folder, "shop.yaml");
    const once = await dashboard("shop.yaml", "--once");
    assert.equal(once.code, 0, once.stderr);
    assert.match(once.stdout, /^│ {2}├─ ● desk RUNNING$/m);
    const { topologies } = JSON.parse((await dashboard("shop.yaml", "--json")).stdout) as {
      readonly topologies: readonly {
        readonly label: string;
        readonly topology: { readonly name: string };
      }[];
    };
    assert.deepEqual(
      topologies.map(({ label, topology }) => [label, topology.name]),
      [["shop", "shop"]],
    );

    await using plain = startProgram(
      process.execPath,
      [agentrtLauncher(), "dashboard", "shop.yaml", "-r", "0.2", "--plain"],
      { ...options, timeoutMs: 400_000 },
    );
    await plain.waitFor(/● desk RUNNING/);
    await runProgram(
      process.execPath,
      [agentrtLauncher(), "suspend", "desk", "-t", "shop.yaml", "--reason", "a look"],
      options,
    );
    await plain.waitFor(/^desk: RUNNING, now SUSPENDED$/m);
    await end(program);
    await plain.waitFor(/^unreachable: http:.*\/topology: /m);
  },
);

test("what is wrong with the command line is said in one line", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "bare.yaml": `supervision: { name: root, children: [{ agent: { name: desk, type: agents.Desk } }] }\n`,
  });
  const dashboard = async (...words: string[]): Promise<string> => {
    const options = { workingDirectory: folder.path };
    const launched = [agentrtLauncher(), "dashboard", ...words];
    const { code, stderr } = await runProgram(process.execPath, launched, options);
    return `${code} ${stderr.split("\n")[0] ?? ""}`;
  };
  assert.match(await dashboard(), /^2 .*missing required argument 'topologies'/);
  assert.match(
    await dashboard("bare.yaml", "-r", "0"),
    /^2 .*--refresh must be a number of seconds/,
  );
  assert.match(await dashboard("bare.yaml"), /^1 .*topology_server/);
  assert.match(await dashboard("bare.yaml", "-H", "nothing"), /header/);
});
