/** Secrets of a file that is applied come out nowhere: not in plans, answers, log lines, events, crashes or the audit log. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, freePort } from "testkit";
import { Agent } from "../../core/index.ts";
import { Runtime } from "../runtime.ts";

const environment = {
  OLD_WORD: "fog-lantern-4711",
  NEW_WORD: "tin-harbour-0815",
  OTHER_WORD: "slow-orchard-1234",
};

/** Says all that it was given, as agents do that were written in a hurry. */
class Talker extends Agent {
  override onStart(): void {
    const { fails } = this.config;
    const [word, dsn] = [JSON.stringify(this.config["word"]), JSON.stringify(this.config["dsn"])];
    this.log.info(`begun with ${word} at ${dsn}`, { word });
    if (fails === true) throw new Error(`nobody answers to ${word} at ${dsn}`);
  }

  override handle(): undefined {
    return undefined;
  }
}

const secrets = [...Object.values(environment), "hush-pass", "literal-key-9", "abcdef-bearer-77"];

test("what a file that is applied takes from the environment, and what is called as secrets are, is masked everywhere", async () => {
  const port = await freePort();
  const text = (word: string, dsn: string, more = ""): string => `supervision:
  name: root
  backoff_base: 0
  children:
    - agent:
        name: talker
        type: Talker
        config: { word: "\${${word}}", dsn: "${dsn}"${more} }
    - { name: topo, type: topology_server, config: { port: ${port} } }
`;
  const audit = (folder: string): string =>
    `audit: { sink: jsonl, path: "${join(folder, "audit.jsonl")}", sync_writes: true }\n`;
  using folder = createTemporaryFolder({});
  const first = text("OLD_WORD", "postgres://u:hush-pass@db/x") + audit(folder.path);
  using files = createTemporaryFolder({ "topology.yaml": first });
  const lines: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (line: string | Uint8Array): boolean => {
    lines.push(String(line));
    return true;
  };
  try {
    const runtime = await Runtime.fromTopology(join(files.path, "topology.yaml"), {
      typeMap: { Talker },
      environment,
    });
    await runtime.start();
    const ask = async (path: string, topology?: string): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        ...(topology === undefined
          ? {}
          : { method: "POST", body: JSON.stringify({ topology: topology + audit(folder.path) }) }),
        headers: { "content-type": "application/json" },
      });
      return `${response.status} ${await response.text()}`;
    };
    /** All that was told to those who watch, up to the suspension that ends it. */
    const events = async (): Promise<string> => {
      const leaving = new AbortController();
      const { body } = await fetch(`http://127.0.0.1:${port}/events?recent=1000`, {
        signal: leaving.signal,
      });
      await fetch(`http://127.0.0.1:${port}/agents/talker/suspend`, { method: "POST" });
      let text = "";
      for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
        text += Buffer.from(part).toString();
        if (/agent\.suspended/.test(text)) break;
      }
      leaving.abort();
      return text;
    };
    const more = `, api_key: literal-key-9, headers: { authorization: "Bearer abcdef-bearer-77" }`;
    const next = text("NEW_WORD", `postgres://u:hush-pass@db/\${NEW_WORD}`, more);
    const failing = text("OTHER_WORD", "amqp://u:hush-pass@q/y", ", fails: true");
    const told = [
      await ask("/plan", next),
      await ask("/plan", failing),
      await ask("/apply", next),
      await ask("/apply", failing),
      await ask("/apply"),
      await ask("/logs?limit=500"),
      await ask("/agents/talker/logs"),
      await ask("/agents/talker/history"),
      await ask("/agents/talker/state"),
      await ask("/crashes"),
      await events(),
    ];
    assert.match(told[0] ?? "", /^200 .*config\.word: \$\{OLD_WORD\} -> \$\{NEW_WORD\}/);
    assert.match(told[2] ?? "", /^200 /);
    assert.match(told[3] ?? "", /^409 .*did not start.*nobody answers to [^$]*\$\{OTHER_WORD\}/);
    assert.match(told[4] ?? "", /"failed".*nobody answers to [^$]*\$\{OTHER_WORD\}/);
    assert.match(told[5] ?? "", /begun with [^$]*\$\{NEW_WORD\}/);
    assert.match(told.at(-2) ?? "", /nobody answers to [^$]*\$\{OTHER_WORD\}/);
    assert.match(told.at(-1) ?? "", /"message":"nobody answers to [^$]*\$\{OTHER_WORD\}/);
    await runtime.stop();
    const audited = readdirSync(folder.path).map((name) =>
      readFileSync(join(folder.path, name), "utf8"),
    );
    assert.match(audited.join(""), /apply/);
    assert.match(
      lines.join(""),
      /begun with [^$]*\$\{NEW_WORD\}[^]*nobody answers to [^$]*\$\{OTHER_WORD\}/,
    );
    for (const shown of [...told, ...lines, ...audited])
      for (const secret of secrets) assert.ok(!shown.includes(secret), `${secret} in ${shown}`);
  } finally {
    process.stderr.write = write;
  }
});

test("the value of a variable that only a file that is applied names as a key is masked from then on", async () => {
  const port = await freePort();
  const text = (plugins: string): string => `${plugins}
supervision:
  name: root
  children:
    - agent: { name: teller, type: Teller, config: { plugins: "${plugins.length}" } }
    - { name: topo, type: topology_server, config: { port: ${port} } }
`;
  class Teller extends Agent {
    override onStart(): void {
      this.log.info(`the key is ${process.env["SHOP_BRAIN"]}`);
    }

    override handle(): undefined {
      return undefined;
    }
  }
  using files = createTemporaryFolder({ "topology.yaml": text("") });
  const lines: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  process.env["SHOP_BRAIN"] = "round-kettle-2718";
  process.stderr.write = (line: string | Uint8Array): boolean => {
    lines.push(String(line));
    return true;
  };
  try {
    const runtime = await Runtime.fromTopology(join(files.path, "topology.yaml"), {
      typeMap: { Teller },
    });
    await runtime.start();
    const models = "{ type: openai, config: { default_model: m, api_key_env: SHOP_BRAIN } }";
    const { plan } = await runtime.apply({
      files: [{ fileName: "topology.yaml", text: text(`plugins: { models: [${models}] }`) }],
    });
    assert.ok(plan.isChange);
    const logs = await (await fetch(`http://127.0.0.1:${port}/agents/teller/logs`)).text();
    await runtime.stop();
    const told = lines.filter((line) => line.includes("the key is"));
    // Until it is named, nobody knows that it is one.
    assert.equal(told.length, 2);
    assert.match(told[1] ?? "", /the key is \*\*\*/);
    assert.match(logs, /the key is \*\*\*/);
  } finally {
    process.stderr.write = write;
    delete process.env["SHOP_BRAIN"];
  }
});
