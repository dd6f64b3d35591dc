import { isReservedType, type JsonObject } from "../core/index.ts";
import { errorResponse, type GatewayResponse } from "../gateway/index.ts";
import { asJson } from "./bodies.ts";
import { askProcess, type ControlRequest, questionOf, refusalOf } from "./elsewhere/index.ts";
import { principalOf } from "./principal.ts";
import type { RuntimeControl } from "./runtime-view.ts";
import type { ReplayedBody } from "./wire-history.ts";
import { BodyFault, readNothing } from "./write-body.ts";

/**
 * Serves `POST /dead-letters/{id}/replay`: sends a message again that nobody handled, once, under a new id. Nobody gets
 * its reply: who called has its error since long.
 *
 * @param control The runtime.
 * @param request Names the message.
 * @returns 202; 400 for a body with keys; 404 for a message that is not known; 409 for one that was sent again already, or whose payload was not
 *   kept; what a message into that mailbox is refused with.
 */
export async function replayDeadLetter(
  control: RuntimeControl,
  request: ControlRequest,
): Promise<GatewayResponse> {
  const id = request.pathParams["id"] ?? "";
  try {
    readNothing(request.body);
  } catch (error) {
    if (error instanceof BodyFault) return errorResponse(400, error.message);
    throw error;
  }
  const { letters } = control.observer;
  const letter = letters.find(id);
  if (letter === undefined) {
    const isKnown = control.deadLetters().some((each) => each.id === id);
    if (!isKnown) return errorResponse(404, `dead letter '${id}' not found`);
    return errorResponse(409, `the payload of '${id}' was not kept: set dead_letter_payloads`);
  }
  const { recipient: agent, type, payload, replayedAs } = letter;
  if (replayedAs !== undefined)
    return errorResponse(409, `'${id}' was replayed already, as '${replayedAs}'`);
  if (letter.isInReplay) return errorResponse(409, `'${id}' is being replayed`);
  if (isReservedType(type))
    return errorResponse(409, `'${id}' is a message of the runtime: it is not replayed`);
  letter.isInReplay = true;
  try {
    const { elsewhere: others } = control;
    const process = others?.processOf(agent);
    if (others === undefined || process === undefined)
      letter.replayedAs = await control.inject(agent, { type, payload });
    else {
      const put = { ...request, pathParams: { name: agent }, body: { type, payload } };
      const question = questionOf("POST /agents/{name}/mailbox", put);
      const answer = await askProcess({ others, process }, question);
      const { id: newId } = (answer.body ?? {}) as JsonObject;
      if (answer.status !== 202 || typeof newId !== "string") return answer;
      letter.replayedAs = newId;
    }
  } catch (error) {
    return refusal(error, agent);
  } finally {
    letter.isInReplay = false;
  }
  const initiatedBy = principalOf(request);
  const body: ReplayedBody = {
    status: "replayed",
    agent,
    id: letter.replayedAs,
    replay_of: id,
    initiated_by: initiatedBy,
  };
  control.observer.publish("dead_letter.replayed", agent, {
    id: letter.replayedAs,
    replay_of: id,
    initiated_by: initiatedBy,
  });
  return { status: 202, body: asJson(body) };
}

function refusal(error: unknown, agent: string): GatewayResponse {
  const { code } = Object(error) as { readonly code?: unknown };
  if (code === "AGENTRT_SUPERVISION_UNKNOWN_NAME" || code === "AGENTRT_BUS_NO_ROUTE")
    return errorResponse(404, `agent '${agent}' not found`);
  return refusalOf(error);
}
