/** `node gateway-auth-server.ts <middleware path>…`: `POST /agents/echo` behind that middleware; prints `port <number>`. */
import process from "node:process";
import { serveAgentrt } from "./agentrt-gateway.ts";

process.stdout.write(`port ${await serveAgentrt({ middleware: process.argv.slice(2) })}\n`);
