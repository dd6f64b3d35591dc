/** Tools of real servers, over the official SDK on both sides: a program on its stdin and stdout, and a URL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort, startProgram } from "testkit";
import {
  Agent,
  child,
  createTextLog,
  type JsonObject,
  type Message,
  supervisor,
  TableError,
} from "../core/index.ts";
import { Runtime } from "../runtime/index.ts";
import { type McpServerOptions, McpToolSource } from "./index.ts";

const server = fileURLToPath(new URL("fixtures/tool-server.ts", import.meta.url));
const program = (environment: { readonly [name: string]: string } = {}): McpServerOptions => ({
  name: "tools",
  address: { transport: "stdio", command: process.execPath, args: [server], environment },
});

/** Uses a tool as its messages say; keeps what failed. */
class User extends Agent {
  override async handle({ payload }: Message): Promise<object> {
    const {
      tool,
      input = {},
      list,
      model,
      timeoutMs,
    } = payload as {
      tool?: string;
      input?: JsonObject;
      list?: boolean;
      model?: string;
      timeoutMs?: number;
    };
    if (list === true) {
      const forModel = this.tools.forModel().map(({ name }) => name);
      return { names: this.tools.list().map(({ name }) => name), forModel };
    }
    try {
      if (model !== undefined) {
        return { message: { ...(await this.tools.answer({ id: "c1", name: model, input })) } };
      }
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      return { ...(await this.tools.call(tool ?? "", input, options)) };
    } catch (error) {
      if (error instanceof TableError) return { code: error.code, message: error.message };
      throw error;
    }
  }
}

function textOf(reply: JsonObject, key: string): string {
  const value = reply[key];
  assert.ok(typeof value === "string", JSON.stringify(reply));
  return value;
}

async function serve(...servers: readonly McpServerOptions[]) {
  const lines: string[] = [];
  const runtime = new Runtime({
    supervision: supervisor("root", { children: [child(User, "user")] }),
    tools: servers.map((options) => new McpToolSource(options)),
    log: createTextLog({ level: "debug", write: (line) => void lines.push(line) }),
  });
  await runtime.start();
  return {
    runtime,
    lines,
    ask: (payload: object) => runtime.call("user", payload),
    [Symbol.asyncDispose]: () => runtime.stop().then(() => undefined),
  };
}

test("an agent lists and uses the tools of a program", async () => {
  await using setup = await serve(program());
  const { names, forModel } = (await setup.ask({ list: true })) as {
    names: string[];
    forModel: string[];
  };
  assert.ok(names.includes("mcp://tools/add"));
  assert.ok(forModel.includes("tools__add"));
  const rows = [
    [
      { tool: "mcp://tools/add", input: { a: 1, b: 2 } },
      { content: "3", structured: { sum: 3 } },
    ],
    [
      { tool: "tools__add", input: { a: 2, b: 2 } },
      { content: "4", structured: { sum: 4 } },
    ],
    [{ tool: "mcp://tools/lines" }, { content: "one\ntwo" }],
  ] as const;
  for (const [question, answer] of rows) assert.deepEqual(await setup.ask(question), answer);
  const mixed = (await setup.ask({ tool: "mcp://tools/mixed" })) as { content: { type: string }[] };
  assert.deepEqual(
    mixed.content.map(({ type }) => type),
    ["text", "image"],
  );
  assert.ok(setup.lines.some((line) => line.includes("a word on stderr")));
});

test("a failure of a tool is a typed error for the agent and an answer for its model", async () => {
  await using setup = await serve(program());
  for (const [payload, code, message] of [
    [{ tool: "mcp://tools/refuse" }, "AGENTRT_TOOL_FAILED", /it is Sunday/],
    [{ tool: "mcp://tools/ad" }, "AGENTRT_TOOL_UNKNOWN_NAME", /did you mean "mcp:\/\/tools\/add"/],
    [{ tool: "mcp://tools/add", input: { a: "x" } }, "AGENTRT_TOOL_FAILED", /a/],
    [{ tool: "mcp://tools/hang", timeoutMs: 50 }, "AGENTRT_TOOL_TIMEOUT", /within 50 ms/],
    [{ tool: "mcp://tools/add", timeoutMs: 0 }, "AGENTRT_TOOL_INPUT_INVALID", /timeoutMs is 0/],
    [{ tool: "mcp://tools/add", input: null }, "AGENTRT_TOOL_INPUT_INVALID", /input is nothing/],
    [{ tool: "mcp://tools/add", input: [1] }, "AGENTRT_TOOL_INPUT_INVALID", /input is an array/],
  ] as const) {
    const reply = await setup.ask(payload);
    assert.equal(reply["code"], code, JSON.stringify(reply));
    assert.match(textOf(reply, "message"), message);
  }
  assert.deepEqual(await setup.ask({ model: "tools__refuse" }), {
    message: { role: "tool", toolCallId: "c1", content: "it is Sunday", isError: true },
  });
  const { message } = (await setup.ask({ model: "tools__none" })) as {
    message: { content: string; isError: boolean };
  };
  assert.ok(message.isError && message.content.includes("no tool server offers it"));
});

test("a server that dies fails the call at hand; the next call starts it anew", async () => {
  await using setup = await serve(program());
  const { pid: first } = JSON.parse(
    textOf(await setup.ask({ tool: "mcp://tools/who" }), "content"),
  ) as { pid: number };
  assert.equal((await setup.ask({ tool: "mcp://tools/die" }))["code"], "AGENTRT_TOOL_UNAVAILABLE");
  const { pid: second } = JSON.parse(
    textOf(await setup.ask({ tool: "mcp://tools/who" }), "content"),
  ) as { pid: number };
  assert.notEqual(first, second);
  assert.ok(setup.lines.some((line) => /warn .*a tool server went away/.test(line)));
  assert.equal(setup.runtime.tree().children[0]?.restartCount, 0);
});

test("a server that is not there is a warning at the start, and an error of the call", async () => {
  const address = { transport: "stdio", command: "/nowhere/at-all" } as const;
  await using setup = await serve({ name: "missing", address }, program());
  assert.ok(setup.lines.some((line) => /warn .*its tools are missing/.test(line)));
  const reply = await setup.ask({ tool: "mcp://missing/anything" });
  assert.equal(reply["code"], "AGENTRT_TOOL_UNAVAILABLE");
  assert.match(textOf(reply, "message"), /"missing": .*ENOENT/);
  assert.equal((await setup.ask({ tool: "mcp://tools/lines" }))["content"], "one\ntwo");
});

test("a server that says nothing does not hold up the start", async () => {
  const script = "setInterval(() => {}, 1000)";
  const address = { transport: "stdio", command: process.execPath, args: ["-e", script] } as const;
  await using setup = await serve({ name: "mute", address, connectTimeoutMs: 100 });
  const line = setup.lines.find((each) => each.includes("its tools are missing"));
  assert.match(line ?? "", /"mute\\?": .*timed out/i);
});

test("a program gets the variables it was given and none of the runtime's secrets", async () => {
  process.env["OTHER_SECRET"] = "leaked";
  await using setup = await serve(program({ TOOL_SECRET: "for the tool" }));
  delete process.env["OTHER_SECRET"];
  const { secret, other } = JSON.parse(
    textOf(await setup.ask({ tool: "mcp://tools/who" }), "content"),
  ) as { secret: string; other: null };
  assert.deepEqual([secret, other], ["for the tool", null]);
});

test("a server that says its list has changed is asked for it again", async () => {
  await using setup = await serve(program());
  await setup.ask({ tool: "mcp://tools/learn" });
  const deadlineMs = performance.now() + 10_000;
  for (;;) {
    const { names } = (await setup.ask({ list: true })) as { names: string[] };
    if (names.includes("mcp://tools/learned")) break;
    assert.ok(performance.now() < deadlineMs, "the new tool never came");
  }
  assert.equal((await setup.ask({ tool: "mcp://tools/learned" }))["content"], "learned");
});

test("an agent uses the tools of a URL, with a header from outside of the file, and no log line shows it", async () => {
  const port = await freePort();
  await using http = startProgram(process.execPath, [server, "http", String(port)]);
  await http.waitFor(/listening/);
  const url = `http://127.0.0.1:${port}/mcp`;
  const headers = { Authorization: "Bearer s3cret-token" };
  await using setup = await serve(
    { name: "tools", address: { transport: "http", url, headers } },
    { name: "refused", address: { transport: "http", url } },
  );
  assert.deepEqual(await setup.ask({ tool: "mcp://tools/add", input: { a: 20, b: 22 } }), {
    content: "42",
    structured: { sum: 42 },
  });
  const reply = await setup.ask({ tool: "mcp://refused/add" });
  assert.equal(reply["code"], "AGENTRT_TOOL_UNAVAILABLE");
  assert.ok(!setup.lines.join("").includes("s3cret-token"));
});

test("stopping the runtime ends the server's process", async () => {
  const setup = await serve(program());
  const { pid } = JSON.parse(textOf(await setup.ask({ tool: "mcp://tools/who" }), "content")) as {
    pid: number;
  };
  await setup.runtime.stop();
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
});
