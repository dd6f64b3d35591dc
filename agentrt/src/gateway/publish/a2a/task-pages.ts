import type { JsonObject } from "../../../core/index.ts";
import { idIn } from "./read-message.ts";
import { rpcCodes, RpcFault } from "./rpc-fault.ts";
import type { Task } from "./task.ts";
import type { TaskFilter } from "./task-store.ts";
import { readState, taskBody } from "./wire.ts";

const sizeDefault = 50;
const sizeMax = 100;

/**
 * Answers `ListTasks`.
 *
 * @param params Of the request.
 * @param list Lists the tasks that fit, those first that changed last.
 * @returns One page; its token is the id of the last task on it.
 * @throws RpcFault for parameters that make no sense.
 */
export function pageOfTasks(
  params: JsonObject,
  list: (filter: Omit<TaskFilter, "owner" | "agent">) => Task[],
): JsonObject {
  const { pageSize: size = sizeDefault, status, includeArtifacts, historyLength = 0 } = params;
  if (!Number.isInteger(size) || Number(size) < 1 || Number(size) > sizeMax)
    throw invalid(`pageSize is not a whole number from 1 to ${sizeMax}`);
  if (!Number.isInteger(historyLength) || Number(historyLength) < 0)
    throw invalid("historyLength is not a whole number of 0 or more");
  const pageSize = Number(size);
  const state = typeof status === "string" ? readState(status) : undefined;
  if (status !== undefined && status !== "TASK_STATE_UNSPECIFIED" && state === undefined)
    throw invalid("status is none of a task");
  const tasks = list({ contextId: idIn(params, "contextId"), state });
  const after = idIn(params, "pageToken");
  const place = after === undefined ? -1 : tasks.findIndex(({ id }) => id === after);
  if (after !== undefined && place < 0) throw invalid("pageToken is of no page");
  const page = tasks.slice(place + 1, place + 1 + pageSize);
  const isLast = place + 1 + pageSize >= tasks.length;
  const options = {
    version: "1.0",
    historyLength: Number(historyLength),
    hasArtifacts: includeArtifacts === true,
  } as const;
  return {
    tasks: page.map((task) => taskBody(task, options)),
    nextPageToken: isLast ? "" : (page.at(-1)?.id ?? ""),
    pageSize,
    totalSize: tasks.length,
  };
}

function invalid(reason: string): RpcFault {
  return new RpcFault(rpcCodes.invalidParams, reason);
}
