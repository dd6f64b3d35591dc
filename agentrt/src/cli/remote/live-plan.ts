import { printable } from "../../core/index.ts";
import type { PlanBody } from "../../control/index.ts";
import type { Style } from "../command.ts";

/** A plan as a control plane tells it. */
export type LivePlanBody = PlanBody;

/** @returns Whether an answer is a plan. */
export function isLivePlan(body: unknown): body is LivePlanBody {
  if (typeof body !== "object" || body === null) return false;
  const { changes, counts, nodes, parts, needs_restart: refusals } = body as Partial<PlanBody>;
  return (
    typeof changes === "boolean" &&
    typeof counts === "object" &&
    [nodes, parts, refusals].every((list) => Array.isArray(list))
  );
}

const words = {
  stop: ["stop", "stopped"],
  start: ["start", "started"],
  restart: ["restart", "restarted"],
  move: ["move", "moved"],
  change: ["change", "changed"],
  keep: ["keep", "kept"],
} as const;

/**
 * Draws a plan.
 *
 * @param plan The plan.
 * @param style For a terminal.
 * @param tense What would be done, or was.
 */
export function renderLivePlan(plan: LivePlanBody, style: Style, tense: "did" | "would"): string {
  const word = (action: string): string => {
    const pair = (words as { readonly [action: string]: readonly [string, string] })[action];
    return pair?.[tense === "did" ? 1 : 0] ?? action;
  };
  const paint = (action: string): ((text: string) => string) =>
    action === "start" ? style.green : action === "stop" ? style.red : style.yellow;
  const lines: string[] = [];
  for (const node of plan.nodes) {
    const moved = node.moved_from === null ? "" : `  from "${node.moved_from}" to "${node.parent}"`;
    const label = word(node.action).padEnd(9);
    lines.push(`${paint(node.action)(label)} ${printable(`${node.name}  (${node.kind})${moved}`)}`);
    for (const reason of [...node.because, ...effectsOf(node)])
      lines.push(`          ${printable(reason)}`);
  }
  for (const { kind, name, action } of plan.parts)
    lines.push(`${paint("change")(action.padEnd(9))} ${printable(`${kind} "${name}"`)}`);
  // A control plane of an earlier version does not say it.
  for (const group of (plan as Partial<LivePlanBody>).workers_away ?? [])
    lines.push(
      printable(`no worker of "${group}" is there: its part is put in place when one comes`),
    );
  if (plan.needs_restart.length > 0) {
    lines.push(style.red("needs a restart of the process:"));
    for (const each of plan.needs_restart) lines.push(`          ${printable(each)}`);
  }
  const counts = Object.entries(plan.counts)
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${count} ${tense === "did" ? "" : "to "}${word(action)}`);
  return `${[...lines, ...(lines.length > 0 ? [""] : []), sumOf(plan, counts, tense)].join("\n")}\n`;
}

function sumOf(plan: LivePlanBody, counts: readonly string[], tense: "did" | "would"): string {
  const sum = plan.changes
    ? `${tense === "did" ? "Summary" : "Plan"}: ${counts.join(", ")}`
    : "Nothing to change";
  if (plan.needs_restart.length === 0) return sum;
  const refusal = "It cannot be applied: end the process, and run the file";
  return plan.changes ? `${sum}\n${refusal}` : refusal;
}

function effectsOf(node: PlanBody["nodes"][number]): string[] {
  const effects: string[] = [];
  const isGone = node.action === "stop";
  if (node.messages_at_hand > 0)
    effects.push(`${countOf(node.messages_at_hand, "message")} at hand: finished first`);
  if (node.messages_waiting > 0)
    effects.push(
      `${countOf(node.messages_waiting, "message")} waiting: ${isGone ? "ended with an error" : "handled afterwards"}`,
    );
  if (node.children_count > 0) {
    const names = node.children.length > 0 ? `: ${node.children.join(", ")}` : "";
    effects.push(`${node.children_count} of its children end with it${names}`);
  }
  if (node.crash_restarts.length > 0)
    effects.push(`a crash of it restarts, too: ${node.crash_restarts.join(", ")}`);
  return effects;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
