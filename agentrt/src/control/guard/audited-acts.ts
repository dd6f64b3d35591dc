import type { AuditEvent, JsonObject, JsonValue } from "../../core/index.ts";
import { type GatewayRequest, principalOf } from "../../gateway/index.ts";
import { approvalOfResume } from "./scopes.ts";

/** How the record of a route is made. */
interface AuditedAct {
  readonly event: string;
  /** What the record calls who asked. Default `initiated_by`. */
  readonly who?: "approver";
  /** Members of the body that are recorded where they are texts, and what counts without them. */
  readonly members?: { readonly [name: string]: string | null };
}

const reasonDefault = "asked for over the control plane";

/** By path, without prefix; all of them are POST. What is secret, such as a payload, is never recorded. */
const acts: { readonly [path: string]: AuditedAct } = {
  "/agents/{name}/suspend": {
    event: "agent.suspend",
    members: { reason: reasonDefault, category: "other" },
  },
  "/agents/{name}/resume": { event: "agent.resume", who: "approver" },
  "/agents/{name}/drain": { event: "agent.drain", members: { reason: "drained" } },
  "/agents/{name}/restart": { event: "agent.force_restart", members: { reason: reasonDefault } },
  "/agents/{name}/mailbox": { event: "mailbox.inject", members: { type: "message" } },
  "/agents/{name}/mailbox/{id}/drop": { event: "mailbox.drop" },
  "/approvals/{id}/approve": {
    event: "approval.approve",
    who: "approver",
    members: { note: null },
  },
  "/approvals/{id}/deny": { event: "approval.deny", who: "approver", members: { note: null } },
  "/dead-letters/{id}/replay": { event: "dead_letter.replay" },
  "/plan": { event: "topology.plan" },
  "/apply": { event: "topology.apply" },
};

/**
 * Makes the record of a request that changes something.
 *
 * @param request Behind the middleware.
 * @param route Its method and path, without prefix.
 */
export function auditOfRequest(
  request: GatewayRequest,
  route: { readonly method: string; readonly path: string },
): AuditEvent {
  const approval = approvalOfResume(route.path, request.body);
  const act = acts[approval === undefined ? route.path : "/approvals/{id}/approve"];
  const { name = null, ...params } = request.pathParams;
  const who = act?.who ?? "initiated_by";
  const details: { [name: string]: JsonValue } = { [who]: principalOf(request) };
  for (const [member, otherwise] of Object.entries(act?.members ?? {})) {
    const given = request.body[member];
    details[member] = typeof given === "string" ? given : otherwise;
  }
  if (act === undefined) details["route"] = `${route.method} ${route.path}`;
  const others: JsonObject = approval === undefined ? params : { id: approval };
  return {
    event: act?.event ?? "control.write",
    agent: name,
    details: { ...details, ...others, client: request.clientIp, request_id: request.requestId },
  };
}
