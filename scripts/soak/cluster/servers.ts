/** The NATS servers of the soak: which one runs, how it is set up, and a disk that can be full. */
import { spawnSync } from "node:child_process";
import { SoakUnfit } from "../soak-unfit.ts";
import type { Machine } from "./network.ts";

const diskMegabytes = 256;

/** @returns Its version, for example `2.9.10`. @throws SoakUnfit where it does not run. */
export function serverVersion(file: string): string {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  const version = /v(\d+\.\d+\.\d+\S*)/.exec(stdout ?? "")?.[1];
  if (version === undefined) throw new SoakUnfit(`${file} is not a NATS server`);
  return version;
}

/** The configuration of one of three servers, each write on the disk before it is acknowledged, where its version can. */
export function serverConfiguration(
  { name, address }: Machine,
  {
    addresses,
    store,
    version,
  }: { readonly addresses: readonly string[]; readonly store: string; readonly version: string },
): string {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const sync = major > 2 || minor >= 10 ? "sync_interval: always" : "";
  const routes = addresses.map((each) => `nats://${each}:6222`).join(", ");
  return `server_name: ${name}
listen: "${address}:4222"
cluster { name: soak, listen: "${address}:6222", routes: [${routes}] }
jetstream { store_dir: "${store}", max_file_store: 16GB, ${sync} }
`;
}

/** A small file system in memory. */
export class SmallDisk implements Disposable {
  readonly path: string;

  /**
   * @param path An empty folder.
   * @throws SoakUnfit where this process may not mount one.
   */
  constructor(path: string) {
    this.path = path;
    const words = ["-t", "tmpfs", "-o", `size=${diskMegabytes}m`, "none", path];
    const { status, stderr } = spawnSync("mount", words, { encoding: "utf8" });
    if (status !== 0) throw new SoakUnfit(`a small disk cannot be mounted: ${stderr?.trim()}`);
  }

  [Symbol.dispose](): void {
    spawnSync("umount", ["-l", this.path]);
  }
}
