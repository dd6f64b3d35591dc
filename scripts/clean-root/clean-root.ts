import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runProgram, type ProgramExit } from "testkit";
import { root as checkout } from "../test-files.ts";

/** Who runs a program in the clean root: a user with an account and a home, or a bare number, as containers have it. */
export const users = {
  root: { id: 0, home: "/root" },
  ada: { id: 1001, home: "/home/ada" },
  ben: { id: 1002, home: "/home/ben" },
  nobodyKnown: { id: 1234, home: undefined },
} as const;

/** The name of one of them. */
export type UserName = keyof typeof users;

/** What the root is like while a script runs in it. */
export interface Scene {
  readonly user: UserName;
  /** Absolute path of a folder of this machine, which is `/srv/tree` there and is given to the user. */
  readonly tree: string;
  /** No program or library can be loaded from `/tmp`. */
  readonly isTemporaryFolderNoexec?: boolean;
  /** Nothing can be written to the homes. */
  readonly isHomeReadOnly?: boolean;
  /** Nothing can be written to `/tmp` and `/var/tmp`. */
  readonly isTemporaryFolderReadOnly?: boolean;
  /** Whether `HOME` is set, where the user has a home. Default true. */
  readonly hasHome?: boolean;
  readonly environment?: { readonly [name: string]: string };
}

const binary = join(checkout, "dist", "codetool");
const folder = join(checkout, "node_modules", ".cache", "clean-root");

/**
 * Makes a Debian root of the packages that Debian calls required, from the mirror that this machine's `debootstrap` uses. It
 * is kept for the next run.
 *
 * @returns Why there can be none, if so.
 */
export function makeCleanRoot(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "a root of its own takes Linux and the rights of root";
  if (existsSync(folder)) return undefined;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  const args = ["--variant=minbase", "stable", made];
  const result = spawnSync("debootstrap", args, { stdio: ["ignore", 2, 2] });
  if (result.status !== 0) {
    rmSync(made, { recursive: true, force: true });
    return `debootstrap failed: ${result.error?.message ?? `exit ${result.status}`}`;
  }
  // What the executable is bound to.
  writeFileSync(join(made, "usr/local/bin/codetool"), "");
  const accounts = Object.entries(users).flatMap(([name, { id, home }]) =>
    home === undefined || id === 0 ? [] : [`${name}:x:${id}:${id}::${home}:/bin/sh\n`],
  );
  writeFileSync(join(made, "etc/passwd"), accounts.join(""), { flag: "a" });
  mkdirSync(join(made, "srv/tree"));
  chmodSync(made, 0o755);
  renameSync(made, folder);
  return undefined;
}

/** Shell lines that make the scene, in mount, network and process namespaces that end with the script. */
function stage({ user, tree, ...scene }: Scene): string {
  const { id } = users[user];
  const noexec = scene.isTemporaryFolderNoexec === true ? ",noexec" : "";
  const readOnly = (path: string): string => `mount -o remount,ro,bind "$ROOT${path}"`;
  const homes = Object.values(users).flatMap(({ id: owner, home }) =>
    home === undefined
      ? []
      : [
          `mkdir -p "$ROOT${home}" && chown ${owner}:${owner} "$ROOT${home}" && chmod 700 "$ROOT${home}"`,
        ],
  );
  return [
    "set -e",
    `ROOT=${quoted(folder)}`,
    "mount --make-rprivate /",
    'mount --bind "$ROOT" "$ROOT"',
    `mount --bind ${quoted(binary)} "$ROOT/usr/local/bin/codetool"`,
    readOnly(""),
    'mount -t proc proc "$ROOT/proc"',
    `for at in tmp var/tmp; do mount -t tmpfs -o mode=1777${noexec} tmpfs "$ROOT/$at"; done`,
    'for at in root home; do mount -t tmpfs tmpfs "$ROOT/$at"; done',
    ...homes,
    ...(scene.isHomeReadOnly === true ? ["/root", "/home"].map(readOnly) : []),
    ...(scene.isTemporaryFolderReadOnly === true ? ["/tmp", "/var/tmp"].map(readOnly) : []),
    `chown -R ${id}:${id} ${quoted(tree)}`,
    `mount --bind ${quoted(tree)} "$ROOT/srv/tree"`,
  ].join("\n");
}

/** Runs a script of `sh` in the clean root, in `/srv/tree`, without a network. */
export async function runInside(scene: Scene, script: string): Promise<ProgramExit> {
  const { id, home } = users[scene.user];
  const environment = {
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    ...(home === undefined || scene.hasHome === false ? {} : { HOME: home }),
    ...scene.environment,
  };
  const variables = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
  const inside = ["sh", "-c", quoted(`cd /srv/tree\n${script}`)];
  const lines = [
    stage(scene),
    `exec chroot --userspec=${id}:${id} --groups= "$ROOT" env -i ${variables.join(" ")} ${inside.join(" ")}`,
  ];
  const flags = ["--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child"];
  return await runProgram("unshare", [...flags, "sh", "-c", lines.join("\n")]);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
