/** MCP over HTTP: the official client, and requests that must not be served. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createTemporaryFolder, type Program, runProgram, startProgram } from "testkit";
import { command, firstArgs, runCodetool } from "../../cli/test-support/codetool.ts";
import { Endless } from "../test-support/endless.ts";

const files = { "project/a.txt": "alpha\n", "secret.txt": "needle\n" };
const token = "a-token-of-the-test-and-of-nothing-else";

interface Endpoint extends AsyncDisposable {
  readonly url: URL;
  readonly program: Program;
  readonly token: string;
}

async function listen(
  folder: string,
  options: { readonly words?: readonly string[]; readonly token?: string } = {},
): Promise<Endpoint> {
  const { words = [], token: given } = options;
  const program = startProgram(command, [...firstArgs, "mcp", "--http", ...words], {
    workingDirectory: folder,
    environment: { CODETOOL_MCP_TOKEN: given },
  });
  const [, url = ""] = await program.waitFor(/listening at (\S+)/);
  const made = given ?? (await program.waitFor(/said only here: (\S+)/))[1] ?? "";
  return {
    url: new URL(url),
    program,
    token: made,
    [Symbol.asyncDispose]: async () => await program[Symbol.asyncDispose](),
  };
}

async function connect(
  { url, token: bearer }: Pick<Endpoint, "token" | "url">,
  root?: string,
): Promise<Client> {
  const capabilities = root === undefined ? {} : { roots: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (root !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: [{ uri: pathToFileURL(root).href }],
    }));
  const headers = { authorization: `Bearer ${bearer}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

test("clients with the token use the tools, each in its own session, and run only where it is allowed", async () => {
  using folder = createTemporaryFolder(files);
  await using endpoint = await listen(`${folder.path}/project`);
  assert.match(endpoint.token, /^[\w-]{43}$/);
  const clients = await Promise.all([connect(endpoint), connect(endpoint)]);
  for (const client of clients) {
    const { tools } = await client.listTools();
    assert.equal(
      tools.some(({ name }) => name === "run"),
      false,
    );
    const read = await client.callTool({ name: "read", arguments: { file: "a.txt" } });
    assert.match(JSON.stringify(read.structuredContent), /alpha/);
    const outside = await client.callTool({ name: "read", arguments: { file: "../secret.txt" } });
    assert.match(JSON.stringify(outside.structuredContent), /permission_denied/);
  }
  const many = await Promise.all(
    Array.from(
      { length: 100 },
      async () => await clients[0]?.callTool({ name: "find", arguments: { flat: true } }),
    ),
  );
  assert.equal(many.filter((answer) => /a\.txt/.test(JSON.stringify(answer))).length, 100);
  await Promise.all(clients.map(async (client) => await client.close()));
  endpoint.program.kill("SIGTERM");
  await endpoint.program.exited();

  await using allowed = await listen(`${folder.path}/project`, { words: ["--allow-run"], token });
  const client = await connect(allowed);
  const ran = await client.callTool({ name: "run", arguments: { command: ["cat", "a.txt"] } });
  assert.match(JSON.stringify(ran.structuredContent), /alpha/);
  await client.close();
});

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
});

/** Sends a request with just these headers. */
async function post(
  { port }: URL,
  headers: { readonly [name: string]: string },
  { path = "/mcp", body = initialize }: { readonly path?: string; readonly body?: string } = {},
): Promise<{ readonly status: number; readonly headers: object; readonly text: string }> {
  return await new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        path,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => void (text += part));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

test("without the token, by a foreign name, from a foreign page, or elsewhere: refused", async () => {
  using folder = createTemporaryFolder(files);
  await using endpoint = await listen(`${folder.path}/project`, { token });
  const { url } = endpoint;
  const bearer = { authorization: `Bearer ${token}` };
  const statusOf = async (...asked: Parameters<typeof post>): Promise<number> =>
    (await post(...asked)).status;
  assert.equal(await statusOf(url, bearer), 200);
  assert.equal(await statusOf(url, {}), 401);
  assert.equal(await statusOf(url, { authorization: `Bearer ${token}x` }), 401);
  assert.equal(await statusOf(url, { ...bearer, host: `evil.example:${url.port}` }), 403);
  assert.equal(await statusOf(url, { ...bearer, host: `localhost:${url.port}` }), 200);
  assert.equal(await statusOf(url, { ...bearer, origin: "http://evil.example" }), 403);
  assert.equal(await statusOf(url, { ...bearer, origin: `http://localhost:${url.port}` }), 200);
  assert.equal(await statusOf(url, bearer, { path: "/other" }), 404);
  assert.equal(await statusOf(url, { ...bearer, "mcp-session-id": "nobody" }), 404);
  assert.equal(await statusOf(url, bearer, { body: "no json" }), 400);
  assert.equal(
    await statusOf(url, bearer, { body: JSON.stringify({ x: "y".repeat(5_000_000) }) }),
    413,
  );
  const refused = await post(url, {});
  assert.match(refused.text, /"error":\{"code":-32000,"message":"the token/);
  assert.doesNotMatch(
    endpoint.program.output,
    new RegExp(token),
    "a token that was given is not said",
  );
});

test("a client's roots narrow what it is shown, and do not widen it", async () => {
  using folder = createTemporaryFolder({ ...files, "project/sub/b.txt": "beta\n" });
  await using endpoint = await listen(`${folder.path}/project`, { token });
  for (const [root, a, b, secret] of [
    ["project/sub", "permission_denied", "beta", "permission_denied"],
    [".", "alpha", "beta", "permission_denied"],
  ] as const) {
    const client = await connect(endpoint, join(folder.path, root));
    for (const [path, expected] of [
      ["project/a.txt", a],
      ["project/sub/b.txt", b],
      ["secret.txt", secret],
    ] as const) {
      const file = join(folder.path, path);
      const read = await client.callTool({ name: "read", arguments: { file } });
      assert.match(JSON.stringify(read.structuredContent), new RegExp(expected), `${root} ${path}`);
    }
    await client.close();
  }
});

test("so many sessions that are idle go for new ones", async () => {
  using folder = createTemporaryFolder(files);
  await using endpoint = await listen(`${folder.path}/project`, { token });
  const bearer = { authorization: `Bearer ${token}` };
  const ids: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    const { status, headers } = await post(endpoint.url, bearer);
    assert.equal(status, 200);
    ids.push((headers as { readonly "mcp-session-id": string })["mcp-session-id"]);
  }
  const ping = { body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" }) };
  const statuses = await Promise.all(
    ids.map(async (id) => {
      const { status } = await post(endpoint.url, { ...bearer, "mcp-session-id": id }, ping);
      return status;
    }),
  );
  assert.deepEqual([statuses[0], statuses.at(-1)], [404, 200]);
  assert.equal(statuses.filter((status) => status === 200).length, 32);
});

test("a session has room for 128 requests at once, and what is over is refused", async () => {
  using folder = createTemporaryFolder(files);
  await using endpoint = await listen(`${folder.path}/project`, { words: ["--allow-run"], token });
  await using endless = await Endless.create();
  const bearer = { authorization: `Bearer ${token}` };
  const { headers } = await post(endpoint.url, bearer);
  const { "mcp-session-id": id } = headers as { readonly "mcp-session-id": string };
  const statuses: number[] = [];
  const refused = Promise.withResolvers<void>();
  const asked = Array.from({ length: 140 }, async (_, index) => {
    const params = { name: "run", arguments: { command: endless.words } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: index + 2, method: "tools/call", params });
    const { status } = await post(endpoint.url, { ...bearer, "mcp-session-id": id }, { body });
    statuses.push(status);
    if (statuses.length === 12) refused.resolve();
  });
  await Promise.all([refused.promise, endless.started()]);
  assert.deepEqual(statuses, Array(12).fill(429));
  endpoint.program.kill("SIGTERM");
  await Promise.all([Promise.allSettled(asked), endpoint.program.exited(), endless.ended()]);
});

test("a port that is taken, a short token and flags without --http are one clear line", async () => {
  using folder = createTemporaryFolder(files);
  await using endpoint = await listen(folder.path, { token });
  const taken = await runCodetool(["mcp", "--http", "--port", endpoint.url.port], {
    workingDirectory: folder.path,
  });
  assert.equal(taken.code, 1);
  assert.match(taken.stdout, /invalid_argument.*another program listens there/);
  const short = await runProgram(command, [...firstArgs, "mcp", "--http"], {
    workingDirectory: folder.path,
    environment: { CODETOOL_MCP_TOKEN: "short" },
  });
  assert.equal(short.code, 1);
  assert.match(short.stdout, /CODETOOL_MCP_TOKEN.*16 characters/);
  const without = await runCodetool(["mcp", "--allow-run"], { workingDirectory: folder.path });
  assert.equal(without.code, 2);
  assert.match(without.stderr, /--allow-run goes with --http/);
});
