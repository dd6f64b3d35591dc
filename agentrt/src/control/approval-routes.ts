import {
  type ApprovalRecord,
  approvalStatuses,
  didYouMean,
  type JsonObject,
} from "../core/index.ts";
import { errorResponse, type GatewayResponse } from "../gateway/index.ts";
import { asJson } from "./bodies.ts";
import { type AgentRoute, type ControlRequest, refusalOf } from "./elsewhere/index.ts";
import { principalOf } from "./principal.ts";
import type { RuntimeControl } from "./runtime-view.ts";
import type { ApprovalBody, ApprovalsBody } from "./wire.ts";
import { wholeNumberOf } from "./whole-number.ts";
import { BodyFault, readApprove, readDeny } from "./write-body.ts";

const limitDefault = 100;
const limitMax = 1000;

/**
 * Makes the routes about approvals. A decision is answered when it is saved; its agent gets it then.
 *
 * @param control What holds them.
 * @returns `GET /approvals` and `/approvals/{id}`; `POST /approvals/{id}/approve` and `/deny`.
 */
export function approvalRoutes(control: RuntimeControl): AgentRoute[] {
  const route = (
    target: Pick<AgentRoute, "method" | "path" | "about" | "join">,
    answer: (request: ControlRequest) => JsonObject | Promise<JsonObject>,
  ): AgentRoute => ({
    ...target,
    handle: async (request) => {
      try {
        return { status: 200, body: await answer(request) };
      } catch (error) {
        return refusal(error);
      }
    },
  });
  return [
    route(
      { method: "GET", path: "/approvals", about: "all", join: joinLists },
      ({ queryParams }) => {
        const filter = readFilter(queryParams);
        const found = control.approvals.list({ ...filter, limit: filter.limit + 1 });
        const listed = found.slice(0, filter.limit);
        const next = found.length > listed.length ? (listed.at(-1)?.id ?? null) : null;
        const body: ApprovalsBody = { approvals: listed.map(approvalBody), next };
        return asJson(body);
      },
    ),
    route({ method: "GET", path: "/approvals/{id}", about: "first" }, (request) =>
      asJson(approvalBody(control.approvals.get(idIn(request)))),
    ),
    route({ method: "POST", path: "/approvals/{id}/approve", about: "first" }, async (request) => {
      const asked = { ...readApprove(request.body), principal: principalOf(request) };
      return asJson(approvalBody(await control.approvals.approve(idIn(request), asked)));
    }),
    route({ method: "POST", path: "/approvals/{id}/deny", about: "first" }, async (request) => {
      const asked = { ...readDeny(request.body), principal: principalOf(request) };
      return asJson(approvalBody(await control.approvals.deny(idIn(request), asked)));
    }),
  ];
}

/**
 * Makes the body of an approval.
 *
 * @param record The approval.
 * @returns The same under its wire names.
 */
export function approvalBody(record: ApprovalRecord): ApprovalBody {
  return {
    id: record.id,
    agent: record.agent,
    key: record.key,
    kind: record.kind,
    payload: record.payload,
    schema: record.schema,
    created_at: record.createdAtMs / 1000,
    expires_at: record.expiresAtMs / 1000,
    status: record.status,
    decided_at: record.decidedAtMs === null ? null : record.decidedAtMs / 1000,
    principal: record.principal,
    note: record.note,
    edited_payload: record.editedPayload,
    delivered: record.isDelivered,
  };
}

/** Lists of several processes, each in the order of its ids, which is that of time, become one. */
function joinLists(
  answers: readonly GatewayResponse[],
  { queryParams }: ControlRequest,
): GatewayResponse {
  const { limit } = readFilter(queryParams);
  const bodies = answers.map(({ body }) => body as unknown as ApprovalsBody);
  const all = bodies
    .flatMap(({ approvals }) => approvals)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const listed = all.slice(0, limit);
  const isMore = all.length > limit || bodies.some(({ next }) => next !== null);
  const body: ApprovalsBody = {
    approvals: listed,
    next: isMore ? (listed.at(-1)?.id ?? null) : null,
  };
  return { status: 200, body: asJson(body) };
}

function idIn({ pathParams }: ControlRequest): string {
  return pathParams["id"] ?? "";
}

function readFilter(query: ControlRequest["queryParams"]): {
  readonly agent: string | undefined;
  readonly status: ApprovalRecord["status"] | undefined;
  readonly after: string | undefined;
  readonly limit: number;
} {
  const { agent, status, after, limit: asked = String(limitDefault) } = query;
  const limit = wholeNumberOf(asked);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw new BodyFault(`limit must be a whole number of 1 to ${limitMax}`);
  const known = approvalStatuses.find((each) => each === status);
  if (status !== undefined && known === undefined) {
    const hint = didYouMean(status, approvalStatuses);
    throw new BodyFault(`status must be one of ${approvalStatuses.join(", ")}${hint}`);
  }
  return { agent, status: known, after, limit };
}

function refusal(error: unknown): GatewayResponse {
  if (error instanceof BodyFault) return errorResponse(400, error.message);
  return refusalOf(error);
}
