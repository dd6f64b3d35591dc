import type { GatewayResponse } from "../../gateway/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import type { UnreadBody } from "../wire.ts";
import type { ControlRequest } from "./control-request.ts";

type Answer = GatewayResponse | Promise<GatewayResponse>;

/** A route of a control plane about agents, which may be in another process. */
export interface AgentRoute {
  readonly method: "GET" | "POST";
  /** Without prefix. */
  readonly path: string;
  /**
   * - `agent`: about the agent `{name}`: it is asked where that is.
   * - `first`: about what one process has, nobody knows which: all are asked in turn until one answers other than 404.
   * - `all`: about what every process has: all are asked, and `join` puts the answers together.
   */
  readonly about: "agent" | "first" | "all";
  /** Of `first`, whether another process knows more than this one, whatever this one answers; default it does not. */
  readonly isElsewhere?: (request: ControlRequest) => boolean;
  /** Answers for this process. */
  readonly handle: (request: ControlRequest) => Answer;
  /** Of `all`, says what this process knows as a part of the whole, which `join` makes; default what `handle` says. */
  readonly part?: (request: ControlRequest) => Answer;
  /** Of `all`, which other processes may know something; default all that are there. */
  readonly among?: (request: ControlRequest, others: Elsewhere) => readonly string[];
  /** Takes what must not be seen out of what another process says; default nothing. */
  readonly hide?: (answer: GatewayResponse, request: ControlRequest) => GatewayResponse;
  /** Says in an answer of another process which one of several of its group that is; default nothing. */
  readonly name?: (answer: GatewayResponse, process: string) => GatewayResponse;
  /** True where a process that does not answer, or has nothing, is left out of the whole; `join` may say so. */
  readonly isPartial?: boolean;
  /**
   * Makes one answer of what this process and others say, this process first, all of them with a status below 400. Default
   * what the last one says.
   *
   * @param unread Other processes that did not answer, of a partial one.
   */
  readonly join?: (
    answers: readonly GatewayResponse[],
    request: ControlRequest,
    unread: readonly UnreadBody[],
  ) => GatewayResponse;
}

/** @returns What tells a route from the others. */
export function keyOfRoute({ method, path }: Pick<AgentRoute, "method" | "path">): string {
  return `${method} ${path}`;
}
