import { objectOf, objectsOf, type WireObject } from "./control-reader.ts";
import { ageText, numberIn, textIn } from "./shown.ts";

/**
 * Says what became of a suspension or a drain that was asked for.
 *
 * @param agent Its name.
 * @param detail What `GET /agents/{name}` says of it now.
 * @param now The clock of the process, seconds since the Unix epoch.
 * @returns `"desk" is suspended, 0.1 s ago by ada: wrong refunds`, or which message it finishes first; undefined while neither is to be seen.
 */
export function suspendedText(agent: string, detail: WireObject, now: number): string | undefined {
  const suspension = objectOf(detail["suspension"]);
  if (suspension["since"] !== undefined) {
    const { since, reason, initiated_by: by } = suspension;
    const who = textIn(by) === "" ? "" : ` by ${textIn(by)}`;
    return `"${agent}" is suspended, ${ageText(since, now)} ago${who}: ${textIn(reason)}`;
  }
  const messages = objectsOf(detail["at_hand"]);
  const [first] = messages.toSorted((a, b) => numberIn(a["since"]) - numberIn(b["since"]));
  if (first === undefined) return undefined;
  const more = messages.length === 1 ? "" : ` and ${messages.length - 1} more`;
  const message = `${textIn(first["type"])}, for ${ageText(first["since"], now)}`;
  if (objectOf(detail["draining"])["since"] !== undefined) {
    const depth = numberIn(objectOf(detail["mailbox"])["depth"]);
    return `"${agent}" takes nothing new; it is suspended when it has finished what is at hand (${message})${more} and the ${depth} that wait`;
  }
  return `"${agent}" will be suspended after the message at hand (${message})${more}: agentrt describe ${agent} says what that waits for`;
}
