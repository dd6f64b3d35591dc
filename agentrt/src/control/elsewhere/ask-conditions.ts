import type { Elsewhere } from "../../runtime/index.ts";
import { type Condition, conditionQuestion, readCondition } from "../figures/index.ts";
import { askProcess } from "./ask-process.ts";
import { ownQuestion } from "./question.ts";

/** How long workers may take to say how they are, milliseconds: who asks whether a process lives does not wait long. */
const waitMs = 500;

/** What workers have said of their health. */
export interface AskedConditions {
  readonly conditions: readonly Condition[];
  /** Labels of those that are there and did not answer in time. */
  readonly silentWorkers: readonly string[];
}

/**
 * Asks all workers for their health and their circuits.
 *
 * @param others Undefined where there are none.
 * @returns What those say that answer in half a second, and which did not.
 */
export async function askConditions(others: Elsewhere | undefined): Promise<AskedConditions> {
  const conditions: Condition[] = [];
  const silentWorkers: string[] = [];
  if (others === undefined) return { conditions, silentWorkers };
  const asked = others.present().map(async (process) => {
    try {
      const { body } = await askProcess(
        { others, process, timeoutMs: waitMs },
        ownQuestion(conditionQuestion, {}),
      );
      return readCondition(process, body) ?? process;
    } catch {
      return process;
    }
  });
  for (const answer of await Promise.all(asked))
    if (typeof answer === "string") silentWorkers.push(answer);
    else conditions.push(answer);
  return { conditions, silentWorkers };
}
