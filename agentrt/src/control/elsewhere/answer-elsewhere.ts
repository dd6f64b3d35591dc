import type { JsonObject } from "../../core/index.ts";
import { errorResponse } from "../../gateway/index.ts";
import { type AgentRoute, keyOfRoute } from "./agent-route.ts";
import { LargeAnswers, partQuestion } from "./large-answers.ts";
import { answerOf, readQuestion } from "./question.ts";

/**
 * Makes what answers the questions of another process about the agents of this one. Who asks was authenticated there.
 *
 * @param routes Of this process.
 * @returns Takes a question of `askElsewhere`.
 */
export function answerElsewhere(
  routes: readonly AgentRoute[],
): (question: JsonObject) => Promise<JsonObject> {
  const byKey = new Map(routes.map((route) => [keyOfRoute(route), route]));
  const large = new LargeAnswers();
  return async (question) => {
    const { route: key, request } = readQuestion(question);
    const { id = "", index = "" } = request.queryParams;
    if (key === partQuestion) return large.part(id, Number(index));
    const route = byKey.get(key);
    // Another version asks for what this one does not have.
    if (route === undefined)
      return answerOf(errorResponse(501, `the agent's process does not serve '${key}'`));
    return large.fit(answerOf(await (route.part ?? route.handle)(request)));
  };
}
