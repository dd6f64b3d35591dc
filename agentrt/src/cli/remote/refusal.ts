import { printable } from "../../core/index.ts";
import type { ControlAnswer } from "./control-plane.ts";

/**
 * Says why a control plane did not do what it was asked for.
 *
 * @param answer What came in place of a body.
 * @returns One line.
 */
export function refusalReason(answer: ControlAnswer): string {
  if (answer.kind !== "status") return "its answer makes no sense";
  const { status, error } = answer;
  const hint = status === 401 ? ': send credentials, such as -H "X-API-Key: …"' : "";
  return `${error === undefined ? "" : `${printable(error)}, `}HTTP status ${status}${hint}`;
}

/**
 * Reads the names out of the answer of `/agents`.
 *
 * @param answer Of the control plane, or of whatever listens there.
 */
export function agentNames(answer: ControlAnswer): string[] {
  if (answer.kind !== "body" || !Array.isArray(answer.body)) return [];
  return (answer.body as readonly { readonly name?: unknown }[]).flatMap((each) =>
    typeof each?.name === "string" ? [each.name] : [],
  );
}
