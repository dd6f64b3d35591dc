/** What pages in a real browser on this machine can do with a gateway on a loopback address. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { commandPath, createTemporaryFolder, freePort, skipUnless, visitPage } from "testkit";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Bell extends Agent {
  rung = 0;
  override handle(message: Message) {
    if (message.type === "state") return { rung: this.rung };
    this.rung += 1;
    return { rung: this.rung };
  }
}
`;

async function run(config = "", environment: { readonly [name: string]: string } = {}) {
  const port = await freePort();
  const running = await startTopology({
    files: { "agents.ts": agents },
    environment,
    topology: `supervision:
  name: root
  children:
    - agent: { name: bell, type: agents.Bell }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
${config.replaceAll(/^/gm, "        ")}
`,
  });
  return {
    port,
    output: running.output,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** A site whose pages are empty. */
async function startSite() {
  const server = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>site</title>"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function visit(url: string, script: string): Promise<unknown> {
  using folder = createTemporaryFolder({});
  const hostNames = ["evil.example"];
  const path = commandPath("chromium") ?? "";
  return (await visitPage(path, { url, script, folder: folder.path, hostNames })).value;
}

const needsBrowser = { skip: skipUnless("chromium") };

test(
  "in Chromium, a page of another site rings no bell, and a page of this machine does",
  needsBrowser,
  async () => {
    await using running = await run();
    await using site = await startSite();
    const ring = `http://127.0.0.1:${running.port}/agents/bell/cast`;
    const script = `fetch("${ring}", { method: "POST", mode: "no-cors" }).then(({ type }) => type, () => "blocked")`;
    const rung = async (): Promise<unknown> =>
      await (await fetch(`http://127.0.0.1:${running.port}/agents/bell/state`)).json();
    await visit(`http://evil.example:${site.port}/`, script);
    assert.deepEqual(await rung(), { rung: 0 });
    assert.equal(await visit(`http://localhost:${site.port}/`, script), "opaque");
    assert.deepEqual(await rung(), { rung: 1 });
  },
);

test(
  "in Chromium, a page whose name was made to point here (DNS rebinding) reads nothing",
  needsBrowser,
  async () => {
    await using running = await run();
    const script = `fetch("/agents/bell/state").then(async (response) => [response.status, await response.text()].join(" "))`;
    const answer = await visit(`http://evil.example:${running.port}/docs`, script);
    assert.match(String(answer), /^403 \{"error":"host is not allowed on a loopback port/);
    const own = await visit(`http://localhost:${running.port}/docs`, script);
    assert.equal(own, '200 {"rung":0}');
  },
);

test(
  "in Chromium, a refused handshake is a close with 1006, and a key as subprotocol opens",
  needsBrowser,
  async () => {
    await using running = await run(
      "middleware: [agentrt.gateway.auth.require_api_key]\nws_routes: [{ path: /ws, agent: bell }]",
      { AGENTRT_GATEWAY_API_KEY: "key" },
    );
    await using site = await startSite();
    const attempt = (protocols: string): string => `new Promise((resolve) => {
    const socket = new WebSocket("ws://127.0.0.1:${running.port}/ws", ${protocols});
    socket.onopen = () => { resolve("open " + socket.protocol); socket.close(); };
    socket.onclose = ({ code, reason, wasClean }) => resolve([code, reason, wasClean].join(" "));
  })`;
    const script = `Promise.all([${attempt("[]")}, ${attempt('["agentrt.bearer.wrong"]')}, ${attempt('["agentrt.bearer.key"]')}])`;
    assert.deepEqual(await visit(`http://localhost:${site.port}/`, script), [
      "1006  false",
      "1006  false",
      "open agentrt.bearer.key",
    ]);
  },
);
