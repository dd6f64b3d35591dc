import { randomBytes } from "node:crypto";
import { type CommandContext, ResidentIndexes } from "../commands/index.ts";
import { errors } from "../envelope/index.ts";
import { CallQueue } from "./call-queue.ts";
import { listenHttp } from "./http/index.ts";
import { makeMcpServer } from "./mcp-server.ts";
import { toolsOf } from "./tools.ts";

/** How the endpoint is served. */
export interface ServeMcpHttpOptions {
  readonly context: CommandContext;
  /** 0 for any that is free. */
  readonly port: number;
  /** True where clients may start programs. */
  readonly mayRun: boolean;
  /** Says to people where it listens. */
  readonly tell: (line: string) => void;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

/** Characters of a token that is given: shorter ones can be guessed. */
const tokenLengthMin = 16;

/**
 * Serves the commands over HTTP on this machine, to clients that have the token: that of `CODETOOL_MCP_TOKEN`, else one
 * that is made and said once.
 *
 * @throws invalid_argument for a port that is taken, or a token that is too short.
 */
export async function serveMcpHttp(options: ServeMcpHttpOptions): Promise<void> {
  const { context, port, mayRun, tell, signal } = options;
  const given = context.environment["CODETOOL_MCP_TOKEN"] ?? "";
  if (given !== "" && given.length < tokenLengthMin)
    throw new errors.invalid_argument({
      argument: "CODETOOL_MCP_TOKEN",
      reason: `it must have ${tokenLengthMin} characters or more`,
    });
  const token = given === "" ? randomBytes(32).toString("base64url") : given;
  using corpora = new ResidentIndexes();
  const tools = toolsOf({ mayRun });
  const queue = new CallQueue();
  const endpoint = await listenHttp({
    port,
    token,
    connect: async (transport) => {
      const own = { ...context, corpora };
      await makeMcpServer({ context: own, tools, queue, isNarrowing: true }).connect(transport);
    },
  });
  tell(`codetool: listening at ${endpoint.url}`);
  if (given === "") tell(`codetool: the token, said only here: ${token}`);
  const ended = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  if (!signal.aborted) await ended.promise;
  await endpoint.close();
}
