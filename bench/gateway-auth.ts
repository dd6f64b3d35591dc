/** What does it cost a gateway to know its clients: a token each request, and a rate limit, compared with neither? */
import { generateKeyPairSync, sign } from "node:crypto";
import type { Bench, Contender } from "./bench.ts";
import { http1Lane } from "./rivals/http1-lane.ts";
import { served } from "./rivals/served.ts";

const connectionCount = 32;
/** As many tokens as clients: each connection brings its own. */
const tokenLifetimeSeconds = 3600;

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

function contender(name: string, middleware: readonly string[]): Contender {
  const lanes = Array.from({ length: connectionCount }, (_, index) =>
    http1Lane(`Authorization: Bearer ${newToken(`user ${index}`)}\r\n`),
  );
  const args = [...middleware];
  return served({
    name,
    server: new URL("./rivals/gateway-auth-server.ts", import.meta.url),
    args,
    environment,
    callCount: 100_000,
    lanes,
  });
}

const jwt = "agentrt.gateway.jwt_auth.require_jwt";
const rateLimit = "agentrt.gateway.ratelimit.rate_limit";

export const bench: Bench = {
  question:
    "Authenticated HTTP calls a second: a separate RS256 token on each of 32 kept-alive connections",
  operation: "request",
  contenders: [
    contender("agentrt", [jwt]),
    contender("open", []),
    contender("jwt-and-limit", [jwt, rateLimit]),
  ],
};
