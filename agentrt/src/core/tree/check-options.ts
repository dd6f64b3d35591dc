import { optionErrors } from "../errors.ts";
import { isNodeName, wantedNodeName } from "../messages/index.ts";
import { didYouMean } from "../values/index.ts";

/** The names of all options of a type, none left out. */
export type OptionNames<Options extends object> = {
  readonly [Name in keyof Required<Options>]: true;
};

/**
 * Refuses options that a topology file would refuse: no mapping, or a name that nothing reads.
 *
 * @param owner What is configured, for example `agent "greeter"`.
 * @param options What the program gave.
 * @param known The names that are read.
 * @throws AGENTRT_OPTION_UNKNOWN with the nearest name, AGENTRT_OPTION_WRONG.
 */
export function checkOptions(owner: string, options: unknown, known: object): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new optionErrors.WRONG({
      owner,
      option: "the options",
      found: describeValue(options),
      wanted: "an object",
    });
  }
  for (const [option, value] of Object.entries(options)) {
    // An option that was computed and is not there is none.
    if (Object.hasOwn(known, option) || value === undefined) continue;
    const names = Object.keys(known);
    const hint = didYouMean(option, names) || `; known are ${names.join(", ")}`;
    throw new optionErrors.UNKNOWN({ owner, option, hint });
  }
}

/**
 * Refuses a name that no node of a topology file may have.
 *
 * @param kind What it is the name of: an agent, a supervisor.
 * @param name The name.
 * @throws AGENTRT_OPTION_WRONG.
 */
export function checkNodeName(kind: string, name: unknown): void {
  if (isNodeName(name)) return;
  throw new optionErrors.WRONG({
    owner: kind,
    option: "name",
    found: describeValue(name),
    wanted: wantedNodeName,
  });
}

/**
 * Describes what a program gave, for a message.
 *
 * @param value Anything.
 * @returns For example `"abc"`, `-1`, `an array`, `nothing`.
 */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return `the function ${value.name || "without a name"}`;
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
