import type { CrashRecord, JsonObject } from "../../core/index.ts";
import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import { asJson, deadLettersBody } from "../bodies.ts";
import { type AgentRoute, type ControlRequest, refusalOf } from "../elsewhere/index.ts";
import { replayDeadLetter } from "../replay.ts";
import type { RuntimeControl } from "../runtime-view.ts";
import {
  joinTraceLists,
  tracePartsResponse,
  traceResponse,
  tracesResponse,
} from "../traces/index.ts";
import { joinUnread } from "../unread-body.ts";
import type { UnreadBody } from "../wire.ts";
import type { CrashesBody } from "../wire-history.ts";
import { shownRecord } from "./shown-record.ts";
import type { Redact } from "./state-view.ts";

/** Most crashes, spans and dead letters of all processes together that are shown, as of one. */
const [crashCountMax, spanCountMax, letterCountMax] = [200, 1000, 1000];

/**
 * Makes the routes about what happened in any process of a topology.
 *
 * @param control The runtime of this process.
 * @param redact What must not be seen of states, and of what agents got; default nothing more than secrets.
 * @returns GET `/crashes`, `/crashes/{id}`, `/traces`, `/traces/{id}`, `/dead-letters`; POST `/dead-letters/{id}/replay`.
 */
export function pastRoutes(control: RuntimeControl, redact: Redact | undefined): AgentRoute[] {
  const { observer } = control;
  const whole = { method: "GET", about: "all", isPartial: true } as const;
  return [
    {
      ...whole,
      path: "/crashes",
      handle: async () => {
        const body: CrashesBody = { crashes: observer.crashes.list(await control.crashRecords()) };
        return { status: 200, body: asJson(body) };
      },
      join: joinCrashes,
    },
    {
      method: "GET",
      path: "/crashes/{id}",
      about: "first",
      // Of a crash in another process this one knows only what was said of it.
      isElsewhere: ({ pathParams }) => !observer.crashes.isOwn(pathParams["id"] ?? ""),
      handle: ({ pathParams }) => {
        const { id = "" } = pathParams;
        const body = observer.crashes.find(id, control.crashRecord(id));
        return body === undefined
          ? errorResponse(404, `crash '${id}' not found`)
          : withShownRecord({ status: 200, body: asJson(body) }, redact);
      },
      hide: (answer) => withShownRecord(answer, redact),
    },
    {
      ...whole,
      path: "/traces",
      handle: async (request) => await orRefusal(tracesResponse(control, request)),
      part: async (request) => await orRefusal(tracePartsResponse(control, request)),
      join: joinTraceLists,
    },
    {
      ...whole,
      path: "/traces/{id}",
      handle: async (request) => await orRefusal(traceResponse(control, request)),
      join: joinTraces,
    },
    {
      ...whole,
      path: "/dead-letters",
      handle: () => {
        const canReplay = (id: string): boolean => observer.letters.canReplay(id);
        const body = deadLettersBody(control.snapshot(), control.deadLetters(), canReplay);
        return { status: 200, body: asJson(body) };
      },
      join: joinDeadLetters,
    },
    {
      method: "POST",
      path: "/dead-letters/{id}/replay",
      about: "first",
      handle: async (request) => await replayDeadLetter(control, request),
    },
  ];
}

/** Spans may have too many readers for now. */
async function orRefusal(answer: Promise<GatewayResponse>): Promise<GatewayResponse> {
  try {
    return await answer;
  } catch (error) {
    return refusalOf(error);
  }
}

/** What may be seen of a record is said to the topology server, and not to the process where it is. */
function withShownRecord(answer: GatewayResponse, redact: Redact | undefined): GatewayResponse {
  const { record, ...rest } = bodyOf(answer);
  if (typeof record !== "object" || record === null) return answer;
  const shown = shownRecord(record as object as CrashRecord, redact);
  return { ...answer, body: { ...rest, record: shown as object as JsonObject } };
}

/** The supervisor has noted crashes of workers, too: what their process says of them is more. */
function joinCrashes(answers: readonly GatewayResponse[]): GatewayResponse {
  const crashes = membersOf(answers, "crashes");
  const byId = new Map(crashes.map((crash) => [crash["id"], crash] as const));
  const listed = sortedBy([...byId.values()], "timestamp").slice(-crashCountMax);
  return { status: 200, body: { crashes: listed } };
}

/** Processes may write to one file: each then knows the spans of all. */
function joinTraces(
  answers: readonly GatewayResponse[],
  _request: ControlRequest,
  unread: readonly UnreadBody[],
): GatewayResponse {
  const spans = membersOf(answers, "spans");
  const byId = new Map(spans.map((span) => [span["span_id"], span] as const));
  const listed = sortedBy([...byId.values()], "start_time").slice(0, spanCountMax);
  const body = { ...bodyOf(answers[0]), spans: listed };
  return { status: 200, body: { ...body, ...asJson(joinUnread(answers, unread)) } };
}

function joinDeadLetters(answers: readonly GatewayResponse[]): GatewayResponse {
  const counts: { [reason: string]: number } = {};
  for (const answer of answers) {
    const { counts: counted = {} } = bodyOf(answer);
    for (const [reason, count] of Object.entries(counted as JsonObject))
      counts[reason] = (counts[reason] ?? 0) + Number(count);
  }
  const letters = sortedBy(membersOf(answers, "dead_letters"), "timestamp").slice(-letterCountMax);
  return { status: 200, body: { counts, dead_letters: letters } };
}

function bodyOf(answer: GatewayResponse | undefined): JsonObject {
  const { body } = answer ?? {};
  return typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
}

function membersOf(answers: readonly GatewayResponse[], name: string): readonly JsonObject[] {
  return answers.flatMap((answer) => {
    const listed = bodyOf(answer)[name];
    return Array.isArray(listed) ? (listed as JsonObject[]) : [];
  });
}

function sortedBy(list: readonly JsonObject[], name: string): JsonObject[] {
  return list.toSorted((one, other) => Number(one[name]) - Number(other[name]));
}
