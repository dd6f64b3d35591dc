import { type JsonObject, supervisionErrors } from "../core/index.ts";
import { errorResponse, type GatewayResponse } from "../gateway/index.ts";
import { approvalRoutes } from "./approval-routes.ts";
import { asJson, mailboxBody, processesBody } from "./bodies.ts";
import { type AgentRoute, answerElsewhere, type ControlRequest } from "./elsewhere/index.ts";
import type { Informant } from "../runtime/index.ts";
import type { RuntimeControl } from "./runtime-view.ts";
import {
  agentViews,
  joinedHistory,
  joinKeys,
  keysResponse,
  logLineRoutes,
  pageRoutes,
  pastRoutes,
  processesOfKeys,
  type Redact,
  redactedState,
} from "./views/index.ts";
import { wholeNumberOf } from "./whole-number.ts";
import { notAnAgent, unknownAgent, writeRoutes } from "./write-routes.ts";

/** What the routes about agents are made of. */
interface AgentRoutesOptions {
  /** What to call the process that runs the agents. */
  readonly processId: string;
  readonly redact?: Redact | undefined;
}

/**
 * Makes the routes about agents that any process of a topology answers for its own.
 *
 * @param control The runtime of this process.
 * @returns With GET `/agents/{name}` and its `/state`, `/history`, `/mailbox` and `/keys`, `/approvals`, `/approvals/{id}` and
 *   `/processes`; with POST what `writeRoutes` and `approvalRoutes` make; and what `pastRoutes` makes.
 */
export function agentRoutes(control: RuntimeControl, options: AgentRoutesOptions): AgentRoute[] {
  const { processId, redact } = options;
  const views = agentViews(control, { processId, redact });
  const about = (path: string): Pick<AgentRoute, "method" | "about" | "path"> => ({
    method: "GET",
    about: "agent",
    path,
  });
  return [
    { ...about("/agents/{name}"), handle: views.detail, join: joinDetail },
    { ...about("/agents/{name}/history"), handle: views.history, join: joinHistory },
    {
      ...about("/agents/{name}/state"),
      handle: views.state,
      hide: (answer, request) => redactAgain(answer, { control, redact, request }),
    },
    {
      ...about("/agents/{name}/mailbox"),
      handle: (request) => mailboxResponse(control, request),
    },
    {
      method: "GET",
      path: "/agents/{name}/keys",
      about: "all",
      isPartial: true,
      among: processesOfKeys,
      handle: (request) => keysResponse(control, request),
      join: joinKeys,
    },
    {
      method: "GET",
      path: "/processes",
      about: "all",
      isPartial: true,
      handle: () => ({ status: 200, body: asJson(processesBody(control, processId)) }),
      name: nameProcesses,
      join: joinProcesses,
    },
    ...writeRoutes(control).map((route): AgentRoute => ({
      ...route,
      method: "POST",
      about: "agent",
    })),
    ...approvalRoutes(control),
    ...pastRoutes(control, redact),
  ];
}

/**
 * Makes what answers the process that has the tree about the agents of this one.
 *
 * @param control The runtime of this process.
 * @param processId Name of the process group.
 */
export function agentAnswers(control: RuntimeControl, processId: string): Informant {
  const own = [...pageRoutes(control), ...logLineRoutes(control)];
  const routes = [...agentRoutes(control, { processId }), ...own];
  const { crashes } = control.observer;
  return {
    answer: answerElsewhere(routes),
    crashOf: (agent, error) => crashes.findLast(agent, error),
  };
}

function lastOf(answers: readonly GatewayResponse[]): GatewayResponse {
  return answers.at(-1) ?? errorResponse(502, "no process answered");
}

function bodyOf({ body }: GatewayResponse): JsonObject {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
}

function nameProcesses(answer: GatewayResponse, process: string): GatewayResponse {
  const { processes } = bodyOf(answer);
  const named = objectsOf(processes).map((each) => ({ ...each, id: process }));
  return { ...answer, body: { ...bodyOf(answer), processes: named } };
}

function joinProcesses(answers: readonly GatewayResponse[]): GatewayResponse {
  const [own = {}, ...others] = answers.map(bodyOf);
  const workers = others
    .flatMap(({ processes }) => objectsOf(processes))
    .map((each) => ({ ...each, kind: "worker" }));
  return { status: 200, body: { ...own, processes: [...objectsOf(own["processes"]), ...workers] } };
}

/** Restarts, crashes and processes are known where the supervisor is; all else is known where the agent is. */
function joinDetail(answers: readonly GatewayResponse[]): GatewayResponse {
  const [own, there] = answers.map(bodyOf);
  const { restart_count = 0, process_id = "", last_crash = null, above = [] } = own ?? {};
  const crash = there?.["last_crash"] ?? last_crash;
  const known = { process_id, restart_count, last_crash: crash, above };
  return { ...lastOf(answers), body: { ...there, ...known } };
}

/**
 * What its supervisor did with it and has heard of it, and what happened to it since its process started. Of a crash both
 * know: where it happened is said there.
 */
function joinHistory(answers: readonly GatewayResponse[]): GatewayResponse {
  const history = joinedHistory(answers.flatMap((each) => objectsOf(bodyOf(each)["history"])));
  return { ...lastOf(answers), body: { ...bodyOf(lastOf(answers)), history } };
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

/** Which members may not be seen is said to the topology server, and not to the process of the agent. */
function redactAgain(
  answer: GatewayResponse,
  of: {
    readonly control: RuntimeControl;
    readonly redact: Redact | undefined;
    readonly request: ControlRequest;
  },
): GatewayResponse {
  const { control: view, redact, request } = of;
  const { state, ...rest } = bodyOf(answer);
  if (typeof state !== "object" || state === null || Array.isArray(state)) return answer;
  const name = request.pathParams["name"] ?? "";
  return { ...answer, body: { ...rest, state: redactedState(state, { view, name, redact }) } };
}

const limitDefault = 100;
const limitMax = 10_000;

function mailboxResponse(view: RuntimeControl, request: ControlRequest): GatewayResponse {
  const name = request.pathParams["name"] ?? "";
  const asked = request.queryParams["limit"];
  const limit = asked === undefined ? limitDefault : wholeNumberOf(asked);
  if (!Number.isInteger(limit) || limit < 0 || limit > limitMax) {
    return errorResponse(400, `limit must be a whole number of 0 to ${limitMax}`);
  }
  try {
    return { status: 200, body: asJson(mailboxBody(name, view.mailbox(name, { limit }))) };
  } catch (error) {
    if (error instanceof supervisionErrors.UNKNOWN_NAME) return unknownAgent(name);
    if (error instanceof supervisionErrors.NOT_AN_AGENT) return notAnAgent(name);
    throw error;
  }
}
