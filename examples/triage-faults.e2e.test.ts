/** An operator's hour: each fault of the triage example is switched on, found and mended with the commands of the guide. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { agentrtLauncher, createTemporaryFolder, runProgram, startProgram } from "testkit";

const hour = fileURLToPath(new URL("triage/faults/hour.ts", import.meta.url));

/** The folder of the hour, and whoever is on duty there. */
class Duty {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs a command until it shows what is looked for: faults need some seconds until they are seen. */
  async find(words: string, pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(await this.agentrt(words));
      if (found !== null) return found;
    }
  }

  async agentrt(words: string): Promise<string> {
    const exit = await runProgram(process.execPath, [agentrtLauncher(), ...words.split(" ")], {
      workingDirectory: this.folder,
    });
    return exit.stdout + exit.stderr;
  }

  /** Edits the file and applies it. */
  async apply(from: string | RegExp = "", to = ""): Promise<string> {
    const path = join(this.folder, "topology.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    const said = await this.agentrt("topology apply topology.yaml --yes");
    assert.match(said, /Applied/);
    return said;
  }
}

/** Finds a fault and mends it, as the guide says. */
type Night = (duty: Duty) => Promise<unknown>;

const nights: { readonly [fault: string]: Night } = {
  "slow-agent": async (duty) => {
    await duty.find("top --once", /SLOWEST.*\nlookup +http\.request [2-9]\.\d s/);
    await duty.agentrt("restart lookup");
  },
  "full-mailbox": async (duty) => {
    await duty.find("ps", /^archive +Archive +RUNNING +\d+ +[3-5]\d /m);
    await duty.find("dead-letters", /refused {2}api -> archive/);
    await duty.apply("concurrency: 1,", "concurrency: 20,");
  },
  "crash-loop": async (duty) => {
    await duty.find("ps", /^mailer +Mailer +\w+ +[2-9] /m);
    await duty.find("describe mailer", /last crash.*config\.server must begin with smtp:\/\//);
    await duty.apply("mail.example:25", "smtp://mail.example");
  },
  "pending-approval": async (duty) => {
    await duty.find("ps", /^refunds .*SUSPENDED[^!]*\n! 1 approval waits for a person/m);
    assert.match(await duty.agentrt("resume refunds"), /waits for an approval/);
    const pattern = /waits for +approval of a refund: agentrt approvals show (\S+),/;
    const [, id = ""] = await duty.find("describe refunds", pattern);
    await duty.agentrt(`approvals approve ${id}`);
  },
  "stuck-model": async (duty) => {
    await duty.find("ps", /^digest +Digest +RUNNING .*http\.request \d+(\.\d)? s/m);
    await duty.find("ps", /^reader +Reader \(pool\) +RUNNING .* \+7, waits for the model /m);
    await duty.find("ps", /^! the model .* has answered nobody for .* agents wait for it/m);
    const said = await duty.apply('/first" }', '/second" }');
    const waits = /^digest still waits for the model .* that was replaced, for .*: agentrt (.*)$/m;
    const [, command = ""] = waits.exec(said) ?? assert.fail(said);
    await duty.agentrt(command);
  },
  "leaking-tokens": async (duty) => {
    await duty.find("top --once", /COSTLIEST.*\ndigest +\d{5,} /);
    await duty.agentrt("suspend digest");
    await duty.find("ps", /^digest +Digest +SUSPENDED .* suspended by /m);
  },
  "dead-store": async (duty) => {
    await duty.find("ps", /! no state is saved in tickets\.db: another program holds it/);
    const [, pid = ""] = await duty.find("doctor", /process (\d+) \(node hold-store\.ts/);
    process.kill(Number(pid));
  },
  "wrong-configuration": async (duty) => {
    await duty.find("topology show", /note: it runs with other settings than this file/);
    assert.match(await duty.agentrt("topology plan topology.yaml"), /reader[^]*max: 1 -> 8/);
    await duty.apply();
  },
  "blocked-loop": async (duty) => {
    await duty.find("ps", /! nobody was served for \d{4} ms/);
    await duty.find("logs", /warn +fraud +the event loop is blocked/);
    assert.match(await duty.agentrt("suspend fraud"), /"fraud" (is|will be) suspended/);
  },
  "open-port": async (duty) => {
    await duty.find("doctor", /"debug" serves .* and nothing of agentrt there asks who comes/);
    await duty.apply(/.*name: debug.*\n/);
  },
};

test(
  "each of ten faults is found and mended with the commands of the guide, while the process runs on",
  { timeout: 540_000 },
  async () => {
    using folder = createTemporaryFolder();
    const duty = new Duty(join(folder.path, "hour"));
    const started = ["start", duty.folder, "--agentrt", agentrtLauncher()];
    await using program = startProgram(process.execPath, [hour, ...started], {
      timeoutMs: 540_000,
    });
    const [, pid = ""] = await program.waitFor(/process (\d+)\n/);
    const ask = async (...words: string[]): Promise<string> => {
      const exit = await runProgram(process.execPath, [hour, ...words]);
      assert.equal(exit.code, 0, exit.stderr);
      return exit.stdout;
    };
    for (const [name, night] of Object.entries(nights)) {
      assert.match(await ask("on", duty.folder, name), /something is wrong/);
      // Nothing is said of what it is, nor how it is felt.
      assert.match(await ask("status", duty.folder), /: not mended for \d+ s\nthe process/, name);
      if (name === "slow-agent") {
        const second = await runProgram(process.execPath, [hour, "on", duty.folder, "open-port"]);
        assert.deepEqual([second.code, /fault 1 is not mended yet/.test(second.stdout)], [1, true]);
        assert.match(await ask("hint", duty.folder), /an address is not looked up within 1\.5 s/);
      }
      await night(duty);
      let status = "";
      while (!status.includes(`: ${name}\n`)) status = await ask("status", duty.folder);
      assert.ok(status.endsWith(`the process ${pid} runs on\n`), status);
    }
    await ask("stop", duty.folder);
  },
);
