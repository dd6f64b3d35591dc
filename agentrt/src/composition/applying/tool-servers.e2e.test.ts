/** Tool servers that a change replaces, over the official SDK on both sides: a program on its stdin and stdout, and a URL. */
import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { Agent, createTextLog, type JsonObject, type Message } from "../../core/index.ts";
import { Runtime } from "../runtime.ts";
import { serveTools, toolServerPath } from "./test-support/tool-server.ts";

class Asker extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    const hold = payload["hold"] === true;
    const { content } = await this.tools.call("mcp://t/version", { hold });
    return { content: JSON.stringify(content) };
  }
}

/** Held calls of both kinds of server come here, and wait for the end of the gate. */
async function openGate() {
  const held = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  const wait = async (): Promise<void> => {
    held.resolve();
    await opened.promise;
  };
  const server = createServer((socket) => {
    sockets.push(socket);
    void wait().then(() => socket.end("go"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    held: held.promise,
    open: opened.resolve,
    wait,
    [Symbol.dispose]() {
      opened.resolve();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

for (const transport of ["stdio", "http"] as const)
  test(`a tool server over ${transport} that a change replaces answers the call that it has; it is closed behind it, and the change does not wait for that`, async () => {
    using gate = await openGate();
    await using http = await serveTools(gate.wait);
    const serverOf = (version: string): string =>
      transport === "http"
        ? `{ name: t, transport: http, url: "http://127.0.0.1:${http.port}/${version}" }`
        : `{ name: t, command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(toolServerPath)}, ${version}, "${gate.port}"] }`;
    const text = (servers: string): string => `mcp: { servers: [${servers}] }
supervision:
  name: root
  children:
    - agent: { name: one, type: Asker }
    - agent: { name: two, type: Asker }
`;
    const events: string[] = [];
    let lives = 0;
    using folder = createTemporaryFolder({ "topology.yaml": text(serverOf("v1")) });
    const newIsOpen = Promise.withResolvers<void>();
    const oldIsClosed = Promise.withResolvers<void>();
    const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), {
      log: createTextLog({ write: () => undefined }),
      typeMap: { Asker },
      wrapTools: (sources) =>
        sources.map((source) => {
          const number = (lives += 1);
          return {
            name: source.name,
            scheme: source.scheme,
            tools: () => source.tools(),
            call: source.call.bind(source),
            async open(host) {
              await source.open?.(host);
              events.push(`open ${number}`);
              if (number === 2) newIsOpen.resolve();
            },
            async close() {
              events.push(`close ${number}`);
              await source.close?.();
              if (number === 1) oldIsClosed.resolve();
            },
          };
        }),
    });
    await runtime.start();
    try {
      const held = runtime.call("one", { hold: true });
      await gate.held;
      const applying = runtime.apply({
        files: [{ fileName: "next.yaml", text: text(serverOf("v2")) }],
      });
      await newIsOpen.promise;
      // Whoever asks now asks the new one.
      while ((await runtime.call("two", {}))["content"] !== '"v2"');
      // The call may hang: who applies does not wait for it.
      await applying;
      assert.deepEqual(events, ["open 1", "open 2"]);
      gate.open();
      assert.deepEqual(await held, { content: '"v1"' });
      await oldIsClosed.promise;
      assert.deepEqual(events, ["open 1", "open 2", "close 1"]);
    } finally {
      await runtime.stop();
    }
    assert.deepEqual(events, ["open 1", "open 2", "close 1", "close 2"]);
  });
