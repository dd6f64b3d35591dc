import { commandPath } from "./server-commands.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { connect } from "node:net";
import { startProgram } from "./program.ts";

/** A running nginx. */
interface NginxServer extends AsyncDisposable {
  readonly port: number;
}

/** Resolves when something accepts connections on the port. */
async function waitForPort(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
  }
}

/**
 * Starts nginx in front of something.
 *
 * @param serverBlock What is inside `server { listen 127.0.0.1:<port>; … }`.
 */
export async function startNginx(serverBlock: string): Promise<NginxServer> {
  const folder = createTemporaryFolder();
  const port = await freePort();
  const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder.path}/${name};`)
    .join(" ");
  folder.write({
    "nginx.conf": `daemon off; master_process off; pid ${folder.path}/pid; error_log stderr; events {}
http { access_log off; ${temporaryPaths} server { listen 127.0.0.1:${port}; ${serverBlock} } }`,
  });
  const program = startProgram(
    commandPath("nginx") ?? "nginx",
    ["-c", `${folder.path}/nginx.conf`, "-p", folder.path],
    {
      timeoutMs: 600_000,
    },
  );
  await Promise.race([
    waitForPort(port),
    program.exited().then((exit) => {
      throw new Error(`nginx did not start: ${exit.stderr}`);
    }),
  ]);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      program.kill("SIGTERM");
      await program.exited();
      folder[Symbol.dispose]();
    },
  };
}
