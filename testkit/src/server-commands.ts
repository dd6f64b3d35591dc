import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian keeps PostgreSQL's programs, newest version first. */
const postgresFolders = Array.from(
  { length: 10 },
  (_, index) => `/usr/lib/postgresql/${20 - index}/bin`,
);

/**
 * Finds a program on PATH and in the folders Debian uses for servers.
 *
 * @returns Its absolute path, or `undefined`.
 */
export function commandPath(command: string): string | undefined {
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    "/usr/sbin",
    "/sbin",
    ...postgresFolders,
  ];
  return folders
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * For a test's `skip` option: `false` when all the programs are there, else the reason.
 *
 * @param commands The programs the test needs.
 * @throws Error when one is missing and `REQUIRE_SERVERS=1`.
 */
export function skipUnless(...commands: string[]): string | false {
  const missing = commands.filter((command) => commandPath(command) === undefined);
  if (missing.length === 0) return false;
  const reason = `${missing.join(", ")} not installed`;
  if (process.env["REQUIRE_SERVERS"] === "1")
    throw new Error(`REQUIRE_SERVERS is set, and ${reason}`);
  return reason;
}
