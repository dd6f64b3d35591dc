import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import type { Finding } from "../report.ts";

/** An object of a cluster, by what tells how it is. */
export interface ClusterObject {
  /** `Pod`; empty where a table does not say. */
  readonly kind: string;
  readonly name: string;
  /** One line. */
  readonly state: string;
  /** As kubectl's column has it: `Running`, `CrashLoopBackOff`. */
  readonly status?: string;
  /** `1/3`. */
  readonly ready?: string;
  readonly restarts?: number;
  /** Conditions that are not as they should be. */
  readonly complaints?: readonly string[];
  /** An event's type, `Warning` or `Normal`. */
  readonly type?: string;
  /** What an event is about. */
  readonly about?: string;
}

const badStatus =
  /BackOff|Err|Fail|OOMKilled|Evicted|^Pending$|^Lost$|NotReady|^Unknown$|CannotRun|Deadline|Invalid|Unhealthy|Degraded|^NodeAffinity$|^False$/;
const passingStatus =
  /^(?:Terminating|ContainerCreating|PodInitializing|Init:\d+\/\d+|Ready,SchedulingDisabled)$/;

/** Tells what is wrong with an object: a failure, or what only deserves a look. */
export function judge(object: ClusterObject): {
  readonly failure?: Finding;
  readonly warnings: readonly Finding[];
} {
  const { name, state, status = "", ready, restarts = 0, complaints = [], type } = object;
  if (object.kind === "Event") {
    const message =
      object.about === undefined || object.about === "" ? state : `${object.about}: ${state}`;
    return { warnings: type === "Warning" ? [{ name, location: null, message }] : [] };
  }
  const finding = { name, location: null, message: [state, ...complaints].join("\n") };
  const isOver = /^(?:Completed?|Succeeded)$/.test(status);
  const [have = 0, want = 0] = (ready ?? "").split("/").map(Number);
  const isShort = ready !== undefined && have < want && !isOver;
  const isBad = badStatus.test(status);
  if (passingStatus.test(status)) return { warnings: [finding] };
  if (isBad || isShort || complaints.length > 0) return { failure: finding, warnings: [] };
  return { warnings: restarts > 0 ? [finding] : [] };
}

/** Reads one object of the API. */
export function objectOfJson(object: JsonObject): ClusterObject {
  const kind = textOf(object["kind"]);
  const name = textOf(partOf(object, "metadata")["name"]);
  if (kind === "Event") {
    const about = partOf(object, "involvedObject");
    const target = `${textOf(about["kind"]).toLowerCase()}/${textOf(about["name"])}`;
    const state = textOf(object["message"]);
    return {
      kind,
      name: textOf(object["reason"]),
      state,
      type: textOf(object["type"]),
      about: target,
    };
  }
  if (kind === "Pod") return podOfJson(name, object);
  const status = partOf(object, "status");
  const wanted = partOf(object, "spec")["replicas"] ?? status["desiredNumberScheduled"];
  const readyCount = numberOf(status["readyReplicas"] ?? status["numberReady"]);
  const ready = typeof wanted === "number" ? `${readyCount}/${wanted}` : undefined;
  const conditions = objectsOf(status["conditions"]);
  const isReady = conditions.find((each) => each["type"] === "Ready")?.["status"];
  const nodeStatus = isReady === "True" ? "Ready" : "NotReady";
  const word = kind === "Node" ? nodeStatus : textOf(status["phase"]);
  const complaints = conditions.filter((each) => isComplaint(each, kind)).map(complaintOf);
  return {
    kind,
    name,
    state: [word, ready ?? ""].filter((part) => part !== "").join(" "),
    ...(word === "" ? {} : { status: word }),
    ...(ready === undefined ? {} : { ready }),
    ...(complaints.length === 0 ? {} : { complaints }),
  };
}

function podOfJson(name: string, pod: JsonObject): ClusterObject {
  const status = partOf(pod, "status");
  const containers = objectsOf(status["containerStatuses"]);
  const count = objectsOf(partOf(pod, "spec")["containers"]).length;
  const readyCount = containers.filter((each) => each["ready"] === true).length;
  const restarts = containers.reduce((sum, each) => sum + numberOf(each["restartCount"]), 0);
  const said = containers.flatMap((each) => {
    const state = partOf(each, "state");
    const found = isObject(state["waiting"]) ? state["waiting"] : state["terminated"];
    return isObject(found) ? [found] : [];
  });
  const reasons = said.map((each) => textOf(each["reason"])).filter((reason) => reason !== "");
  const isLeaving = partOf(pod, "metadata")["deletionTimestamp"] !== undefined;
  const word = isLeaving
    ? "Terminating"
    : (reasons[0] ?? (textOf(status["reason"]) || textOf(status["phase"])));
  const isOver = word === "Completed" || word === "Succeeded";
  const conditions = objectsOf(status["conditions"]).filter((each) => isComplaint(each, "Pod"));
  const messages = said.map((each) => textOf(each["message"])).filter((text) => text !== "");
  const complaints = isOver || isLeaving ? [] : [...messages, ...conditions.map(complaintOf)];
  const ready = `${readyCount}/${count}`;
  return {
    kind: "Pod",
    name,
    state: `${word} ${ready}${restarts === 0 ? "" : ` ${restarts} restarts`}`,
    status: word,
    ready,
    restarts,
    ...(complaints.length === 0 ? {} : { complaints }),
  };
}

/** True for a condition that names trouble: good ones that are false, and pressure that is true. */
export function isComplaint(condition: JsonObject, kind: string): boolean {
  const type = textOf(condition["type"]);
  const status = textOf(condition["status"]);
  const isGoodWhenTrue =
    /^(?:Ready|Available|Initialized|PodScheduled|ContainersReady|Established|Progressing|Healthy|Synced)$/.test(
      type,
    );
  if (isGoodWhenTrue) return status !== "True";
  const isTrouble =
    kind === "Node" || /Failure|Failed|Degraded|Pressure|Unavailable|Stalled/.test(type);
  return isTrouble && status === "True";
}

function complaintOf(condition: JsonObject): string {
  const head = `${textOf(condition["type"])}=${textOf(condition["status"])}`;
  const reason = textOf(condition["reason"]);
  const message = textOf(condition["message"]);
  return `${head}${reason === "" ? "" : ` ${reason}`}${message === "" ? "" : `: ${message}`}`;
}

function partOf(object: JsonObject, key: string): JsonObject {
  const value: Json | undefined = object[key];
  return isObject(value) ? value : {};
}
