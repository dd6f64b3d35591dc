import { wallClockMs } from "../../system/index.ts";
import type { CommandContext } from "../command.ts";
import { type AnsweredCall, recordCall } from "./record-call.ts";
import { usageFile } from "./usage-file.ts";

/** Records a call that was answered. A failure to do so is not a reason to fail. */
export function countAnswer(
  call: Omit<AnsweredCall, "tsSeconds">,
  { environment, log }: Pick<CommandContext, "environment" | "log">,
): void {
  const path = usageFile(environment);
  if (path === undefined) return;
  const onFailure = (error: unknown): void =>
    log?.("debug", `${path}: ${error instanceof Error ? error.message : String(error)}`);
  try {
    const isFull = recordCall(path, { ...call, tsSeconds: Math.floor(wallClockMs() / 1000) });
    if (isFull) import("./fold-usage.ts").then(({ foldUsage }) => foldUsage(path)).catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
