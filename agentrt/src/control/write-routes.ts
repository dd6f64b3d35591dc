import { agentErrors, type JsonObject, TableError } from "../core/index.ts";
import { errorResponse, type GatewayResponse } from "../gateway/index.ts";
import { asJson } from "./bodies.ts";
import { askProcess, type ControlRequest, questionOf, refusalOf } from "./elsewhere/index.ts";
import { principalOf } from "./principal.ts";
import type { RuntimeControl } from "./runtime-view.ts";
import type {
  AgentBody,
  DroppedBody,
  InjectedBody,
  RequestedBody,
  ResumeRequestedBody,
} from "./wire.ts";
import {
  BodyFault,
  readInjected,
  readNothing,
  readDrain,
  readRestart,
  readResume,
  readSuspension,
} from "./write-body.ts";

/** A route by which an operator changes something. */
export interface WriteRoute {
  /** Without prefix. */
  readonly path: string;
  readonly handle: (request: ControlRequest) => Promise<GatewayResponse>;
}

/** An act on one agent. */
interface Act {
  readonly name: string;
  /** Of a message, where the path names one. */
  readonly id: string;
  readonly body: JsonObject;
  /** Who asks, as authenticated. */
  readonly principal: string;
}

/** Makes the route of an act on one agent. */
function on(word: string, act: (asked: Act) => Promise<GatewayResponse>): WriteRoute {
  return {
    path: `/agents/{name}/${word}`,
    handle: async (request) => {
      const { name = "", id = "" } = request.pathParams;
      try {
        return await act({ name, id, body: request.body, principal: principalOf(request) });
      } catch (error) {
        return refusal(error, name);
      }
    },
  };
}

/**
 * Makes the route that starts a new object of an agent, POST: the supervisor does that, wherever the agent is. It
 * acknowledges that it was asked for.
 */
export function restartRoute(control: RuntimeControl): WriteRoute {
  return on("restart", async ({ name, body, principal }) => {
    readRestart(body);
    await refuseIfHaltedElsewhere(control, name);
    await accepted(control, control.restart(name, { initiatedBy: principal }));
    return requested({ status: "restart_requested", agent: name, initiated_by: principal });
  });
}

/** How long a process has to say whether its agent was halted, milliseconds. */
const haltedTimeoutMs = 2000;

/** Of an agent of another process that knows. */
async function refuseIfHaltedElsewhere(control: RuntimeControl, name: string): Promise<void> {
  const { elsewhere: others } = control;
  const process = others?.processOf(name);
  if (others === undefined || process === undefined) return;
  const request = {
    pathParams: { name },
    queryParams: {},
    body: {},
    requestId: "",
    auth: undefined,
  };
  const question = questionOf("GET /agents/{name}", request);
  const asked = { others, process, timeoutMs: haltedTimeoutMs };
  // One that does not answer may be what the restart is for.
  const answer = await askProcess(asked, question).catch(() => undefined);
  const { halted } = (answer?.body ?? {}) as Partial<AgentBody>;
  if (halted === undefined) return;
  const { initiated_by: by, reason } = halted;
  throw new agentErrors.HALTED({ agent: name, by, reason });
}

/**
 * Makes the routes that change something, all of them POST. They acknowledge that something was asked for, not that it
 * is done: an agent at work is suspended behind its message.
 *
 * @param control What is changed.
 * @returns `suspend`, `resume`, `drain`, `mailbox` and `mailbox/{id}/drop` of `/agents/{name}`.
 */
export function writeRoutes(control: RuntimeControl): WriteRoute[] {
  return [
    on("suspend", async ({ name, body, principal }) => {
      const asked = readSuspension(body);
      if (control.isClosed(name)) {
        return errorResponse(409, `'${name}' is part of the runtime and cannot be suspended`);
      }
      await accepted(control, control.suspend(name, { ...asked, initiatedBy: principal }));
      return requested({ status: "suspend_requested", agent: name, initiated_by: principal });
    }),
    on("resume", async ({ name, body, principal }) => {
      const { approval } = readResume(body);
      // What names an approval is a decision: it is answered when that is saved.
      const decided = Promise.withResolvers<void>();
      const asked = { approver: principal, approval, onDecided: decided.resolve };
      const done = control.resume(name, asked);
      if (approval === undefined) await accepted(control, done);
      else await Promise.race([done, decided.promise]);
      done.catch(() => undefined);
      return requested({ status: "resume_requested", agent: name, approver: principal });
    }),
    on("drain", async ({ name, body, principal }) => {
      const asked = readDrain(body);
      if (control.isClosed(name)) {
        return errorResponse(409, `'${name}' is part of the runtime and cannot be drained`);
      }
      await accepted(control, control.drain(name, { ...asked, initiatedBy: principal }));
      return requested({ status: "drain_requested", agent: name, initiated_by: principal });
    }),
    on("mailbox", async ({ name, body }) => {
      const injected: InjectedBody = {
        status: "injected",
        id: await control.inject(name, readInjected(body)),
      };
      return { status: 202, body: asJson(injected) };
    }),
    on("mailbox/{id}/drop", async ({ name, id, body, principal }) => {
      readNothing(body);
      if (!control.dropMessage(name, id, { initiatedBy: principal }))
        return errorResponse(404, `no message '${id}' waits for '${name}'`);
      const dropped: DroppedBody = { status: "dropped", agent: name, id, initiated_by: principal };
      return { status: 200, body: asJson(dropped) };
    }),
  ];
}

function requested(body: RequestedBody | ResumeRequestedBody): GatewayResponse {
  return { status: 200, body: asJson(body) };
}

/**
 * Waits only for what is known at once: that somebody of that name can be asked. What fails later is in the log of the
 * agent.
 */
async function accepted(control: RuntimeControl, done: Promise<void>): Promise<void> {
  done.catch(() => undefined);
  await Promise.race([done, control.turnEnd()]);
}

/** Makes the response of an act that failed. Throws what is nobody's business but the log's. */
function refusal(error: unknown, name: string): GatewayResponse {
  if (error instanceof BodyFault) return errorResponse(400, error.message);
  if (!(error instanceof TableError)) throw error;
  switch (error.code) {
    case "AGENTRT_SUPERVISION_UNKNOWN_NAME":
    case "AGENTRT_BUS_NO_ROUTE":
      return unknownAgent(name);
    case "AGENTRT_SUPERVISION_NOT_AN_AGENT":
      return notAnAgent(name);
    default:
      return refusalOf(error);
  }
}

/** What a route answers about a name that nobody has. */
export function unknownAgent(name: string): GatewayResponse {
  return errorResponse(404, `agent '${name}' not found`);
}

/** What a route for agents answers about a supervisor, and about a whole keyed agent where each key is meant. */
export function notAnAgent(name: string): GatewayResponse {
  return errorResponse(409, `'${name}' is a supervisor, not an agent`);
}
