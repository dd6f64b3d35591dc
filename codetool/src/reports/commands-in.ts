import { splitShell } from "./shell-words.ts";
import { programName } from "./tool.ts";

/**
 * Gives the text of a script by its name, as `package.json` has it; `undefined` where there is none.
 *
 * @param folder Where the runner was to look, relative to the working directory; absent for that itself.
 */
export type ReadScript = (name: string, folder?: string) => string | undefined;

/** One command that is really run. */
export interface InnerCommand {
  readonly words: readonly string[];
  /** Where its words begin in the words given; absent when they come out of a script or a shell's text. */
  readonly argvOffset?: number;
}

/** Scripts that run scripts are followed this far. */
const depthMax = 6;

/** A program that runs the program that its arguments name. */
interface Wrapper {
  /** Words that must follow, for example `run`; alternatives are lists. */
  readonly subcommands?: readonly string[];
  /** Flags that take the next word as their value. */
  readonly valueFlags?: readonly string[];
  /** Takes `NAME=value` words in front of the program. */
  readonly takesAssignments?: true;
  /** Words of its own after the flags, such as a duration. */
  readonly positionalCount?: number;
  /** Flags whose value is a line of shell. */
  readonly shellFlags?: readonly string[];
}

const pythonRunner: Wrapper = {
  subcommands: ["run"],
  valueFlags: [
    ..."--with --with-editable --with-requirements --extra --group --only-group --no-group --package -p".split(
      " ",
    ),
    ..."--python --project --directory --env-file --env -e -m --module --index-url -C --index --cache-dir".split(
      " ",
    ),
  ],
};
const npmPackages: Wrapper = {
  valueFlags: ["-p", "--package", "--prefix", "-w", "--workspace", "-C", "--dir"],
  shellFlags: ["-c", "--call"],
};

const wrappers: { readonly [name: string]: readonly Wrapper[] } = {
  env: [{ takesAssignments: true, valueFlags: ["-u", "--unset", "-C", "--chdir"] }],
  "cross-env": [{ takesAssignments: true }],
  "cross-env-shell": [{ takesAssignments: true }],
  time: [{ valueFlags: ["-f", "-o"] }],
  nice: [{ valueFlags: ["-n"] }],
  ionice: [{ valueFlags: ["-c", "-n"] }],
  nohup: [{}],
  setsid: [{}],
  exec: [{}],
  command: [{}],
  sudo: [{ valueFlags: ["-u", "-g", "-E"], takesAssignments: true }],
  timeout: [{ valueFlags: ["-k", "-s", "--kill-after", "--signal"], positionalCount: 1 }],
  gtimeout: [{ valueFlags: ["-k", "-s"], positionalCount: 1 }],
  stdbuf: [{ valueFlags: ["-i", "-o", "-e"] }],
  unbuffer: [{}],
  "xvfb-run": [{ valueFlags: ["-s", "-n"] }],
  npx: [npmPackages],
  pnpx: [npmPackages],
  bunx: [npmPackages],
  npm: ["exec", "x"].map((word) => ({ ...npmPackages, subcommands: [word] })),
  pnpm: ["exec", "dlx"].map((word) => ({ ...npmPackages, subcommands: [word] })),
  yarn: ["exec", "dlx"].map((word) => ({ ...npmPackages, subcommands: [word] })),
  bun: [{ ...npmPackages, subcommands: ["x"] }],
  uv: [pythonRunner, { ...pythonRunner, subcommands: ["tool", "run"] }],
  uvx: [{ ...pythonRunner, subcommands: [] }],
  pipx: [pythonRunner],
  poetry: [pythonRunner],
  pdm: [pythonRunner],
  pipenv: [pythonRunner],
  hatch: [pythonRunner],
  rye: [pythonRunner],
  pixi: [pythonRunner],
  conda: [{ ...pythonRunner, valueFlags: ["-n", "-p", "--name", "--prefix", "--cwd"] }],
  mamba: [{ ...pythonRunner, valueFlags: ["-n", "-p", "--name", "--prefix"] }],
  bundle: [{ subcommands: ["exec"] }],
  mise: [{ subcommands: ["exec"] }, { subcommands: ["x"] }],
  asdf: [{ subcommands: ["exec"] }],
  direnv: [{ subcommands: ["exec"], positionalCount: 1 }],
  dotenv: [{ valueFlags: ["-e", "-f"] }],
  dotenvx: [{ subcommands: ["run"], valueFlags: ["-f", "--env-file", "-e"] }],
  doppler: [{ subcommands: ["run"], valueFlags: ["-p", "-c", "--project", "--config"] }],
};

const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish", "busybox"]);
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;
/** Words of package managers that are commands themselves, not scripts. */
const managerWords = new Set(
  "add install i ci remove rm uninstall update upgrade ls list why outdated audit init create publish pack link unlink config set get cache dedupe import rebuild store patch prune login logout info view version versions workspaces workspace node dlx exec x bin plugin npm up global help build-runner pm repl upgrade-interactive".split(
    " ",
  ),
);

/**
 * Finds the commands that are really run behind the words of a command line: through wrappers such as `npx` or `env`,
 * interpreters, shells and the scripts of a package; several for `a && b`, in their order.
 */
export function commandsIn(argv: readonly string[], readScript: ReadScript): InnerCommand[] {
  return unwrap(argv, { offset: 0, depth: 0, readScript });
}

interface Place {
  readonly offset: number | undefined;
  readonly depth: number;
  readonly readScript: ReadScript;
}

function unwrap(words: readonly string[], place: Place): InnerCommand[] {
  const [first] = words;
  if (first === undefined) return [];
  if (place.depth > depthMax) return [commandOf(words, place)];
  if (assignment.test(first)) return unwrapFrom(words, 1, place);
  const name = programName(first);
  if (shells.has(name)) return unwrapShell(words, place);
  for (const wrapper of wrappers[name] ?? []) {
    const inner = unwrapWrapper(words, wrapper, place);
    if (inner !== undefined) return inner;
  }
  if (/^(python|pypy|py)[\d.]*$/.test(name)) return unwrapPython(words, place);
  if (name === "node" || name === "nodejs" || name === "tsx" || name === "ts-node")
    return unwrapNode(words, place);
  return unwrapScript(name, words, place) ?? [commandOf(words, place)];
}

function commandOf(words: readonly string[], { offset }: Place): InnerCommand {
  return offset === undefined ? { words } : { words, argvOffset: offset };
}

function unwrapFrom(words: readonly string[], count: number, place: Place): InnerCommand[] {
  const offset = place.offset === undefined ? undefined : place.offset + count;
  return unwrap(words.slice(count), { ...place, offset, depth: place.depth + 1 });
}

function unwrapText(script: string, place: Place): InnerCommand[] {
  const inner = { ...place, offset: undefined, depth: place.depth + 1 };
  return splitShell(script).flatMap((words) => unwrap(words, inner));
}

/** @returns `undefined` when the words are another use of the program. */
function unwrapWrapper(
  words: readonly string[],
  wrapper: Wrapper,
  place: Place,
): InnerCommand[] | undefined {
  let at = 1;
  for (const subcommand of wrapper.subcommands ?? []) {
    while (words[at]?.startsWith("-") === true) at += 1;
    if (words[at] !== subcommand) return undefined;
    at += 1;
  }
  let positionalCount = wrapper.positionalCount ?? 0;
  for (; ; at += 1) {
    const word = words[at];
    if (word === undefined) return undefined;
    if (word === "--") {
      at += 1;
      break;
    }
    if (word.startsWith("-")) {
      if (wrapper.shellFlags?.includes(word) === true)
        return unwrapText(words[at + 1] ?? "", place);
      // `uv run -m pytest` is `python -m pytest`.
      if (wrapper.subcommands?.[0] === "run" && (word === "-m" || word === "--module")) {
        at += 1;
        break;
      }
      if (wrapper.valueFlags?.includes(word) === true) at += 1;
    } else if (wrapper.takesAssignments === true && assignment.test(word)) continue;
    else if (positionalCount > 0) positionalCount -= 1;
    else break;
  }
  if (positionalCount > 0) at += positionalCount;
  return words[at] === undefined ? undefined : unwrapFrom(words, at, place);
}

function unwrapShell(words: readonly string[], place: Place): InnerCommand[] {
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (at !== -1) return unwrapText(words[at + 1] ?? "", place);
  return [commandOf(words, place)];
}

/** `python -m pytest` is `pytest`, and `python path/to/pytest` too. */
function unwrapPython(words: readonly string[], place: Place): InnerCommand[] {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "-m") return unwrapFrom(words, at + 1, place);
    if (word === "-c" || word === "-") break;
    if (word === "-W" || word === "-X") at += 1;
    else if (!word.startsWith("-"))
      return word.includes("/") && !word.endsWith(".py")
        ? unwrapFrom(words, at, place)
        : [commandOf(words, place)];
  }
  return [commandOf(words, place)];
}

/** `node node_modules/jest/bin/jest.js` is `jest`; `node --test` stays. */
function unwrapNode(words: readonly string[], place: Place): InnerCommand[] {
  if (words.includes("--test"))
    return [{ ...commandOf(words, place), words: ["node", ...words.slice(1)] }];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^(-r|--require|--import|--loader|-e|-p)$/.test(word)) at += 1;
    else if (!word.startsWith("-")) {
      const inside = /node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(
        word.replaceAll("\\", "/"),
      );
      if (inside?.[1] === undefined) break;
      const name =
        inside[1] === "typescript"
          ? "tsc"
          : inside[1].replace(/^@([^/]+)\/.*$/, "$1").replace(/js$/, "");
      const [inner] = unwrapFrom(words, at, place);
      return inner === undefined ? [] : [{ ...inner, words: [name, ...words.slice(at + 1)] }];
    }
  }
  return [commandOf(words, place)];
}

/** `npm test`, `npm run x`, `yarn x`, `pnpm --filter a run x`, `bun run x`, `node --run x`. */
function unwrapScript(
  name: string,
  words: readonly string[],
  place: Place,
): InnerCommand[] | undefined {
  if (!["npm", "pnpm", "yarn", "bun"].includes(name)) return undefined;
  let folder: string | undefined;
  let at = 1;
  for (; words[at]?.startsWith("-") === true; at += 1) {
    if (!/^(-C|--prefix|--dir|--cwd|--filter|-F|-w|--workspace)$/.test(words[at] ?? "")) continue;
    at += 1;
    if (/^(-C|--prefix|--dir|--cwd)$/.test(words[at - 1] ?? "")) folder = words[at];
  }
  let script = words[at];
  if (script === "run" || script === "run-script") {
    at += 1;
    while (words[at]?.startsWith("-") === true) at += 1;
    script = words[at];
  } else if (name === "npm") {
    if (script === "t" || script === "tst") script = "test";
    if (script !== "test" && script !== "start") return undefined;
  } else if (
    script === undefined ||
    managerWords.has(script) ||
    (name === "bun" && script === "test")
  )
    return undefined;
  if (script === undefined) return undefined;
  const text = place.readScript(script, folder);
  const args = words.slice(at + 1).filter((word, index) => word !== "--" || index > 0);
  // `yarn jest` and `pnpm jest` run the package's program if there is no script of this name.
  if (text === undefined) return name === "npm" ? undefined : unwrapFrom(words, at, place);
  const commands = unwrapText(text, place);
  const last = commands.at(-1);
  if (last === undefined) return undefined;
  return [...commands.slice(0, -1), { words: [...last.words, ...args] }];
}
