import type { JsonObject } from "../../../core/index.ts";
import type { Part, Task, TaskEvent, TaskMessage, TaskState } from "./task.ts";

/** The version of the protocol in which a client speaks. */
export type A2aVersion = "1.0" | "0.3";

const artifactId = "reply";

/**
 * Writes a task as a version of the protocol has it.
 *
 * @param task The task.
 * @param options.version Of the protocol.
 * @param options.historyLength Latest messages that are wanted; default all.
 * @param options.hasArtifacts False where they are left out. Default true.
 */
export function taskBody(
  task: Task,
  options: {
    readonly version: A2aVersion;
    readonly historyLength?: number | undefined;
    readonly hasArtifacts?: boolean;
  },
): JsonObject {
  const { version, historyLength = task.history.length, hasArtifacts = true } = options;
  const history = historyLength === 0 ? [] : task.history.slice(-historyLength);
  const { parts, droppedPartCount } = task;
  const artifacts = parts.length === 0 ? [] : [artifactBody(parts, version)];
  return {
    ...(version === "0.3" ? { kind: "task" } : {}),
    id: task.id,
    contextId: task.contextId,
    status: statusBody(task, version),
    ...(hasArtifacts ? { artifacts } : {}),
    ...(history.length === 0
      ? {}
      : { history: history.map((message) => messageBody(message, task, version)) }),
    ...(droppedPartCount === 0 ? {} : { metadata: { droppedPartCount } }),
  };
}

/**
 * Writes an event of a task as a stream has it.
 *
 * @param event What happened.
 * @param task To which.
 * @param version Of the protocol.
 */
export function eventBody(event: TaskEvent, task: Task, version: A2aVersion): JsonObject {
  const { id: taskId, contextId } = task;
  const body: JsonObject =
    event.kind === "status"
      ? { taskId, contextId, status: statusBody(task, version) }
      : {
          taskId,
          contextId,
          artifact: artifactBody([event.part], version),
          append: !event.isFirst,
          lastChunk: false,
        };
  if (version === "1.0")
    return event.kind === "status" ? { statusUpdate: body } : { artifactUpdate: body };
  return event.kind === "status"
    ? { kind: "status-update", ...body, final: task.isSettled }
    : { kind: "artifact-update", ...body };
}

/**
 * Wraps a task as the answer to a message, and as the first event of a stream.
 *
 * @param task As `taskBody` wrote it.
 * @param version Of the protocol.
 */
export function wrappedTask(task: JsonObject, version: A2aVersion): JsonObject {
  return version === "1.0" ? { task } : task;
}

/**
 * Reads the name of a state.
 *
 * @param text Of version 1.0.
 * @returns Undefined for what is none.
 */
export function readState(text: string): TaskState | undefined {
  const found = /^TASK_STATE_([A-Z_]+)$/.exec(text)?.[1]?.toLowerCase().replaceAll("_", "-");
  return states.find((state) => state === found);
}

const states: readonly TaskState[] = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
];

function statusBody(task: Task, version: A2aVersion): JsonObject {
  const { state, note, changedAtMs } = task;
  const said: TaskMessage | undefined =
    note === undefined
      ? undefined
      : { messageId: `${task.id}-${state}`, role: "agent", parts: [{ text: note }] };
  return {
    state: version === "1.0" ? `TASK_STATE_${upper(state)}` : state,
    ...(said === undefined ? {} : { message: messageBody(said, task, version) }),
    timestamp: new Date(changedAtMs).toISOString(),
  };
}

function messageBody(
  { messageId, role, parts }: TaskMessage,
  { id: taskId, contextId }: Task,
  version: A2aVersion,
): JsonObject {
  const written = parts.map((part) => partBody(part, version));
  return version === "1.0"
    ? { messageId, contextId, taskId, role: `ROLE_${upper(role)}`, parts: written }
    : { kind: "message", messageId, contextId, taskId, role, parts: written };
}

function artifactBody(parts: readonly Part[], version: A2aVersion): JsonObject {
  return { artifactId, name: artifactId, parts: parts.map((part) => partBody(part, version)) };
}

function partBody(part: Part, version: A2aVersion): JsonObject {
  if (version === "0.3") return { kind: "text" in part ? "text" : "data", ...part };
  return { ...part, mediaType: "text" in part ? "text/plain" : "application/json" };
}

function upper(text: string): string {
  return text.toUpperCase().replaceAll("-", "_");
}
