import { extname } from "node:path";
import type { UnixCommand } from "../command.ts";
import {
  diffEquivalent,
  existsEquivalent,
  findEquivalent,
  readEquivalent,
  searchEquivalent,
} from "../fallback/index.ts";
import { type Subject, wordsOf } from "./pick-subjects.ts";

/** A question, and how both are asked. */
export interface Task {
  readonly name: string;
  readonly query: string;
  /** Words behind the program's name. */
  readonly codetool: readonly string[];
  /** One program after another. */
  readonly unix: readonly UnixCommand[];
}

/**
 * Makes the questions of a bench.
 *
 * @param subjects What the tree has; without any, only the questions that need none are made.
 * @param options.hasCommits Whether git knows a state before the last one.
 */
export function makeTasks(
  subjects: readonly Subject[],
  { hasCommits }: { readonly hasCommits: boolean },
): readonly Task[] {
  const [first] = subjects;
  return [
    ...subjects.map((subject) => searchTask(subject)),
    ...subjects.map((subject) => searchAndReadTask(subject)),
    ...(first === undefined ? [] : [wordsTask(subjects), ...fileTasks(first)]),
    listTask(first),
    ...(hasCommits ? [diffTask()] : []),
  ];
}

function searchTask({ name }: Subject): Task {
  return {
    name: "search_name",
    query: name,
    codetool: ["search", name],
    unix: [searchEquivalent({ query: name, literal: true })],
  };
}

/** To see a definition, grep says where, and `cat` shows it. */
function searchAndReadTask({ name, file }: Subject): Task {
  return {
    name: "see_definition",
    query: name,
    codetool: ["search", name, "--top-k", "1", "--context", "function"],
    unix: [searchEquivalent({ query: name, literal: true }), readEquivalent({ file })],
  };
}

/** A question in words: those of the name that has the most. */
function wordsTask(subjects: readonly Subject[]): Task {
  const all = subjects.map(({ name }) => wordsOf(name));
  const words = all.reduce((most, some) => (some.length > most.length ? some : most), []);
  const query = ["where", "is", ...words].join(" ");
  const unix = searchEquivalent({ query: words.join(" "), literal: true, ignore_case: true });
  const at = unix.args.indexOf("-e");
  // Each word by itself: together, as they are asked for, they are nowhere.
  const patterns = words.flatMap((word) => ["-e", word]);
  const args = [...unix.args.slice(0, at), ...patterns, ...unix.args.slice(at + 2)];
  return {
    name: "search_words",
    query,
    codetool: ["search", query],
    unix: [{ program: unix.program, args }],
  };
}

function fileTasks({ name, file }: Subject): Task[] {
  const cat = [readEquivalent({ file })];
  return [
    { name: "read_whole", query: file, codetool: ["read", file], unix: cat },
    {
      name: "read_symbol",
      query: `${name} in ${file}`,
      codetool: ["read", file, "--symbol", name],
      unix: cat,
    },
    { name: "read_skeleton", query: file, codetool: ["read", file, "--skeleton"], unix: cat },
    { name: "outline_file", query: file, codetool: ["outline", file], unix: cat },
    {
      name: "exists",
      query: name,
      codetool: ["exists", name],
      unix: [existsEquivalent({ pattern: name })],
    },
  ];
}

/** The files of a kind, and how many lines each has. */
function listTask(subject: Subject | undefined): Task {
  const pattern = `*${subject === undefined ? "" : extname(subject.file)}`;
  const { program, args } = findEquivalent({ pattern: [pattern] });
  return {
    name: "find_files",
    query: pattern,
    codetool: ["find", "--pattern", pattern, "--flat"],
    unix: [{ program, args: [...args, "-exec", "wc", "-l", "{}", "+"] }],
  };
}

function diffTask(): Task {
  return {
    name: "diff_commit",
    query: "HEAD~1",
    codetool: ["diff", "--since", "HEAD~1"],
    unix: [diffEquivalent({ since: "HEAD~1" })],
  };
}
