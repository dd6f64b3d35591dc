/** Pictures that are drawn again, on a real terminal that is narrower and lower than they are. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  openTerminal,
  skipUnless,
  startProgram,
} from "testkit";

const agents = `import { Agent } from "agentrt";
export class Desk extends Agent { override async handle() { return {}; } }
`;

test(
  "top and topology show --watch keep to a narrow, low terminal, and leave it whole at Ctrl+C",
  { skip: skipUnless("tmux") },
  async () => {
    const names = Array.from({ length: 14 }, (_, index) => `desk-with-a-rather-long-name-${index}`);
    const nodes = names.map((name) => `    - agent: { name: ${name}, type: agents.Desk }\n`);
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": `supervision:\n  name: root\n  children:\n${nodes.join("")}    - { type: topology_server, config: { port: ${await freePort()} } }\n`,
    });
    const options = { workingDirectory: folder.path, timeoutMs: 240_000 };
    await using program = startProgram(process.execPath, [agentrtLauncher(), "run"], options);
    await program.waitFor(/started/);
    using terminal = openTerminal(`cd ${folder.path} && PS1='ready> ' exec sh`, {
      columns: 40,
      rows: 12,
    });
    const agentrt = `${process.execPath} ${agentrtLauncher()}`;

    terminal.type(`${agentrt} top --interval 0.2`, "Enter");
    const first = await terminal.waitFor(/^pid \d+ [^]*^COSTLIEST: nothing/m, 60_000);
    const [line1 = "", line2] = first.split("\n");
    assert.match(line1, /^pid \d+ {2}up .{10,33}$/);
    assert.equal(line2, "", "what is too long is cut");
    // Another picture takes its place.
    const up = /up (\S+ s)/.exec(line1)?.[1] ?? "";
    await terminal.waitFor(new RegExp(`^pid \\d+ {2}up (?!${up.replace(".", "\\.")})`), 60_000);
    terminal.type("C-c");
    await terminal.waitFor(/^COSTLIEST: nothing\n(\^C)?\n?ready>/m, 60_000);

    terminal.type(`clear; ${agentrt} topology show --watch`, "Enter");
    const tree = await terminal.waitFor(/^├── desk-with-a-rather-long-name-8/m, 60_000);
    assert.match(tree, /^root/, "the first line is on the screen, what is below it is cut");
    terminal.type("C-c");
    await terminal.waitFor(/ready>\s*$/, 60_000);
    // Lines go on below again, and what is typed is seen.
    terminal.type("clear; echo " + "w".repeat(50), "Enter");
    await terminal.waitFor(/^w{40}\nw{10}$/m, 60_000);
  },
);
