import type { JsonObject } from "../../core/index.ts";
import type { GatewayResponse } from "../../gateway/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import { isObject, numberOf, textOf } from "./json-members.ts";
import { partQuestion } from "./large-answers.ts";
import { ownQuestion, readAnswer } from "./question.ts";

/** Most parts of one answer. */
const partCountMax = 1000;

/** A process that is asked. */
export interface AskedProcess {
  readonly others: Pick<Elsewhere, "ask">;
  /** Name of its group. */
  readonly process: string;
  /** How long it may take to answer, and to send each further part; default as `Elsewhere.ask`. */
  readonly timeoutMs?: number;
}

/**
 * Asks another process; an answer that is larger than a message comes in parts.
 *
 * @param asked Which.
 * @param question What `questionOf` or `ownQuestion` made.
 * @throws As `Elsewhere.ask`.
 */
export async function askProcess(
  { others, process, ...options }: AskedProcess,
  question: JsonObject,
): Promise<GatewayResponse> {
  const answer = await others.ask(process, question, options);
  const { parts } = answer;
  if (typeof parts !== "number") return readAnswer(answer);
  const texts = [textOf(answer["text"])];
  for (let index = 1; index < Math.min(parts, partCountMax); index += 1) {
    const wanted = ownQuestion(partQuestion, { id: textOf(answer["id"]), index: String(index) });
    const part = await others.ask(process, wanted, options);
    if (numberOf(part["index"]) !== index)
      return { status: 502, body: { error: "half an answer" } };
    texts.push(textOf(part["text"]));
  }
  const whole: unknown = JSON.parse(texts.join(""));
  return readAnswer(isObject(whole as JsonObject) ? (whole as JsonObject) : {});
}
