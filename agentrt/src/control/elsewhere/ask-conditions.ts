import type { Elsewhere } from "../../runtime/index.ts";
import { type Condition, conditionQuestion, readCondition } from "../figures/index.ts";
import { askProcess } from "./ask-process.ts";
import { ownQuestion } from "./question.ts";

/** How long workers may take to say how they are, milliseconds: who asks whether a process lives does not wait long. */
const waitMs = 500;

/**
 * Asks all workers for their health and their circuits.
 *
 * @param others Undefined where there are none.
 * @returns Of those that answer in half a second.
 */
export async function askConditions(others: Elsewhere | undefined): Promise<readonly Condition[]> {
  if (others === undefined) return [];
  const asked = others.present().map(async (process) => {
    try {
      const { body } = await askProcess(
        { others, process, timeoutMs: waitMs },
        ownQuestion(conditionQuestion, {}),
      );
      return readCondition(process, body) ?? [];
    } catch {
      // It is left out.
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}
