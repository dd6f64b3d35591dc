import { objectOf, objectsOf, type WireObject } from "./control-reader.ts";
import { awaitedText } from "./overview.ts";
import { ageText, numberIn, textIn } from "./shown.ts";

/** Most agents that are named. */
const agentCountMax = 20;

/**
 * Finds who still waits for a model provider or a tool server that was replaced: what it waits for does not come from the new one.
 *
 * @param overview What `GET /overview` says after the change.
 * @param names Names of the providers and tool servers that were replaced or closed.
 * @param beforeSeconds The clock of the process just before the change; who began to wait later waits for the new one.
 * @returns A line for each, with what to do.
 */
export function replacedWaits(
  overview: unknown,
  names: readonly string[],
  beforeSeconds: number,
): string[] {
  const { agents, timestamp } = objectOf(overview);
  const rows = objectsOf(agents);
  const groups = new Set(
    rows.filter(({ kind }) => kind === "pool").map(({ name }) => textIn(name)),
  );
  const waiting = rows.filter((row) => {
    const awaited = objectOf(row["waits_for"]);
    const [group = ""] = textIn(row["name"]).split("/");
    const isMember = row["kind"] === "agent" && groups.has(group);
    const isOld = typeof awaited["since"] === "number" && awaited["since"] <= beforeSeconds;
    return isOld && !isMember && names.includes(providerOf(awaited));
  });
  const lines = waiting.slice(0, agentCountMax).map((row) => {
    const name = textIn(row["name"]);
    const awaited = objectOf(row["waits_for"]);
    const age = ageText(awaited["since"], numberIn(timestamp));
    return `${name} still waits for ${awaitedText(awaited)} that was replaced, for ${age}: agentrt restart ${name} --no-wait`;
  });
  const more = waiting.length - lines.length;
  return more > 0 ? [...lines, `${more} more wait so: agentrt ps`] : lines;
}

/** A tool is named by its server: `mcp://files/read`. */
function providerOf({ kind, name }: WireObject): string {
  const text = textIn(name);
  return kind === "tool" ? (text.split("/")[2] ?? text) : text;
}
