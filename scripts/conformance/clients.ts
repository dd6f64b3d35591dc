import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { visitPage } from "testkit";
import type { Check } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import { runChecks } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge, JudgedServer } from "./judge.ts";
import { cacheFolder, plain, pythonTools, runTool, systemTool, versionOf } from "./tools.ts";

type Cases = (
  path: string,
  server: JudgedServer,
) => { readonly [name: string]: () => Promise<void> };

/** A client of the system: its program, and what it is asked to do. */
function client(
  name: string,
  debianPackage: string,
  { subject, cases }: { subject: string; cases: Cases },
): Judge {
  let path = "";
  return {
    name,
    subject,
    prepare() {
      const found = systemTool(name, debianPackage);
      if (typeof found !== "string") return Promise.resolve(found);
      path = found;
      return Promise.resolve({ version: versionOf(path, "--version") || "as installed" });
    },
    run: async (server) =>
      await runChecks(
        Object.entries(cases(path, server)).map(([title, run]): Check => ({
          section: subject,
          name: title,
          run,
        })),
      ),
  };
}

/** Runs a program and looks at what it says, on both streams together. */
async function says(path: string, args: readonly string[], expected: RegExp): Promise<void> {
  const { stdout, stderr } = await runTool(path, args);
  assert.match(plain(stdout + stderr), expected);
}

const json = ["-H", "content-type: application/json", "-d", '{"n":1}'];
const shown = ["-s", "-w", " %{http_code} %{http_version}"];

const curl = client("curl", "curl", {
  subject: "HTTP/1.1 and HTTP/2 by libcurl",
  cases: (path, { clearPort, tlsPort, caPath }) => {
    const clear = `http://localhost:${clearPort}/`;
    const tls = ["--cacert", caPath, `https://localhost:${tlsPort}/`];
    const expect = (version: string) => new RegExp(`^\\{"n":1\\} 200 ${version}$`);
    return {
      "HTTP/1.1 in clear text": () =>
        says(path, [...shown, "--http1.1", ...json, clear], expect("1.1")),
      "HTTP/2 by prior knowledge": () =>
        says(path, [...shown, "--http2-prior-knowledge", ...json, clear], expect("2")),
      "an upgrade to HTTP/2 is answered over HTTP/1.1": () =>
        says(path, [...shown, "--http2", ...json, clear], expect("1.1")),
      "HTTP/1.1 over TLS": () =>
        says(path, [...shown, "--http1.1", ...json, ...tls], expect("1.1")),
      "HTTP/2 over TLS": () => says(path, [...shown, "--http2", ...json, ...tls], expect("2")),
      HEAD: () => says(path, ["-s", "-I", clear], /^HTTP\/1\.1 200 OK[\s\S]*content-length/i),
      "a form with a file": () =>
        says(
          path,
          ["-s", "-F", "a=1", "-F", `file=@${caPath}`, clear],
          /"a":"1".*"filename":"ca\.pem"/,
        ),
      "100-continue": () =>
        says(
          path,
          ["-s", "-v", "-H", "Expect: 100-continue", ...json, clear],
          /^\{"n":1\}[\s\S]*HTTP\/1\.1 100 Continue/,
        ),
      "a stream": () =>
        says(
          path,
          ["-s", "-N", "-X", "POST", ...json, `http://localhost:${clearPort}/stream`],
          /id: 1\ndata: \{"n":1\}/,
        ),
    };
  },
});

const nghttp = client("nghttp", "nghttp2-client", {
  subject: "HTTP/2 by nghttp2's own client",
  cases: (path, { clearPort, tlsPort }) => ({
    "in clear text": () =>
      says(path, ["-nv", `http://localhost:${clearPort}/?a=1`], /:status: 200/),
    "over TLS": () =>
      says(
        path,
        ["-nv", "--no-verify-peer", `https://localhost:${tlsPort}/?a=1`],
        /negotiated protocol: h2[\s\S]*:status: 200/,
      ),
    "two requests with padding and a small window": () =>
      says(
        path,
        [
          "-nv",
          "-b",
          "32",
          "-w",
          "8",
          `http://localhost:${clearPort}/?a=1`,
          `http://localhost:${clearPort}/?b=1`,
        ],
        /:status: 200[\s\S]*:status: 200/,
      ),
    "trailers behind a body": () =>
      says(
        path,
        ["-v", "--trailer", "x: y", "-d", "/dev/null", `http://localhost:${clearPort}/`],
        /:status: 200/,
      ),
  }),
});

const h2load = client("h2load", "nghttp2-client", {
  subject: "20 000 requests over 20 connections with 50 streams each",
  cases: (path, { clearPort, tlsPort }) => {
    const load = (url: string) => () =>
      says(
        path,
        ["-n", "20000", "-c", "20", "-m", "50", url],
        /20000 succeeded, 0 failed, 0 errored, 0 timeout/,
      );
    return {
      "in clear text": load(`http://localhost:${clearPort}/?a=1`),
      "over TLS": load(`https://localhost:${tlsPort}/?a=1`),
    };
  },
});

/** A body of 100 kB for a client that reads bodies from files. */
function bodyFile(folder: string): string {
  const path = join(folder, "body.json");
  writeFileSync(path, JSON.stringify({ text: "x".repeat(100_000) }));
  return path;
}

const gtlsclient = client("gtlsclient", "ngtcp2-client", {
  subject: "HTTP/3 by ngtcp2",
  cases: (path, { quicPort, folder }) => {
    const ask = (options: readonly string[], target: string, expected: RegExp) => () =>
      says(
        path,
        [
          "--exit-on-all-streams-close",
          "--no-quic-dump",
          ...options,
          "localhost",
          String(quicPort),
          `https://localhost:${quicPort}${target}`,
        ],
        expected,
      );
    const post = ["-m", "POST", "-d", bodyFile(folder)];
    const isAnswered = /\[:status: 200\]/;
    return {
      GET: ask([], "/?a=1", /\[:status: 200\][\s\S]*"a":"1"/),
      HEAD: ask(["-m", "HEAD"], "/?a=1", isAnswered),
      "POST with 100 kB": ask(post, "/", isAnswered),
      "a route that is not there": ask([], "/nothing", /\[:status: 404\]/),
      "a hundred requests on one connection": async () => {
        const url = `https://localhost:${quicPort}/?a=1`;
        const options = ["--exit-on-all-streams-close", "--no-quic-dump", "-n", "100"];
        const args = [...options, "localhost", String(quicPort), url];
        const { stdout, stderr } = await runTool(path, args);
        assert.equal(plain(stdout + stderr).match(/\[:status: 200\]/g)?.length, 100);
      },
      "new keys on the way": ask([...post, "--key-update=1ms"], "/", isAnswered),
      "an address that changes on the way": ask(
        [
          ...post,
          "--change-local-addr=1ms",
          "--nat-rebinding",
          "--delay-stream=20ms",
          "--timeout=3s",
        ],
        "/",
        isAnswered,
      ),
      "one packet in ten lost both ways": ask(
        [...post, "--tx-loss=0.1", "--rx-loss=0.1"],
        "/",
        isAnswered,
      ),
      "version 2 offered first": ask(["--preferred-versions=v2draft,v1"], "/?a=1", isAnswered),
      "an unknown version gets the list of those there are": ask(
        ["--version=0x1a2a3a4a"],
        "/?a=1",
        /VN v=0x00000001/,
      ),
    };
  },
});

const chromium = client("chromium", "chromium", {
  subject: "the page of the API's description, in a browser",
  cases: (path, { clearPort, folder }) => ({
    "a request is sent from the page, and nothing is loaded from elsewhere": async () => {
      const base = `http://localhost:${clearPort}`;
      const { value, complaints, requested } = await visitPage(path, {
        url: `${base}/docs`,
        script: pageScript,
        folder,
      });
      copyFileSync(join(folder, "page.png"), join(cacheFolder, "docs-page.png"));
      assert.deepEqual(complaints, []);
      assert.match(String(value), /^200 OK[\s\S]*"n": 7/);
      assert.deepEqual(
        requested.filter((url) => !url.startsWith(base) && !url.startsWith("data:")),
        [],
      );
    },
  }),
});

/** Opens the first operation that takes a body, sends one, and gives what the page shows then. */
const pageScript = `(async () => {
  const until = async (look) => { for (;;) { const found = look(); if (found) return found; await new Promise((resolve) => setTimeout(resolve, 20)); } };
  const area = await until(() => document.querySelector("section textarea"));
  area.closest("form").parentElement.open = true;
  area.value = '{"n":7}';
  const form = area.closest("form");
  form.requestSubmit();
  const output = await until(() => form.querySelector("output").textContent.startsWith("200") && form.querySelector("output"));
  await until(() => form.querySelector("form > pre").textContent.includes("n"));
  return output.textContent + "\\n" + form.querySelector("form > pre").textContent;
})()`;

const webSocketsScript = `
import asyncio, json, sys, websockets

async def main(url):
    async with websockets.connect(url, compression="deflate", max_size=None) as socket:
        assert socket.protocol.extensions == [], "compression was taken up"
        await socket.send(json.dumps({"n": 1}))
        assert json.loads(await socket.recv()) == {"n": 1}
        await socket.send(b'{"n": 2}')
        assert json.loads(await socket.recv()) == {"n": 2}
        await socket.send(json.dumps({"do": "count"}))
        assert [json.loads(await socket.recv())["n"] for _ in range(3)] == [1, 2, 3]
        await socket.send(["[1,", "2]"])
        assert json.loads(await socket.recv()) == {"data": [1, 2]}
        text = "x" * 900000
        await socket.send(json.dumps({"text": text}))
        assert json.loads(await socket.recv()) == {"text": text}
        await (await socket.ping())
    print("done", socket.protocol.close_code)

asyncio.run(main(sys.argv[1]))
`;

let pythonPrograms = "";
const webSockets: Judge = {
  name: "websockets (Python)",
  subject: "WebSocket by another implementation, which offers compression",
  async prepare() {
    const found = await pythonTools(["websockets==17.4"]);
    if (typeof found !== "string") return found;
    pythonPrograms = found;
    return { version: "17.4" };
  },
  run: async ({ clearPort, folder }) => {
    const path = join(folder, "client.py");
    writeFileSync(path, webSocketsScript);
    const name = "text, binary, chunks, fragments, 900 kB, ping, close";
    const url = `ws://localhost:${clearPort}/ws`;
    const run = (): Promise<void> =>
      says(join(pythonPrograms, "python"), [path, url], /^done 1000/);
    return await runChecks([{ section: "a conversation", name, run }]);
  },
};

/** Clients of others. */
export const clientJudges: readonly Judge[] = [
  curl,
  nghttp,
  h2load,
  gtlsclient,
  webSockets,
  chromium,
];
