import type { RecordedCrash } from "../core/index.ts";
import type { CrashBundle } from "./crash-bundle.ts";

/** @returns A record in short, as lists show it. */
export function summaryOf({ id, agent, timestamp, error }: CrashBundle): RecordedCrash {
  const { name, code, message, at } = error;
  return { id, agent, timestamp, reason: code ?? name, message, at };
}
