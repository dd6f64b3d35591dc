import type { ClientHttp2Session } from "node:http2";
import process from "node:process";
import { RawHttpClient } from "./raw-http.ts";

// Nothing is imported from node:http2 and node:https: both take long to load, and few of the files that import testkit ask
// over them.

/** One request of a test, the same for every version of HTTP. */
export interface TestRequest {
  /** Method and target, for example `POST /agents/echo?a=1`. */
  readonly request: string;
  /** A list is sent as several headers of one name, over HTTP/1.1 in separate lines. */
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  readonly body?: string | Uint8Array;
}

/** What came back. */
export interface TestResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** Where to ask. */
export interface TestServer {
  readonly port: number;
  /** Certificate of the authority to trust, and what the client shows of itself; clear text without. */
  readonly tls?: { readonly ca: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
}

/** One version of HTTP: the runner of a table of cases. */
export interface TestClient {
  readonly name: "HTTP/1.1" | "HTTP/2";
  /** Asks over a separate connection. Rejects when the connection or the stream ends without a response. */
  ask(server: TestServer, row: TestRequest): Promise<TestResponse>;
}

function partsOf({ request, body }: TestRequest) {
  const space = request.indexOf(" ");
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { method: request.slice(0, space), target: request.slice(space + 1), bytes };
}

function headersOf({ headers = {} }: TestRequest): { [name: string]: string | string[] } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : [...value],
    ]),
  );
}

async function askHttp1({ port, tls }: TestServer, row: TestRequest): Promise<TestResponse> {
  if (tls !== undefined) return await askHttps({ port, tls }, row);
  await using client = await RawHttpClient.open(port);
  const { bytes } = partsOf(row);
  const lines = [`${row.request} HTTP/1.1`, "Host: localhost"];
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    for (const one of typeof value === "string" ? [value] : value) lines.push(`${name}: ${one}`);
  }
  if (bytes !== undefined) lines.push(`Content-Length: ${bytes.byteLength}`);
  if (row.request.startsWith("HEAD ")) return await askHead(client, lines);
  client.send(`${lines.join("\r\n")}\r\n\r\n`);
  if (bytes !== undefined) client.send(bytes);
  const response = await client.response();
  if (response === undefined) throw new Error(`${row.request}: no response`);
  return response;
}

/** A length without a body: only the end of the connection tells that nothing follows. */
async function askHead(client: RawHttpClient, lines: readonly string[]): Promise<TestResponse> {
  client.send(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  const [head = "", body = ""] = (await client.closed()).split("\r\n\r\n");
  const [statusLine = "", ...headerLines] = head.split("\r\n");
  const headers = Object.fromEntries(
    headerLines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}

function askHttps({ port, tls }: Required<TestServer>, row: TestRequest): Promise<TestResponse> {
  const { method, target, bytes } = partsOf(row);
  return new Promise((resolve, reject) => {
    const options = { port, host: "localhost", method, path: target, agent: false, ...tls };
    const { request: requestHttps } = process.getBuiltinModule("node:https");
    const request = requestHttps({ ...options, headers: headersOf(row) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as TestResponse["headers"],
          body: Buffer.concat(chunks).toString(),
        }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(bytes);
  });
}

/** A test may send what no good client would: a header twice that may occur once. Node's types do not know it yet. */
const sendsAnything = { strictSingleValueFields: false } as object;

/** Opens an HTTP/2 connection: by prior knowledge in clear text, by ALPN over TLS. */
export function openHttp2({ port, tls }: TestServer): ClientHttp2Session {
  const { connect: connectHttp2 } = process.getBuiltinModule("node:http2");
  const session =
    tls === undefined
      ? connectHttp2(`http://localhost:${port}`, sendsAnything)
      : connectHttp2(`https://localhost:${port}`, { ...sendsAnything, ...tls });
  session.on("error", () => undefined); // Each request hears of it.
  return session;
}

/** Asks over an open HTTP/2 connection. */
export function askOver(session: ClientHttp2Session, row: TestRequest): Promise<TestResponse> {
  const { method, target, bytes } = partsOf(row);
  return new Promise((resolve, reject) => {
    const stream = session.request(
      { ":method": method, ":path": target, ":authority": "localhost", ...headersOf(row) },
      { endStream: bytes === undefined },
    );
    let status = 0;
    let headers: { [name: string]: string } = {};
    const chunks: Buffer[] = [];
    stream.on("response", (incoming) => {
      status = Number(incoming[":status"]);
      headers = incoming as { [name: string]: string };
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      if (status === 0 || stream.rstCode !== 0) {
        reject(new Error(`${row.request}: no response (reset with ${stream.rstCode})`));
      } else resolve({ status, headers, body: Buffer.concat(chunks).toString() });
    });
    if (bytes !== undefined) stream.end(bytes);
  });
}

async function askHttp2(server: TestServer, row: TestRequest): Promise<TestResponse> {
  const session = openHttp2(server);
  try {
    return await askOver(session, row);
  } finally {
    session.destroy();
  }
}

/** Every version of HTTP that a table of cases is run over. */
export const testClients: readonly [TestClient, TestClient] = [
  { name: "HTTP/1.1", ask: askHttp1 },
  { name: "HTTP/2", ask: askHttp2 },
];
