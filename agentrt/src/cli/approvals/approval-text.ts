import { printable } from "../../core/index.ts";
import { safeJson } from "../safe-json.ts";

/** An approval as a control plane tells of it: any server may have answered. */
export type ToldApproval = { readonly [name: string]: unknown };

/** True for an answer that is an approval. */
export function isApproval(body: unknown): body is ToldApproval {
  return (
    typeof body === "object" && body !== null && typeof (body as ToldApproval)["id"] === "string"
  );
}

/** A page of approvals. */
export interface ToldApprovals {
  readonly approvals: readonly ToldApproval[];
  readonly next: string | undefined;
  /** Process groups of which some are missing. */
  readonly unreadGroups: readonly string[];
}

/**
 * Reads a page of approvals.
 *
 * @returns Undefined when the body is none.
 */
export function approvalsIn(body: unknown): ToldApprovals | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { approvals, next, groups_unread: groups } = body as { readonly [name: string]: unknown };
  if (!Array.isArray(approvals) || !approvals.every(isApproval)) return undefined;
  const unreadGroups = Array.isArray(groups)
    ? groups.filter((each) => typeof each === "string")
    : [];
  return { approvals, next: typeof next === "string" ? next : undefined, unreadGroups };
}

/** Writes approvals as a table. */
export function approvalsTable(approvals: readonly ToldApproval[]): string {
  const head = ["Approval", "Agent", "Kind", "Status", "Expires"];
  const rows = approvals.map((approval) => [
    ...["id", "agent", "kind", "status"].map((name) => textOf(approval[name])),
    timeOf(approval["expires_at"]),
  ]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/** Writes one approval with all that is known of it. */
export function approvalText(approval: ToldApproval): string {
  const json = (name: string): string => safeJson(approval[name], { indent: 2 });
  const lines = [
    `approval ${textOf(approval["id"])}`,
    `  agent    ${textOf(approval["agent"])}`,
    `  kind     ${textOf(approval["kind"])}`,
    `  status   ${statusText(approval)}`,
    `  asked    ${timeOf(approval["created_at"])}`,
    `  expires  ${timeOf(approval["expires_at"])}`,
    ...(typeof approval["note"] === "string" ? [`  note     ${textOf(approval["note"])}`] : []),
    `  payload  ${indented(json("payload"))}`,
  ];
  if (approval["edited_payload"] !== null && approval["edited_payload"] !== undefined)
    lines.push(`  edited   ${indented(json("edited_payload"))}`);
  if (approval["schema"] === null) lines.push("  schema   none: the payload is not edited");
  else lines.push(`  schema   ${indented(json("schema"))}`);
  return `${lines.join("\n")}\n`;
}

function statusText(approval: ToldApproval): string {
  const status = textOf(approval["status"]);
  if (status === "pending") return status;
  const { principal } = approval;
  const by = typeof principal === "string" ? ` by ${textOf(principal)}` : "";
  const delivered = approval["delivered"] === true ? "" : "; its agent has not got it yet";
  return `${status}${by} at ${timeOf(approval["decided_at"])}${delivered}`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n           ");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? printable(value) : "";
}

function timeOf(value: unknown): string {
  const atMs = Number(value) * 1000;
  if (value === null || !(Math.abs(atMs) <= 8.64e15)) return "?";
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}
