import { errors } from "../envelope/index.ts";
import type {
  CommandDescription,
  CommandInput,
  FlagDefinition,
  FlagValue,
  InputOf,
  PositionalDefinition,
} from "./command.ts";
import { budgetFlag } from "./global-flags.ts";
import { familiarFlag } from "./familiar-flags.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * Checks the input of a command against its row of the table. Inputs from `batch`, MCP and argv all pass here.
 *
 * Names are snake_case and may be aliases; the result has only the flags' own names. `null` counts as absent.
 *
 * @throws invalid_argument for an unknown name, one given twice, a wrong type, a value out of range, or a missing positional.
 */
export function checkInput<
  Flags extends readonly FlagDefinition[],
  Positionals extends readonly PositionalDefinition[],
>(
  description: { readonly name: string; readonly flags: Flags; readonly positionals: Positionals },
  raw: { readonly [name: string]: unknown },
): InputOf<{ flags: Flags; positionals: Positionals }>;
// What follows checks each value against the table that the type is made from: here the one becomes the other.
export function checkInput(
  description: Pick<CommandDescription, "name" | "flags" | "positionals">,
  raw: { readonly [name: string]: unknown },
): CommandInput {
  const flags = [...description.flags, budgetFlag];
  const input: { [name: string]: FlagValue } = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined || value === null) continue;
    const positional = description.positionals.find((candidate) =>
      [candidate.name, ...(candidate.aliases ?? [])].includes(name),
    );
    if (positional !== undefined) {
      refuseSecond(input, positional.name, name);
      input[positional.name] = checkPositional(positional, value);
      continue;
    }
    const flag = flags.find(
      (candidate) => candidate.name === name || (candidate.aliases ?? []).includes(name),
    );
    if (flag === undefined) throw unknownName(description, flags, name);
    refuseSecond(input, flag.name, name);
    input[flag.name] = checkFlag(flag, value);
  }
  for (const positional of description.positionals) {
    const value = input[positional.name];
    if (
      positional.isRequired &&
      (value === undefined || (Array.isArray(value) && value.length === 0))
    )
      throw new errors.invalid_argument({
        argument: positional.name,
        reason: `${description.name} needs it: ${positional.summary}`,
      });
  }
  return input;
}

function refuseSecond(input: CommandInput, name: string, spelling: string): void {
  if (input[name] !== undefined)
    throw new errors.invalid_argument({
      argument: spelling,
      reason: `it is given twice: "${name}" is the same`,
    });
}

function unknownName(
  description: Pick<CommandDescription, "name" | "positionals">,
  flags: readonly FlagDefinition[],
  name: string,
): Error {
  const names = [
    ...description.positionals.map((positional) => positional.name),
    ...flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]),
  ];
  const plain = name.replace(/^-+/, "").replaceAll("-", "_");
  return new errors.invalid_argument({
    argument: name,
    reason: `${description.name} has no such parameter; ${hintOn(plain)}`,
  });

  function hintOn(wanted: string): string {
    const familiar = familiarFlag(description.name, wanted.toLowerCase());
    const flag = /^--([a-z-]+)/.exec(familiar ?? "")?.[1]?.replaceAll("-", "_");
    if (familiar !== undefined && flag === undefined) return familiar;
    const meant = flag ?? nearestName(wanted, names);
    return meant === undefined ? `it takes ${names.join(", ")}` : `did you mean "${meant}"`;
  }
}

function checkPositional(positional: PositionalDefinition, value: unknown): FlagValue {
  if (positional.isVariadic === true) {
    const list = typeof value === "string" && positional.isOneAllowed === true ? [value] : value;
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string"))
      throw wrongType(positional.name, "a list of strings", value);
    refuseNul(positional, list);
    return list;
  }
  if (typeof value !== "string") throw wrongType(positional.name, "a string", value);
  refuseNul(positional, [value]);
  const { name, choices } = positional;
  if (choices !== undefined && !choices.includes(value))
    throw new errors.invalid_argument({
      argument: `${name} ${value}`,
      reason: `wanted one of ${choices.join(", ")}`,
    });
  return value;
}

function refuseNul(positional: PositionalDefinition, values: readonly string[]): void {
  if (values.some((value) => value.includes("\0")))
    throw new errors.invalid_argument({
      argument: positional.name,
      reason: "it holds a NUL character",
    });
}

function checkFlag(flag: FlagDefinition, value: unknown): FlagValue {
  switch (flag.kind) {
    case "boolean":
      if (typeof value === "boolean") return value;
      throw wrongType(flag.name, "true or false", value);
    case "integer":
    case "number":
      return checkNumber(flag, value);
    case "string":
      // In JSON `"lines": 7` is as good as `"lines": "7"`.
      if (typeof value === "number") return checkChoice(flag, String(value));
      if (typeof value !== "string") throw wrongType(flag.name, "a string", value);
      return checkChoice(flag, value);
    case "strings":
      if (typeof value === "string") return [value];
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
      throw wrongType(flag.name, "a list of strings", value);
  }
}

function checkChoice(flag: FlagDefinition, value: string): string {
  if (flag.choices === undefined || flag.choices.includes(value)) return value;
  const { isCountAllowed = false } = flag;
  if (isCountAllowed && /^\d{1,6}$/.test(value)) return value;
  throw new errors.invalid_argument({
    argument: `${flag.name} ${value}`,
    reason: `wanted one of ${flag.choices.join(", ")}${isCountAllowed ? ", or a whole number" : ""}`,
  });
}

function checkNumber(flag: FlagDefinition, value: unknown): number {
  const wanted = flag.kind === "integer" ? "a whole number" : "a number";
  const isRightKind =
    typeof value === "number" &&
    Number.isFinite(value) &&
    (flag.kind === "number" || Number.isSafeInteger(value));
  if (!isRightKind) throw wrongType(flag.name, wanted, value);
  const { minimum = -Infinity, maximum = Infinity } = flag;
  if (value < minimum || value > maximum)
    throw new errors.invalid_argument({
      argument: `${flag.name} ${value}`,
      reason:
        maximum === Infinity
          ? `wanted ${wanted} of at least ${minimum}`
          : `wanted ${wanted} from ${minimum} to ${maximum}`,
    });
  return value;
}

function wrongType(name: string, wanted: string, value: unknown): Error {
  const found = JSON.stringify(value).slice(0, 60);
  return new errors.invalid_argument({
    argument: name,
    reason: `found ${found}, wanted ${wanted}`,
  });
}
