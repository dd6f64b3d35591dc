import {
  type ApprovalRecord,
  approvalErrors,
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
    target: Pick<AgentRoute, "method" | "path" | "about" | "name" | "join">,
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
      { method: "GET", path: "/approvals", about: "all", name: nameUnread, join: joinLists },
      async ({ queryParams }) => {
        const filter = readFilter(queryParams);
        const limit = filter.limit + 1;
        const { found, unreadGroups } = await foundBy(control, { ...filter, limit });
        return asJson(pageOf(found.map(approvalBody), { limit: filter.limit, unreadGroups }));
      },
    ),
    route({ method: "GET", path: "/approvals/{id}", about: "first" }, async (request) =>
      asJson(
        approvalBody(await orUnattended(control, idIn(request), (id) => control.approvals.get(id))),
      ),
    ),
    route({ method: "POST", path: "/approvals/{id}/approve", about: "first" }, async (request) => {
      const asked = { ...readApprove(request.body), principal: principalOf(request) };
      const decide = async (id: string) => await control.approvals.approve(id, asked);
      return asJson(approvalBody(await orElsewhere(control, idIn(request), decide)));
    }),
    route({ method: "POST", path: "/approvals/{id}/deny", about: "first" }, async (request) => {
      const asked = { ...readDeny(request.body), principal: principalOf(request) };
      const decide = async (id: string) => await control.approvals.deny(id, asked);
      return asJson(approvalBody(await orElsewhere(control, idIn(request), decide)));
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

/** This process, as `GET /processes` names it. */
const here = "main";

type Control = Pick<RuntimeControl, "approvals" | "elsewhere">;

/** What this process has charge of, and what none has. */
async function foundBy(
  { approvals, elsewhere }: Control,
  filter: ReturnType<typeof readFilter>,
): Promise<{
  readonly found: readonly ApprovalRecord[];
  readonly unreadGroups: readonly string[];
}> {
  const unattended = await elsewhere?.unattended?.();
  const own = approvals.list(filter);
  const unreadHere = approvals.isWhole ? [] : [here];
  const unreadGroups = [...unreadHere, ...(unattended?.unreadGroups ?? [])];
  const { agent, status, after, limit } = filter;
  const isWanted = (record: ApprovalRecord): boolean =>
    (agent === undefined || record.agent === agent || record.agent.startsWith(`${agent}/`)) &&
    (status === undefined || record.status === status) &&
    (after === undefined || record.id > after);
  const others = (unattended?.approvals ?? []).filter(isWanted);
  return { found: inOrder([...others, ...own]).slice(0, limit), unreadGroups };
}

/** The first ones, and what to ask for to get the others. */
function pageOf(
  approvals: readonly ApprovalBody[],
  of: {
    readonly limit: number;
    readonly unreadGroups: readonly string[];
    readonly isMore?: boolean;
  },
): ApprovalsBody {
  const { limit, unreadGroups, isMore = false } = of;
  const listed = approvals.slice(0, limit);
  const hasNext = isMore || approvals.length > limit;
  return {
    approvals: listed,
    next: hasNext ? (listed.at(-1)?.id ?? null) : null,
    ...(unreadGroups.length === 0 ? {} : { groups_unread: unreadGroups }),
  };
}

/**
 * Finds an approval here, or where no process has charge of it.
 *
 * @throws AGENTRT_APPROVAL_UNKNOWN; AGENTRT_APPROVAL_UNREAD where it may be among those that cannot be read.
 */
async function orUnattended(
  { elsewhere }: Control,
  id: string,
  find: (id: string) => ApprovalRecord | Promise<ApprovalRecord>,
): Promise<ApprovalRecord> {
  try {
    return await find(id);
  } catch (error) {
    if (!(error instanceof approvalErrors.UNKNOWN)) throw error;
    const unattended = await elsewhere?.unattended?.();
    const found = unattended?.approvals.find((record) => record.id === id);
    if (found !== undefined) return found;
    const { unreadGroups: groups = [] } = unattended ?? {};
    throw groups.length === 0 ? error : new approvalErrors.UNREAD({ id, groups });
  }
}

/** Decides about an approval. @throws AGENTRT_APPROVAL_ELSEWHERE for one that no process has charge of. */
async function orElsewhere(
  control: Control,
  id: string,
  decide: (id: string) => Promise<ApprovalRecord>,
): Promise<ApprovalRecord> {
  let isDecided = false;
  const record = await orUnattended(control, id, async () => {
    const decided = await decide(id);
    isDecided = true;
    return decided;
  });
  if (isDecided) return record;
  throw new approvalErrors.ELSEWHERE({ place: record.agent });
}

/** By id, which is by time; each once. */
function inOrder<Approval extends { readonly id: string }>(
  approvals: readonly Approval[],
): Approval[] {
  const byId = new Map(approvals.map((each) => [each.id, each]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** What a process calls itself, its group calls by the name of that. */
function nameUnread(answer: GatewayResponse, process: string): GatewayResponse {
  const body = answer.body as unknown as ApprovalsBody;
  if (body.groups_unread === undefined) return answer;
  const group = process.replace(/\/\d+$/, "");
  const named = body.groups_unread.map((each) => (each === here ? group : each));
  return { ...answer, body: asJson({ ...body, groups_unread: named }) };
}

/** Lists of several processes, each in the order of its ids, which is that of time, become one. */
function joinLists(
  answers: readonly GatewayResponse[],
  { queryParams }: ControlRequest,
): GatewayResponse {
  const { limit } = readFilter(queryParams);
  const bodies = answers.map(({ body }) => body as unknown as ApprovalsBody);
  // Of one that has just come to a process, that knows best: it comes later.
  const all = inOrder(bodies.flatMap(({ approvals }) => approvals));
  const isMore = bodies.some(({ next }) => next !== null);
  const groups = bodies.flatMap(({ groups_unread: unread = [] }) => unread);
  const unreadGroups = [...new Set(groups)];
  return { status: 200, body: asJson(pageOf(all, { limit, unreadGroups, isMore })) };
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
