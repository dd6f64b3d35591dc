import { globalFlags, type CommandDescription, type FlagDefinition } from "../../commands/index.ts";
import { kebab, spellingsOf } from "../parse-arguments.ts";

/** One flag as a shell completes it. */
export interface CompletedFlag {
  /** As they are written: `--mode`, `-t`. */
  readonly spellings: readonly string[];
  /** One line. */
  readonly summary: string;
  /** What follows it: nothing, one of some words, a file or folder, or a word that nobody knows. */
  readonly value: CompletedValue;
  /** True when it may be given more than once. */
  readonly isRepeated: boolean;
}

/** What is completed for a value. */
export type CompletedValue =
  | { readonly kind: "none" | "file" | "folder" | "any" | "program" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

/** One command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Its first argument; those after it are files, or what a program takes. */
  readonly first: CompletedValue;
}

/** What `--help`'s word for a value tells of it. */
const valueOfPlaceholder: { readonly [placeholder: string]: CompletedValue } = {
  DIR: { kind: "folder" },
  FILE: { kind: "file" },
  "FILE[:LINE]": { kind: "file" },
};

/** The flags that every command takes. */
export const completedGlobals: readonly CompletedFlag[] = globalFlags.map(completedFlag);

/** Makes what shells complete from the rows of the command table. */
export function completedCommands(
  descriptions: readonly CommandDescription[],
): readonly CompletedCommand[] {
  return descriptions.map(({ name, summary, flags, positionals }) => {
    const [positional] = positionals;
    const first: CompletedValue =
      positional === undefined
        ? { kind: "none" }
        : positional.choices !== undefined
          ? { kind: "choice", choices: positional.choices }
          : { kind: positional.takesRest === true ? "program" : "file" };
    return { name, summary, flags: [...flags.map(completedFlag), ...completedGlobals], first };
  });
}

function completedFlag(flag: FlagDefinition): CompletedFlag {
  const { kind, short, choices, placeholder = "", summary } = flag;
  const spellings = spellingsOf(flag).map((name) => `--${kebab(name)}`);
  const value: CompletedValue =
    kind === "boolean"
      ? { kind: "none" }
      : choices !== undefined
        ? { kind: "choice", choices }
        : (valueOfPlaceholder[placeholder] ?? { kind: "any" });
  return {
    spellings: short === undefined ? spellings : [`-${short}`, ...spellings],
    summary,
    value,
    isRepeated: kind === "strings",
  };
}
