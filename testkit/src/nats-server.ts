import { join } from "node:path";
import { commandPath } from "./server-commands.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { type Program, startProgram } from "./program.ts";

/** A running NATS server. */
export interface NatsServer extends AsyncDisposable {
  /** For example `nats://127.0.0.1:40001`. */
  readonly url: string;
  readonly port: number;
  /** Id of its process; undefined while it is stopped. */
  readonly processId: number | undefined;
  /** Ends it; what JetStream has stored stays. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again at the same port after `stop`, with other lines of configuration where some are given. */
  start(configuration?: string): Promise<void>;
}

/** How a NATS server is started. */
export interface NatsServerOptions {
  /** Also serve JetStream, stored in a temporary folder. */
  readonly jetStream?: boolean;
  /** More lines of its configuration, for example of TLS or users. */
  readonly configuration?: string;
  /** Default a free one. */
  readonly port?: number;
}

/**
 * Starts a NATS server on a loopback port.
 *
 * @param options What it serves.
 */
export async function startNats(options: NatsServerOptions = {}): Promise<NatsServer> {
  const folder = createTemporaryFolder();
  const port = options.port ?? (await freePort());
  let program: Program | undefined;
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    port,
    get processId() {
      return program?.process.pid;
    },
    start: async (configuration = options.configuration ?? "") => {
      folder.write({ "nats.conf": `${configuration}\n` });
      const args = ["-a", "127.0.0.1", "-p", String(port), "-c", join(folder.path, "nats.conf")];
      if (options.jetStream === true) args.push("-js", "-sd", folder.path);
      program = startProgram(commandPath("nats-server") ?? "nats-server", args, {
        timeoutMs: 600_000,
      });
      await program.waitFor(/Server is ready/);
    },
    stop: async (signal = "SIGTERM") => {
      program?.kill(signal);
      await program?.exited();
      program = undefined;
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      folder[Symbol.dispose]();
    },
  };
  await server.start();
  return server;
}
