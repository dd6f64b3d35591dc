import { type JsonObject, textOf } from "../json-in-text.ts";
import { type ClusterObject, isComplaint } from "./kubectl-objects.ts";

/** Reads what `kubectl describe` prints: objects with a blank line or two between, each with its events. */
export function describedObjects(stdout: string): ClusterObject[] {
  if (!/^Name: {2,}\S/m.test(stdout)) return [];
  return stdout
    .split(/^(?=Name: {2,}\S)/m)
    .filter((text) => text.startsWith("Name: "))
    .flatMap((text) => [objectOf(text), ...eventsOf(text)]);
}

function objectOf(text: string): ClusterObject {
  const field = (name: string): string =>
    new RegExp(`^${name}: +(\\S.*)$`, "m").exec(text)?.[1] ?? "";
  const reasons = [
    ...text.matchAll(/^ {4}State: +(?:Waiting|Terminated)\n +Reason: +(\S+)$/gm),
  ].map(([, reason = ""]) => reason);
  const containers = [...text.matchAll(/^ {4}Ready: +(True|False)$/gm)].map(([, value]) => value);
  const restarts = [...text.matchAll(/^ {4}Restart Count: +(\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  const last = /^ {4}Last State: +Terminated\n +Reason: +(\S+)$/m.exec(text)?.[1];
  const conditions = conditionsOf(text);
  const isNode = /^Unschedulable: /m.test(text);
  const replicas =
    /^Replicas: +(?:(\d+) desired.* (\d+) available|(\d+) current \/ (\d+) desired)/m.exec(text);
  const wanted = replicas?.[1] ?? replicas?.[4];
  const replicasReady =
    wanted === undefined ? undefined : `${replicas?.[2] ?? replicas?.[3] ?? 0}/${wanted}`;
  const podReady =
    containers.length === 0
      ? undefined
      : `${containers.filter((value) => value === "True").length}/${containers.length}`;
  const ready = replicasReady ?? podReady;
  const isReady = conditions.some((each) => each["type"] === "Ready" && each["status"] === "True");
  const nodeStatus = isNode ? (isReady ? "Ready" : "NotReady") : "";
  const status = reasons[0] ?? (nodeStatus || field("Status"));
  const isOver = status === "Completed" || status === "Succeeded";
  const complaints = [
    ...(last === undefined ? [] : [`last ended by ${last}`]),
    ...conditions
      .filter((each) => isComplaint(each, isNode ? "Node" : ""))
      .map(({ type, status: value, rest }) =>
        `${textOf(type)}=${textOf(value)} ${textOf(rest)}`.trimEnd(),
      ),
  ];
  const isIll = reasons.length > 0 || complaints.some((each) => /=/.test(each));
  const state = [status, ready ?? "", restarts === 0 ? "" : `${restarts} restarts`];
  return {
    kind: "",
    name: field("Name"),
    state: state.filter((part) => part !== "").join(" "),
    ...(status === "" ? {} : { status }),
    ...(ready === undefined ? {} : { ready }),
    restarts,
    ...(isIll && !isOver && complaints.length > 0 ? { complaints } : {}),
  };
}

/** The rows under `Conditions:`; what is behind type and status is kept as it is. */
function conditionsOf(text: string): JsonObject[] {
  const section = /^Conditions:\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? "";
  return section.split("\n").flatMap((line) => {
    const [, type, status, rest = ""] = /^ {2}(\w+) +(True|False|Unknown)(.*)$/.exec(line) ?? [];
    const time = /\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4}/g;
    return type === undefined
      ? []
      : [{ type, status, rest: rest.replaceAll(time, "").trim().replaceAll(/ {2,}/g, " ") }];
  });
}

/** The rows under `Events:`: type, reason, age, who says it, what. */
function eventsOf(text: string): ClusterObject[] {
  const section = /^Events:\n((?: {2}.*(?:\n|$))+)/m.exec(text)?.[1] ?? "";
  return section.split("\n").flatMap((line): ClusterObject[] => {
    const match = /^ {2}(Normal|Warning) {2,}(\S+) {2,}(\S.*?) {2,}(\S.*?) {2,}(\S.*)$/.exec(line);
    if (match === null) return [];
    const [, type = "", reason = "", age = "", , message = ""] = match;
    const times = /\(x\d+ over .+?\)/.exec(age)?.[0];
    const state = times === undefined ? message : `${message} ${times}`;
    return [{ kind: "Event", name: reason, state, type }];
  });
}
