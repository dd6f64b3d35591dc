/** How many HTTP calls a second does a supervised agent answer through the gateway, beside Fastify and bare node:http? */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Bench, Contender, Sample } from "./bench.ts";
import { installPackages } from "./rivals/install.ts";

const requestCount = 100_000;
const connectionCount = 32;
const server = fileURLToPath(new URL("./rivals/http-server.ts", import.meta.url));

/** One kept-alive connection: sends the next request when the reply to the last one has come and is right. */
function callInTurn(port: number, sequences: Iterator<number, undefined>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let doneCount = 0;
    let expected = "";
    let received = "";
    const next = (): void => {
      const sequence = sequences.next().value;
      if (sequence === undefined) {
        socket.destroy();
        resolve(doneCount);
        return;
      }
      expected = `\r\n\r\n{"sequence":${sequence}}`;
      const body = `{"sequence":${sequence}}`;
      socket.write(
        `POST /agents/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    socket.setEncoding("latin1");
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (!received.endsWith("}")) return;
      if (!received.startsWith("HTTP/1.1 200 OK") || !received.endsWith(expected)) {
        reject(new Error(`not the reply to ${expected.trim()}: ${received}`));
        return;
      }
      received = "";
      doneCount += 1;
      next();
    });
  });
}

async function load(port: number, count: number): Promise<Sample> {
  const sequences = (function* (): Generator<number, undefined> {
    for (let sequence = 1; sequence <= count; sequence += 1) yield sequence;
    return undefined;
  })();
  const startedMs = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connectionCount }, () => callInTurn(port, sequences)),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const operationCount = counts.reduce((sum, one) => sum + one, 0);
  if (operationCount !== count)
    throw new Error(`${operationCount} of ${count} requests were answered`);
  return { operationCount, seconds };
}

function contender(name: string, prepare?: Contender["prepare"]): Contender {
  return {
    name,
    ...(prepare === undefined ? {} : { prepare }),
    run: async ({ isQuick }) => {
      const child = spawn(process.execPath, [...process.execArgv, server, name], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const lines = createInterface({ input: child.stdout });
        const [line] = (await once(lines, "line")) as [string];
        const port = Number(line.split(" ")[1]);
        const count = isQuick ? requestCount / 5 : requestCount;
        await load(port, Math.floor(count / 4));
        return await load(port, count);
      } finally {
        child.kill();
      }
    },
  };
}

export const bench: Bench = {
  question:
    "HTTP calls a second: POST /agents/echo on 32 kept-alive connections, one request at a time on each",
  operation: "request",
  contenders: [contender("agentrt"), contender("node"), contender("fastify", installPackages)],
};
