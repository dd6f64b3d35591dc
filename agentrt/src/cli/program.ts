import { Argument, Command, type CommanderError, Option } from "commander";
import type { CommandInput, CommandIo, CommandSpec, FlagSpec } from "./command.ts";
import { cliErrors } from "./errors.ts";

/** What groups of commands are for, by their first word. */
const groupSummaries: { readonly [word: string]: string } = {
  topology: "check, draw and compare topology files",
  state: "list, forget and move saved states",
  budget: "list and reset budgets of model calls",
  approvals: "list what waits for a person, and decide about it",
  crash: "list and show what was recorded of crashes",
  traces: "list the traces of requests, and show one as a waterfall",
  audit: "check and follow the log of what operators did",
  deploy: "write deployments",
  security: "make keys for transports",
};

/** Everything the program is made of. */
export interface ProgramOptions {
  readonly commands: readonly CommandSpec[];
  readonly version: string;
  readonly io: CommandIo;
}

/**
 * Parses a command line and runs the command it names.
 *
 * @param words The command line without the program's own name.
 * @param options The table of commands and the world.
 * @returns The exit code.
 * @throws AGENTRT_CLI_USAGE when the command line is wrong; whatever the command throws.
 */
export async function runProgram(
  words: readonly string[],
  options: ProgramOptions,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram(options, (code) => {
    exitCode = code;
  });
  if (words.length === 0) {
    options.io.print(program.helpInformation());
    return 2;
  }
  try {
    await program.parseAsync(withEmptyValues(words, options.commands), { from: "user" });
    return exitCode;
  } catch (error) {
    if (!isCommanderError(error)) throw error;
    if (error.exitCode === 0) return 0;
    if (error.code === "commander.help") return 2;
    throw new cliErrors.USAGE({
      reason: oneLine(error.message),
      help: helpFor(words, options.commands),
    });
  }
}

/** What follows a flag whose value is optional is never its value: that is behind `=`. */
function withEmptyValues(words: readonly string[], commands: readonly CommandSpec[]): string[] {
  const flags = new Set(
    commands.flatMap((spec) =>
      (spec.flags ?? []).flatMap((flag) => (flag.isValueOptional === true ? [flag.name] : [])),
    ),
  );
  const end = words.indexOf("--");
  return words.map((word, index) =>
    (end === -1 || index < end) && word.startsWith("--") && flags.has(word.slice(2))
      ? `${word}=`
      : word,
  );
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("commander.");
}

/** Commander's `error: unknown option '--x'` and `(Did you mean --y?)` on its own line, as one line. */
function oneLine(message: string): string {
  return message
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim()
    .replace(/\.$/, "");
}

/** The help that explains the command the words begin with. */
function helpFor(words: readonly string[], commands: readonly CommandSpec[]): string {
  const known = commands
    .filter((command) => command.words.every((word, index) => words[index] === word))
    .map((command) => command.words.join(" "))
    .at(-1);
  const group = commands.some(
    (command) => command.words.length > 1 && command.words[0] === words[0],
  )
    ? words[0]
    : undefined;
  return ["agentrt", known ?? group, "--help"].filter((word) => word !== undefined).join(" ");
}

function createProgram(options: ProgramOptions, finish: (exitCode: number) => void): Command {
  const { io, commands, version } = options;
  const program = configure(new Command("agentrt"), io)
    .description("Runs supervised agents from a topology file, and looks after them.")
    .version(`agentrt ${version}`, "-V, --version", "print the version")
    .addHelpText(
      "after",
      "\nExamples:\n  agentrt init greeter\n  cd greeter && agentrt run\n  agentrt topology validate topology.yaml" +
        "\n\nExit codes: 0 done, 1 the work failed, 2 wrong usage, 70 of run --exit-on-degraded, 129, 130 and 143 after a second signal.",
    );
  const groups = new Map<string, Command>();
  for (const spec of commands) {
    const [first, second] = spec.words;
    let parent = program;
    if (second !== undefined) {
      const known = groups.get(first);
      parent =
        known ?? configure(program.command(first), io).description(groupSummaries[first] ?? "");
      groups.set(first, parent);
    }
    addCommand(parent, spec, { io, finish });
  }
  return program;
}

function configure(command: Command, io: CommandIo): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: io.print, // The help of a bare group; errors come back as exceptions.
      writeErr: io.print,
      outputError: () => {},
    })
    .helpCommand(false)
    .helpOption("-h, --help", "print this help");
}

function addCommand(
  parent: Command,
  spec: CommandSpec,
  { io, finish }: { io: CommandIo; finish: (exitCode: number) => void },
): void {
  const command = configure(parent.command(spec.words.at(-1) ?? ""), io)
    .description(spec.summary)
    .allowExcessArguments(false);
  for (const argument of spec.arguments ?? []) {
    const dots = argument.isVariadic === true ? "..." : "";
    const shape =
      argument.isOptional === true ? `[${argument.name}${dots}]` : `<${argument.name}${dots}>`;
    const added = new Argument(shape, argument.summary);
    if (argument.choices !== undefined) added.choices(argument.choices);
    command.addArgument(added);
  }
  for (const flag of spec.flags ?? []) command.addOption(optionOf(flag));
  const examples = spec.examples.map(([line, effect]) => `  ${line}\n      ${effect}`);
  command.addHelpText("after", `\nExamples:\n${examples.join("\n")}`);
  command.action(async () => {
    finish(await spec.run(inputOf(command, spec), io));
  });
}

function optionOf(flag: FlagSpec): Option {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const value = shapeOf(flag);
  const option = new Option(`${short}--${flag.name}${value}`, flag.summary);
  if (flag.default !== undefined) option.default(flag.default);
  if (flag.choices !== undefined) option.choices(flag.choices);
  if (flag.isRepeatable === true)
    option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
  return option;
}

function shapeOf({ value, isValueOptional }: FlagSpec): string {
  if (value === undefined) return "";
  return isValueOptional === true ? ` [${value}]` : ` <${value}>`;
}

/** The name under which the library has the value of a flag. */
function memberOf(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function inputOf(command: Command, spec: CommandSpec): CommandInput {
  const values: { [name: string]: unknown } = command.opts();
  const positions = new Map(
    (spec.arguments ?? []).map((argument, index) => [argument.name, index]),
  );
  const argumentsOf = (name: string): string[] => {
    const index = positions.get(name);
    if (index === undefined) throw new TypeError(`The command has no argument ${name}`);
    const value = command.processedArgs[index] as string | string[] | undefined;
    return value === undefined ? [] : [value].flat();
  };
  const flagOf = (name: string): unknown => {
    if (!(spec.flags ?? []).some((flag) => flag.name === name))
      throw new TypeError(`The command has no flag ${name}`);
    // The library has `--no-wait` as `wait`, which is true until the flag is given.
    if (name.startsWith("no-")) return values[memberOf(name.slice("no-".length))] === false;
    return values[memberOf(name)];
  };
  const isValueOptional = (name: string): boolean =>
    (spec.flags ?? []).some((flag) => flag.name === name && flag.isValueOptional === true);
  return {
    argument: (name) => argumentsOf(name)[0] ?? "",
    arguments: argumentsOf,
    text: (flag) => {
      const value = flagOf(flag) as string | undefined;
      return value === "" && isValueOptional(flag) ? undefined : value;
    },
    texts: (flag) => (flagOf(flag) as string[] | undefined) ?? [],
    isSet: (flag) => flagOf(flag) === true || (isValueOptional(flag) && flagOf(flag) !== undefined),
  };
}
