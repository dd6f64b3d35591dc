import type { JsonObject } from "../../core/index.ts";
import type { Tab } from "./tab.ts";

/** What the dashboard wants done outside of it. */
export type Intent =
  | { readonly kind: "quit" }
  /** The tab looks at something else: its routes are to be asked now. */
  | { readonly kind: "refresh"; readonly tab: Tab }
  | { readonly kind: "post"; readonly tab: Tab; readonly operation: Operation };

/** Something that an operator changes. */
export interface Operation {
  /** What is asked before: `Restart "billing"?` */
  readonly question: string;
  readonly route: string;
  readonly body: JsonObject;
  /** What is said when the server has taken it: `"billing" is asked to be restarted`. */
  readonly done: string;
}

/** An act on the selected agent. */
export interface AgentAct {
  readonly word: "drain" | "restart" | "resume" | "suspend";
  readonly title: string;
  readonly done: string;
}

/** What can be asked of an agent, by its key. */
export const agentActs: { readonly [key: string]: AgentAct } = {
  s: { word: "suspend", title: "Suspend", done: "suspended" },
  r: { word: "resume", title: "Resume", done: "resumed" },
  d: { word: "drain", title: "Drain", done: "drained" },
  R: { word: "restart", title: "Restart", done: "restarted" },
};

/** @returns What an act on the selected agent of a tab is; undefined where none is selected. */
export function agentOperation(act: AgentAct, tab: Tab): Operation | undefined {
  const { selected, selectedPath } = tab;
  if (selected === undefined || selectedPath === undefined) return undefined;
  const reason = { reason: "asked for at the dashboard" };
  return {
    question: `${act.title} "${selected.name}"?`,
    route: `${selectedPath}/${act.word}`,
    // A resumption has no reason.
    body: act.word === "resume" ? {} : reason,
    done: `"${selected.name}" is asked to be ${act.done}`,
  };
}

/** @returns The decision about the chosen approval of a tab; undefined where there is none. */
export function decision(tab: Tab, isApproved: boolean): Operation | undefined {
  const chosen = tab.approvals[tab.approvalIndex];
  const { id, agent, kind } = chosen ?? {};
  if (typeof id !== "string" || typeof agent !== "string") return undefined;
  const word = isApproved ? "approve" : "deny";
  return {
    question: `${isApproved ? "Approve" : "Deny"} the ${String(kind)} of "${agent}"?`,
    route: `/approvals/${encodeURIComponent(id.toWellFormed())}/${word}`,
    body: {},
    done: `the ${String(kind)} of "${agent}" is ${isApproved ? "approved" : "denied"}`,
  };
}
