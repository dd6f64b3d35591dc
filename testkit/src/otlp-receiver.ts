import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { decodeOtlpTraces, type OtlpValue, type ReceivedSpan } from "./otlp-decoding.ts";

// Not an import: see `scripted-server.ts`.
const { createServer } = process.getBuiltinModule("node:http");

/** How the receiver answers one request. */
export interface OtlpAnswer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  /** True: the connection is cut instead. */
  readonly isCut?: boolean;
}

/** One request that came. */
export interface OtlpRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** What was decoded of it, whatever the answer was. */
  readonly spans: readonly ReceivedSpan[];
  readonly resource: { readonly [name: string]: OtlpValue };
}

/** A collector of OpenTelemetry, as far as traces over HTTP go: it decodes strictly what it gets. */
export interface OtlpReceiver extends AsyncDisposable {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly requests: readonly OtlpRequest[];
  /** The spans of requests that were answered with 200. */
  readonly spans: readonly ReceivedSpan[];
  /** What could not be decoded. */
  readonly faults: readonly string[];
  /** Settles when the condition holds after some request; rejects when one could not be decoded. */
  until(condition: (receiver: OtlpReceiver) => boolean): Promise<void>;
}

/**
 * Starts a receiver on a free port of this machine.
 *
 * @param answers Each request takes the next one; 200 when there is none left.
 * @returns The receiver.
 */
export async function startOtlpReceiver(...answers: OtlpAnswer[]): Promise<OtlpReceiver> {
  const requests: OtlpRequest[] = [];
  const spans: ReceivedSpan[] = [];
  const faults: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((message, response) => {
    const parts: Buffer[] = [];
    message.on("data", (part: Buffer) => parts.push(part));
    message.on("end", () => {
      const answer = answers.shift() ?? { status: 200 };
      const bytes = Buffer.concat(parts);
      const { headers, url: path = "" } = message;
      const isPacked = headers["content-encoding"] === "gzip";
      const type = headers["content-type"] ?? "";
      try {
        const decoded = decodeOtlpTraces(isPacked ? gunzipSync(bytes) : bytes, type);
        requests.push({ path, headers, ...decoded });
        if (answer.status === 200) spans.push(...decoded.spans);
      } catch (error) {
        faults.push(String(error));
      }
      if (answer.isCut === true) message.socket.destroy();
      else {
        response.writeHead(answer.status, { "content-type": type, ...answer.headers });
        response.end(type === "application/json" ? "{}" : "");
      }
      for (const check of waiting) check();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    spans,
    faults,
    until: (condition) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const isBroken = faults.length > 0;
          if (!isBroken && !condition(receiver)) return;
          waiting.delete(check);
          if (isBroken) reject(new Error(faults.join("; ")));
          else resolve();
        };
        waiting.add(check);
        check();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
