import { readFileSync } from "node:fs";
import type { Finding } from "./finding.ts";

/** A gateway with fewer file descriptors gets a warning: each connection takes one. */
const fileCountMin = 4096;

/**
 * Looks at the limits that the system sets the process. On systems without `/proc` it says nothing.
 *
 * @param options.hasListeners Whether the topology listens.
 * @param options.path Where the system tells them; default `/proc/self/limits`.
 */
export function checkLimits({
  hasListeners,
  path = "/proc/self/limits",
}: {
  readonly hasListeners: boolean;
  readonly path?: string;
}): Finding[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  if (soft === undefined) return [];
  const message = `${soft} open files at most`;
  if (!hasListeners || soft === "unlimited" || Number(soft) >= fileCountMin)
    return [{ check: "limits", state: "ok", message }];
  return [
    {
      check: "limits",
      state: "warning",
      message: `${message}: each connection takes one`,
      remedy: "raise it: ulimit -n 65536, or LimitNOFILE= of the systemd unit",
    },
  ];
}
