import { chownSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { commandPath } from "./server-commands.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { type Program, runProgram, startProgram } from "./program.ts";

/** A running PostgreSQL server with one empty database. */
interface PostgresServer extends AsyncDisposable {
  /** For example `postgresql://postgres@127.0.0.1:40001/postgres`. */
  readonly url: string;
  /** Ends the server as an operator in a hurry does: open connections are cut. */
  stop(): Promise<void>;
  /** Ends the server as a crash does: nothing is written out, it recovers at the next start. */
  crash(): Promise<void>;
  /** Starts it again after `stop` or `crash`, on the same port with the same data. */
  start(): Promise<void>;
}

/** PostgreSQL refuses to run as root; Debian's package made a user for it. */
function serverUser(): { userId?: number; groupId?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { userId: idOf("-u"), groupId: idOf("-g") };
}

/**
 * Starts PostgreSQL with a new cluster on a free loopback port.
 *
 * @param options.password What the server asks for, by SCRAM; default it asks for none. The URL does not hold it.
 */
export async function startPostgres(
  options: { readonly password?: string } = {},
): Promise<PostgresServer> {
  const folder = createTemporaryFolder();
  const user = serverUser();
  if (user.userId !== undefined && user.groupId !== undefined)
    chownSync(folder.path, user.userId, user.groupId);
  const data = `${folder.path}/data`;
  const programOptions = { ...user, workingDirectory: folder.path, timeoutMs: 600_000 };
  const { password } = options;
  if (password !== undefined) folder.write({ password });
  const auth =
    password === undefined ? ["--auth=trust"] : ["--auth=scram-sha-256", `--pwfile=password`];
  const initialized = await runProgram(
    commandPath("initdb") ?? "initdb",
    ["-D", data, "-U", "postgres", ...auth, "--no-sync", "--encoding=UTF8", "--locale=C"],
    programOptions,
  );
  if (initialized.code !== 0) throw new Error(`initdb failed: ${initialized.stderr}`);
  const port = await freePort();
  const start = async (): Promise<Program> => {
    const program = startProgram(
      commandPath("postgres") ?? "postgres",
      [
        "-D",
        data,
        "-p",
        String(port),
        "-k",
        folder.path,
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "fsync=off",
      ],
      programOptions,
    );
    await program.waitFor(/ready to accept connections/);
    return program;
  };
  let program = await start();
  const stop = async (): Promise<void> => {
    program.kill("SIGINT");
    await program.exited();
  };
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop,
    crash: async () => {
      program.kill("SIGQUIT");
      await program.exited();
    },
    start: async () => {
      program = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      folder[Symbol.dispose]();
    },
  };
}
