/** Requests over HTTP/2 that a proxy in front turns into HTTP/1.1: none of them becomes two at the gateway. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  commandPath,
  createTemporaryFolder,
  frame,
  frameType,
  freePort,
  literalHeader,
  openRawHttp2,
  RawHttpClient,
  skipUnless,
  startNginx,
  startProgram,
} from "testkit";
import {
  echoGateway,
  type RunningTopology,
  startTopology,
} from "./test-support/running-topology.ts";

const agents = `import { Agent } from "agentrt"; export class Echo extends Agent { override handle() { return {}; } }`;
/** Writes down whatever reaches the gateway. */
const guards = `
const seen = [];
export const record = async (request, next) => {
  if (request.path === "/seen") return { status: 200, body: { seen } };
  seen.push(request.method + " " + request.path);
  return await next(request);
};
`;

async function startGateway(port: number): Promise<RunningTopology> {
  return await startTopology({
    topology: echoGateway(
      port,
      `
middleware: [guards.record]
routes:
  - { method: POST, path: /, agent: echo }
  - { method: GET, path: /seen, agent: echo }
  - { method: GET, path: /smuggled, agent: echo }
`,
    ),
    files: { "agents.ts": agents, "guards.ts": guards },
  });
}

/** Waits until a port takes connections. */
async function openPort(port: number): Promise<void> {
  for (;;) {
    const client = await RawHttpClient.open(port).catch(() => undefined);
    if (client !== undefined) return await client[Symbol.asyncDispose]();
  }
}

interface Front {
  readonly name: string;
  readonly skip: string | false;
  /** Takes HTTP/2 by prior knowledge on `port`, and speaks HTTP/1.1 to `to`. */
  start(port: number, to: number): Promise<AsyncDisposable>;
}

async function startServer(
  command: string,
  { args, config, port }: { args: readonly string[]; config: string; port: number },
): Promise<AsyncDisposable> {
  const folder = createTemporaryFolder({ config });
  const program = startProgram(
    commandPath(command) ?? command,
    args.map((arg) => arg.replace("CONFIG", `${folder.path}/config`)),
    {
      environment: { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
    },
  );
  await Promise.race([
    openPort(port),
    program.exited().then((exit) => {
      throw new Error(`${command} did not start: ${exit.stderr}`);
    }),
  ]);
  return {
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const fronts: readonly Front[] = [
  {
    name: "no proxy",
    skip: false,
    start: async (port, to) => await startForwarder(port, to),
  },
  {
    name: "nginx",
    skip: skipUnless("nginx"),
    start: async (port, to) =>
      await startNginx(`
    listen 127.0.0.1:${port} http2;
    location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://127.0.0.1:${to}; }`),
  },
  {
    name: "haproxy",
    skip: skipUnless("haproxy"),
    start: async (port, to) =>
      await startServer("haproxy", {
        args: ["-db", "-f", "CONFIG"],
        port,
        config: `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend clear
  bind 127.0.0.1:${port} proto h2
  default_backend gateway
backend gateway
  http-reuse always
  server gateway 127.0.0.1:${to}
`,
      }),
  },
  {
    name: "caddy",
    skip: skipUnless("caddy"),
    start: async (port, to) =>
      await startServer("caddy", {
        args: ["run", "--adapter", "caddyfile", "--config", "CONFIG"],
        port,
        config: `{
  admin off
  auto_https off
  servers {
    protocols h1 h2c
  }
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${to}
}
`,
      }),
  },
];

/** The gateway itself speaks HTTP/2: its port is used as it is. */
function startForwarder(port: number, to: number): Promise<AsyncDisposable> {
  assert.equal(port, to);
  return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() });
}

const smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
const basic: readonly (readonly [string, string])[] = [
  [":method", "POST"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "localhost"],
];
/** Each is one request of HTTP/2. */
const attacks: readonly {
  readonly name: string;
  readonly lines: readonly (readonly [string, string])[];
  readonly body?: string;
}[] = [
  {
    name: "transfer-encoding",
    lines: [...basic, ["transfer-encoding", "chunked"]],
    body: `0\r\n\r\n${smuggled}`,
  },
  {
    name: "content-length shorter than the body",
    lines: [...basic, ["content-length", "0"]],
    body: smuggled,
  },
  {
    name: "content-length longer than the body",
    lines: [...basic, ["content-length", "999"]],
    body: "{",
  },
  {
    name: "two lengths",
    lines: [...basic, ["content-length", "0"], ["content-length", "40"]],
    body: smuggled,
  },
  { name: "a line break in a value", lines: [...basic, ["x", `a\r\n\r\n${smuggled}`]] },
  { name: "a line break in a name", lines: [...basic, [`x: a\r\n\r\n${smuggled}`, "b"]] },
  {
    name: "a line break in the path",
    lines: [basic[0]!, basic[1]!, [":path", `/ HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`], basic[3]!],
  },
  {
    name: "a line break in the method",
    lines: [[":method", `POST / HTTP/1.1\r\nHost: x\r\n\r\n${smuggled}`], ...basic.slice(1)],
  },
  {
    name: "a line break in the authority",
    lines: [...basic.slice(0, 3), [":authority", `x\r\n\r\n${smuggled}`]],
  },
  { name: "an upgrade", lines: [...basic, ["connection", "upgrade"], ["upgrade", "h2c"]] },
];

async function seenBy(port: number): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/seen`);
  return ((await response.json()) as { readonly seen: readonly string[] }).seen;
}

for (const front of fronts) {
  test(
    `behind ${front.name}: one request of HTTP/2 is never two at the gateway`,
    { skip: front.skip },
    async () => {
      const to = await freePort();
      const port = front.name === "no proxy" ? to : await freePort();
      await using _gateway = await startGateway(to);
      await using _front = await front.start(port, to);
      for (const { name, lines, body } of attacks) {
        const beforeCount = (await seenBy(to)).length;
        await using client = await openRawHttp2(port);
        const block = Buffer.concat(lines.map(([header, value]) => literalHeader(header, value)));
        client.send(
          frame(frameType.headers, {
            flags: body === undefined ? 5 : 4,
            stream: 1,
            payload: block,
          }),
        );
        if (body !== undefined) {
          client.send(frame(frameType.data, { flags: 1, stream: 1, payload: Buffer.from(body) }));
        }
        // A good request behind it: whatever the bad one left on a connection to the gateway comes to light.
        const good = Buffer.concat(basic.map(([header, value]) => literalHeader(header, value)));
        client.send(frame(frameType.headers, { flags: 5, stream: 3, payload: good }));
        await using second = await openRawHttp2(port);
        second.send(frame(frameType.headers, { flags: 5, stream: 1, payload: good }));
        while ((await seenBy(to)).length === beforeCount) await new Promise(setImmediate);
        const seen = await seenBy(to);
        assert.ok(!seen.includes("GET /smuggled"), `${name}: ${seen.join(", ")}`);
        assert.ok(seen.length - beforeCount <= 3, `${name}: ${seen.slice(beforeCount).join(", ")}`);
      }
    },
  );
}
