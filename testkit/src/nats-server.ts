import { commandPath } from "./server-commands.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { startProgram } from "./program.ts";

/** A running NATS server. */
interface NatsServer extends AsyncDisposable {
  /** For example `nats://127.0.0.1:40001`. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts a NATS server on a free loopback port.
 *
 * @param options.jetStream Also serve JetStream, stored in a temporary folder.
 */
export async function startNats(options: { jetStream?: boolean } = {}): Promise<NatsServer> {
  const folder = createTemporaryFolder();
  const port = await freePort();
  const args = ["-a", "127.0.0.1", "-p", String(port)];
  if (options.jetStream === true) args.push("-js", "-sd", folder.path);
  const program = startProgram(commandPath("nats-server") ?? "nats-server", args, {
    timeoutMs: 600_000,
  });
  await program.waitFor(/Server is ready/);
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: async () => {
      program.kill("SIGTERM");
      await program.exited();
      folder[Symbol.dispose]();
    },
  };
}
