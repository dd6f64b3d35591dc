/** What does it cost a gateway to know its clients: a token each request, and a rate limit, beside nothing in front? */
import { spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Bench, Contender, Sample } from "./bench.ts";

const requestCount = 100_000;
const connectionCount = 32;
/** As many tokens as clients: each connection brings its own. */
const tokenLifetimeSeconds = 3600;
const server = fileURLToPath(new URL("./rivals/gateway-auth-server.ts", import.meta.url));

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const environment = {
  AGENTRT_JWT_PUBLIC_KEY: publicKey.export({ type: "spki", format: "pem" }),
  AGENTRT_JWT_ISSUER: "bench",
  AGENTRT_JWT_AUDIENCE: "agents",
};

function newToken(subject: string): string {
  const exp = Math.floor(Date.now() / 1000) + tokenLifetimeSeconds;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256" })}.${part({ iss: "bench", aud: "agents", sub: subject, exp })}`;
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}

/** One kept-alive connection: sends the next request when the reply to the last one has come and is right. */
function callInTurn(
  port: number,
  { sequences, token }: { sequences: Iterator<number, undefined>; token: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const head = `POST /agents/echo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: `;
    let doneCount = 0;
    let body = "";
    let received = "";
    const next = (): void => {
      const sequence = sequences.next().value;
      if (sequence === undefined) {
        socket.destroy();
        resolve(doneCount);
        return;
      }
      body = `{"sequence":${sequence}}`;
      socket.write(`${head}${body.length}\r\n\r\n${body}`);
    };
    socket.setEncoding("latin1");
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (!received.endsWith("}")) return;
      if (!received.startsWith("HTTP/1.1 200 OK") || !received.endsWith(`\r\n\r\n${body}`)) {
        reject(new Error(`not the reply to ${body}: ${received}`));
        return;
      }
      received = "";
      doneCount += 1;
      next();
    });
  });
}

async function load(port: number, count: number): Promise<Sample> {
  const sequences = Array.from({ length: count }, (_, index) => index + 1).values();
  const tokens = Array.from({ length: connectionCount }, (_, index) => newToken(`user ${index}`));
  const startedMs = performance.now();
  const counts = await Promise.all(
    tokens.map((token) =>
      callInTurn(port, { sequences: sequences as Iterator<number, undefined>, token }),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const operationCount = counts.reduce((sum, one) => sum + one, 0);
  if (operationCount !== count) throw new Error(`${operationCount} of ${count} were answered`);
  return { operationCount, seconds };
}

function contender(name: string, middleware: readonly string[]): Contender {
  return {
    name,
    run: async ({ isQuick }) => {
      const child = spawn(process.execPath, [...process.execArgv, server, ...middleware], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...environment },
      });
      try {
        const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
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

const jwt = "agentrt.gateway.jwt_auth.require_jwt";
const rateLimit = "agentrt.gateway.ratelimit.rate_limit";

export const bench: Bench = {
  question:
    "Authenticated HTTP calls a second: an RS256 token of its own on each of 32 kept-alive connections",
  operation: "request",
  contenders: [
    contender("agentrt", [jwt]),
    contender("open", []),
    contender("jwt-and-limit", [jwt, rateLimit]),
  ],
};
