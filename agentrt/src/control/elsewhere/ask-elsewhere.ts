import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import { type AgentRoute, keyOfRoute } from "./agent-route.ts";
import type { ControlRequest } from "./control-request.ts";
import { askProcess } from "./ask-process.ts";
import { questionOf } from "./question.ts";
import { isObject } from "./json-members.ts";
import { refusalOf } from "./refusal.ts";
import type { UnreadBody } from "../wire.ts";

type Ask = (process: string) => Promise<GatewayResponse>;

/** How long a process has to say what it knows, milliseconds: less than a command waits for the whole answer. */
const readTimeoutMs = 4000;
/** How often processes are asked while agents move between them. */
const askCountMax = 5;

/**
 * Has a route asked in the process where its agent is.
 *
 * @param route As this process serves it.
 * @param elsewhere The other processes; undefined where there are none.
 * @returns The handler for the whole topology.
 */
export function askElsewhere(
  route: AgentRoute,
  elsewhere: () => Elsewhere | undefined,
): (request: ControlRequest) => Promise<GatewayResponse> {
  const key = keyOfRoute(route);
  return async (request) => {
    const others = elsewhere();
    if (others === undefined) return await route.handle(request);
    const ask: Ask = async (process) => {
      try {
        const options = route.method === "GET" ? { timeoutMs: readTimeoutMs } : {};
        const said = await askProcess({ others, process, ...options }, questionOf(key, request));
        return said.status < 400 ? (route.hide?.(said, request) ?? said) : said;
      } catch (error) {
        return refusalOf(error);
      }
    };
    if (route.about === "agent") return await askOne(route, request, { others, ask });
    if (route.about === "all")
      return await askAgain(others, async () => {
        const own = await (route.part ?? route.handle)(request);
        return await askAll(own, { route, request, others, ask });
      });
    if (route.isElsewhere?.(request) !== true)
      return await askAgain(
        others,
        async () => {
          return await askInTurn(await route.handle(request), others, ask);
        },
        404,
      );
    const own = await route.handle(request);
    // Nobody has it: what this process says of that names it.
    if (own.status === 404) return await askInTurn(own, others, ask);
    const said = await askInTurn(errorResponse(404, "not here"), others, ask);
    return said.status === 200 ? said : own;
  };
}

/**
 * Asks again when agents have moved from one process to another meanwhile: what one did not have any more, the other one did
 * not have yet.
 *
 * @param status Of an answer that may be another one then.
 */
async function askAgain(
  others: Elsewhere,
  ask: () => Promise<GatewayResponse>,
  status = 200,
): Promise<GatewayResponse> {
  const changeCount = (): number => others.changeCount?.() ?? 0;
  for (let count = 1; ; count += 1) {
    const before = changeCount();
    const answer = await ask();
    if (answer.status !== status || before === changeCount() || count >= askCountMax) return answer;
  }
}

async function askOne(
  route: AgentRoute,
  request: ControlRequest,
  { others, ask }: { readonly others: Elsewhere; readonly ask: Ask },
): Promise<GatewayResponse> {
  const process = others.processOf(request.pathParams["name"] ?? "");
  if (process === undefined) return await route.handle(request);
  // Of an agent whose process is away this one knows at least that.
  if (route.method === "GET" && !others.present().includes(process))
    return await route.handle(request);
  const answer = await ask(process);
  if (route.join === undefined) return answer;
  const own = await route.handle(request);
  // One that has died, or has no time, is still taken for one that is there.
  if (answer.status >= 500) return own;
  if (answer.status >= 400) return answer;
  return own.status < 400 ? route.join([own, answer], request, []) : answer;
}

/** Others may know what this process does not have, or cannot say for now. */
async function askInTurn(
  own: GatewayResponse,
  others: Elsewhere,
  ask: Ask,
): Promise<GatewayResponse> {
  if (own.status !== 404 && own.status !== 503) return own;
  let failed: GatewayResponse | undefined;
  for (const process of others.present()) {
    const said = await ask(process);
    if (said.status >= 500) failed ??= said;
    else if (said.status !== 404) return said;
  }
  // It may be where nothing is said for now.
  return failed ?? own;
}

/** Where nothing else is said, one process that does not answer makes the whole fail: half a list would be taken for it. */
async function askAll(
  own: GatewayResponse,
  of: {
    readonly route: AgentRoute;
    readonly request: ControlRequest;
    readonly others: Elsewhere;
    readonly ask: Ask;
  },
): Promise<GatewayResponse> {
  const { route, request, others, ask } = of;
  if (own.status >= 500 || (own.status >= 400 && route.isPartial !== true)) return own;
  const processes = route.among?.(request, others) ?? others.present();
  const said = await Promise.all(
    processes.map(async (process) => ({ process, answer: await ask(process) })),
  );
  const failed = said.filter(({ answer }) => answer.status >= 400);
  if (failed[0] !== undefined && route.isPartial !== true) return failed[0].answer;
  const named = said.map(({ process, answer }) =>
    answer.status < 400 ? (route.name?.(answer, process) ?? answer) : answer,
  );
  const answered = [own, ...named].filter(({ status }) => status < 400);
  const silent = failed.filter(({ answer }) => answer.status >= 500);
  // Nobody has it, as far as is known: it may be where nothing is said for now.
  if (answered.length === 0) return own.status === 404 ? (silent[0]?.answer ?? own) : own;
  return route.join?.(answered, request, silent.map(unreadOf)) ?? own;
}

function unreadOf({
  process: source,
  answer: { body, status },
}: {
  readonly process: string;
  readonly answer: GatewayResponse;
}): UnreadBody {
  const { error } = isObject(body) ? body : {};
  return { source, reason: typeof error === "string" ? error : `HTTP status ${status}` };
}
