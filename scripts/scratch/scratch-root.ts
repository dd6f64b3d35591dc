/** A root folder outside of the system's, in which the steps of a container build file run without a container engine. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { createTemporaryFolder, type Program, runProgram, startProgram } from "testkit";

/** Where a command runs, and as whom. */
interface Inside {
  readonly directory?: string;
  readonly environment?: { readonly [name: string]: string };
  /** True for the user `node`, 1000, as the image of Node has it. */
  readonly isNode?: boolean;
  /** Id of a process whose network it shares; default the machine's. */
  readonly networkOf?: number;
}

/** Mounts the system's programs below a root for this process and its children, and goes there. */
const enter = `set -e
root=$1; node=$2; shift 2
mount --rbind /usr "$root/usr"
mount --bind "$root/local" "$root/usr/local"
mount --bind "$node" "$root/usr/local/bin/node"
mount --bind /etc/ssl "$root/etc/ssl"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
exec chroot "$@"
`;

/** A root folder with the system's programs, this Node, and nothing else. */
export class ScratchRoot implements Disposable {
  readonly #folder = createTemporaryFolder({
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n",
    "etc/group": "root:x:0:\nnode:x:1000:\n",
    "etc/hosts": `${readFileSync("/etc/hosts", "utf8")}\n127.0.0.1 nats supervisor\n`,
    "etc/nsswitch.conf": "hosts: files dns\n",
    "local/bin/node": "",
  });

  constructor() {
    // Others than root go through it, too.
    chmodSync(this.path, 0o755);
    for (const path of ["usr", "etc/ssl", "dev", "proc", "tmp", "root", "home/node"])
      mkdirSync(join(this.path, path), { recursive: true });
    for (const name of ["bin", "lib", "lib64", "sbin"])
      if (existsSync(`/${name}`)) symlinkSync(`usr/${name}`, join(this.path, name));
    if (existsSync("/etc/resolv.conf"))
      copyFileSync("/etc/resolv.conf", this.at("/etc/resolv.conf"));
  }

  /** The folder itself. */
  get path(): string {
    return this.#folder.path;
  }

  /** @returns Where a path of the root is on this machine. */
  at(path: string): string {
    const local = /^\/usr\/local(?=\/|$)/;
    return join(this.path, local.test(path) ? path.replace(local, "/local") : path);
  }

  /** Copies a file or folder of this machine. */
  copy(from: string, to: string, filter: (path: string) => boolean = () => true): void {
    mkdirSync(dirname(this.at(to)), { recursive: true });
    cpSync(from, this.at(to), { recursive: true, filter });
  }

  /** Writes a file. */
  write(path: string, content: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  /** Runs one command to its end. */
  async run(words: readonly string[], inside: Inside = {}) {
    // Ends children, too, which would keep the output open.
    const ended = ["timeout", "--kill-after=5", "150", ...words];
    const [command = "", ...args] = this.#wordsOf(ended, inside);
    return await runProgram(command, args);
  }

  /** Starts one command. */
  start(words: readonly string[], inside: Inside = {}): Program {
    const [command = "", ...args] = this.#wordsOf(words, inside);
    return startProgram(command, args, { timeoutMs: 200_000 });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  #wordsOf(words: readonly string[], inside: Inside): readonly string[] {
    const { directory = "/", environment = {}, isNode = false, networkOf } = inside;
    const variables = {
      PATH: "/usr/local/bin:/usr/bin:/usr/sbin",
      HOME: isNode ? "/home/node" : "/root",
      // It is not the first process here.
      TINI_SUBREAPER: "1",
      ...environment,
    };
    const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const network = networkOf === undefined ? [] : ["nsenter", `--net=/proc/${networkOf}/ns/net`];
    const user = isNode ? ["--userspec=node:node"] : [];
    const entered = ["unshare", "-m", "sh", "-c", enter, "sh", this.path, process.execPath];
    return [
      ...network,
      ...entered,
      ...user,
      this.path,
      "env",
      "-i",
      "-C",
      directory,
      ...pairs,
      ...words,
    ];
  }
}
