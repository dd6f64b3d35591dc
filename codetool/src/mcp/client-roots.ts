import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ErrorCode, McpError, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { CommandContext } from "../commands/index.ts";
import { pathOfFileUri } from "./file-uri.ts";
import { PathGuard } from "./path-guard.ts";

/** How long a client may take to list its roots. */
const rootsTimeoutMs = 5000;

/** A client has announced roots, and does not list them in time. */
class RootsMissing extends Error {
  /** JSON-RPC leaves it to servers. */
  readonly code = -32_000;

  constructor() {
    super(
      `the client announced roots and did not list them within ${rootsTimeoutMs / 1000} s: try again`,
    );
  }
}

/** The folders that a client works in, asked for once, and again when it reports that they changed. */
export class ClientRoots {
  readonly #server: Server;
  readonly #context: CommandContext;
  readonly #isNarrowing: boolean;
  #guard: Promise<PathGuard> | undefined;

  /**
   * @param options.isNarrowing True for a client that may name less than the folder the server was started in, and not
   *   more: one that came over the network.
   */
  constructor(server: Server, context: CommandContext, options: { readonly isNarrowing: boolean }) {
    this.#server = server;
    this.#context = context;
    this.#isNarrowing = options.isNarrowing;
  }

  /**
   * Asks for the roots where they are not known.
   *
   * @param requestId Of the request that wants to know: over HTTP the question goes the way of its answer, which is open.
   * @throws RootsMissing
   */
  guard(requestId: RequestId): Promise<PathGuard> {
    this.#guard ??= this.#ask(requestId);
    return this.#guard;
  }

  forget(): void {
    this.#guard = undefined;
  }

  async #ask(requestId: RequestId): Promise<PathGuard> {
    const own = new PathGuard([this.#context.workingDirectory]);
    if (this.#server.getClientCapabilities()?.roots === undefined) return own;
    try {
      const { roots } = await this.#server.listRoots(undefined, {
        timeout: rootsTimeoutMs,
        relatedRequestId: requestId,
      });
      const paths = roots.flatMap(({ uri }) => pathOfFileUri(uri) ?? []);
      const allowed = this.#isNarrowing ? paths.filter((path) => own.contains(path)) : paths;
      return allowed.length === 0 ? own : new PathGuard(allowed);
    } catch (error) {
      if (error instanceof McpError && (error.code as ErrorCode) === ErrorCode.RequestTimeout) {
        // Which folders it means is not known: none is shown, and the next call asks again.
        this.forget();
        throw new RootsMissing();
      }
      // A client that announces roots and refuses to list them is served in the folder that the server was started in.
      this.#context.log?.("warn", `mcp: ${error instanceof Error ? error.message : String(error)}`);
      return own;
    }
  }
}
