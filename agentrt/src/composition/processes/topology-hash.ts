import { createHash } from "node:crypto";
import type { Topology } from "../../topology/index.ts";

/** What says where something is in the file, or which transport this process uses. */
const leftOut: ReadonlySet<string> = new Set(["at", "path", "fileName", "transport", "unserved"]);

/** Tells topologies apart, whatever their files are called and how they are laid out: 64 hexadecimal digits. */
export function topologyHash(topology: Topology): string {
  // Each process has its own part of the keys.
  const { security: _, ...rest } = topology;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    leftOut.has(key) ? undefined : value,
  );
  return createHash("sha256").update(text).digest("hex");
}
