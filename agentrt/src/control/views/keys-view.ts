import { type AgentNode, type KeyPage, supervisionErrors } from "../../core/index.ts";
import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import { asJson } from "../bodies.ts";
import type { ControlRequest } from "../elsewhere/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { wholeNumberOf } from "../whole-number.ts";
import { unreadBody } from "../unread-body.ts";
import type { KeyBody, KeysBody, UnreadBody } from "../wire.ts";

/** Keys of an answer: by default, and at most. */
const [keyCountDefault, keyCountMax] = [100, 1000];

/**
 * Answers `GET /agents/{name}/keys`: the keys of a keyed agent that are there, in this process.
 *
 * @param view The running tree.
 * @param request With `limit`, `after`, `contains` and `status`.
 * @returns 200; 400 for a query that is not right, 404 where no keyed agent has that name.
 */
export function keysResponse(view: RuntimeView, request: ControlRequest): GatewayResponse {
  const name = request.pathParams["name"] ?? "";
  const page = pageOf(request);
  if (page === undefined)
    return errorResponse(400, `limit must be a whole number of 1 to ${keyCountMax}`);
  let nodes: readonly AgentNode[];
  try {
    nodes = view.keys(name, { ...page, limit: page.limit + 1 });
  } catch (error) {
    if (error instanceof supervisionErrors.UNKNOWN_NAME) return notHere(view, name);
    throw error;
  }
  return { status: 200, body: asJson(bodyOf(name, nodes.map(keyBodyOf(name)), page.limit)) };
}

/** @returns The answer of a process that has no keys of that name: they may be at workers that are away. */
function notHere({ elsewhere }: RuntimeView, name: string): GatewayResponse {
  const process = elsewhere === undefined ? undefined : homeOfKeys(name, elsewhere);
  if (elsewhere === undefined || process === undefined || !elsewhere.awayGroups().includes(process))
    return errorResponse(404, `keyed agent '${name}' not found`);
  const reason = `no worker of process '${process}' is there: keys of '${name}' are not known`;
  return errorResponse(503, reason, { "retry-after": "1" });
}

/** @returns The process group of a keyed agent or a pool; undefined for one of this process. */
function homeOfKeys(name: string, others: Elsewhere): string | undefined {
  // Of a key that nobody has, too, it is known where it would be.
  const process = others.processOf(`${name}/`);
  if (process === undefined || others.awayGroups().includes(process)) return process;
  return process.replace(/\/\d+$/, "");
}

/** @returns The processes that may have keys of an agent. */
export function processesOfKeys(request: ControlRequest, others: Elsewhere): readonly string[] {
  const process = homeOfKeys(request.pathParams["name"] ?? "", others);
  return others.present().filter((each) => each.replace(/\/\d+$/, "") === process);
}

/** Makes one list of those of several processes: each key is in one of them. */
export function joinKeys(
  answers: readonly GatewayResponse[],
  request: ControlRequest,
  unread: readonly UnreadBody[],
): GatewayResponse {
  const bodies = answers.map(({ body }) => body as unknown as KeysBody);
  const { limit = keyCountDefault } = pageOf(request) ?? {};
  const keys = bodies.flatMap((each) => each.keys);
  const sorted = keys.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const body = bodyOf(bodies[0]?.agent ?? "", sorted, limit);
  const hasMore = bodies.some(({ next }) => next !== null);
  const last = hasMore ? (body.keys.at(-1)?.key ?? null) : null;
  return { status: 200, body: asJson({ ...body, next: body.next ?? last, ...unreadBody(unread) }) };
}

function pageOf({
  queryParams,
}: ControlRequest): (KeyPage & { readonly limit: number }) | undefined {
  const { after, contains, status } = queryParams;
  const limit = wholeNumberOf(queryParams["limit"] ?? String(keyCountDefault));
  return limit >= 1 && limit <= keyCountMax ? { limit, after, contains, status } : undefined;
}

function bodyOf(agent: string, keys: readonly KeyBody[], limit: number): KeysBody {
  const shown = keys.slice(0, limit);
  return { agent, keys: shown, next: keys.length > limit ? (shown.at(-1)?.key ?? null) : null };
}

function keyBodyOf(agent: string): (node: AgentNode) => KeyBody {
  return ({ name, status, restartCount, uptimeMs, mailboxDepth, suspension }) => ({
    key: name.slice(agent.length + 1),
    name,
    status,
    restart_count: restartCount,
    uptime_seconds: Math.round(uptimeMs) / 1000,
    mailbox_depth: mailboxDepth,
    suspend_category: suspension?.category ?? null,
  });
}
