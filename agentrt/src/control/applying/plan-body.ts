import type { JsonObject, JsonValue } from "../../core/index.ts";
import type {
  ApplyPort,
  ErrorMask,
  PlanPicture,
  PlannedNodePicture,
  SentFile,
} from "./apply-port.ts";
import type { ApplyBody, PlanBody, PlannedNodeBody } from "./wire-plan.ts";
import { BodyFault } from "../write-body.ts";

const actions = ["stop", "start", "restart", "move", "change", "keep"] as const;

/** Most files that one topology is laid over by. */
const fileCountMax = 100;

/** Makes the body of a plan. */
export function planBody(plan: PlanPicture): PlanBody {
  const counts: { [action: string]: number } = {};
  for (const action of actions)
    counts[action] = plan.nodes.filter(({ act }) => act === action).length;
  return {
    changes: plan.isChange,
    counts,
    nodes: plan.nodes.filter(({ act }) => act !== "keep").map(nodeBody),
    parts: plan.parts.map(({ kind, name, act }) => ({ kind, name, action: act })),
    workers_away: plan.awayGroups,
    needs_restart: plan.refusals,
  };
}

function nodeBody(node: PlannedNodePicture): PlannedNodeBody {
  return {
    name: node.name,
    kind: node.kind,
    action: node.act,
    parent: node.parent,
    moved_from: node.movedFrom ?? null,
    because: node.because,
    messages_at_hand: node.atHandCount,
    messages_waiting: node.waitingCount,
    children_count: node.childCount,
    children: node.childNames,
    crash_restarts: node.crashRestarts,
  };
}

/** Makes the body of what became of the latest `apply` of a runtime. */
export function applyBody({ applyState: state, observer }: ApplyPort & ErrorMask): ApplyBody {
  switch (state.status) {
    case "none":
      return { status: "none" };
    case "applying":
      return { status: "applying", timestamp: state.sinceMs / 1000 };
    case "applied":
      return { status: "applied", timestamp: state.atMs / 1000, late: state.lateNames };
    case "failed":
      return {
        status: "failed",
        timestamp: state.atMs / 1000,
        ...errorOf(state.error, observer.redactor),
      };
  }
}

/** What went wrong, for an operator, without secrets. */
export function errorOf(
  error: unknown,
  redactor: ErrorMask["observer"]["redactor"],
): { readonly error: string; readonly code?: string } {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const text = redactor.text(typeof message === "string" ? message : String(error));
  return typeof code === "string" ? { error: text, code } : { error: text };
}

/**
 * Reads the topology that a client sends.
 *
 * @param body `topology`, its text, and `name`, how positions call it; or `files`, several of which each is laid over those
 *   before.
 * @throws BodyFault.
 */
export function readSentFiles(body: JsonObject): readonly [SentFile, ...SentFile[]] {
  const known = ["topology", "name", "files"];
  const unknown = Object.keys(body).find((key) => !known.includes(key) && key !== "__principal__");
  if (unknown !== undefined)
    throw new BodyFault(`unknown key '${unknown}': want ${known.join(", ")}`);
  const { files } = body;
  if (files === undefined) return [readFile(body)];
  if (!Array.isArray(files) || files.length > fileCountMax)
    throw new BodyFault(`files must be a list of at most ${fileCountMax} {name, topology}`);
  const [first, ...others] = files.map((file: JsonValue) => readFile(file));
  if (first === undefined) throw new BodyFault("files must not be empty");
  return [first, ...others];
}

function readFile(file: JsonValue): SentFile {
  const isObject = typeof file === "object" && file !== null && !Array.isArray(file);
  const { topology, name = "topology.yaml" } = isObject ? file : {};
  if (typeof topology !== "string") throw new BodyFault("topology must be the text of a file");
  if (typeof name !== "string" || name === "")
    throw new BodyFault("name must be the name of the file, not empty");
  return { fileName: name, text: topology };
}
