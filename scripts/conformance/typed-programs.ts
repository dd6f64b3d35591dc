import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runProgram } from "testkit";

const source = fileURLToPath(new URL("../fixtures/typed-programs", import.meta.url));
const nodeTypes = fileURLToPath(new URL("../../node_modules/@types", import.meta.url));
/** In `bad.ts`, the end of a line that has to be an error. */
const mark = "// ✗";

/** A compiler, as an error of it names a place: file, line. */
const place = /^([^\s(]+)\((\d+),\d+\): error (.*)$/gm;

/** What the compiler finds in a program. */
interface Findings {
  /** As `bad.ts:12`: lines that are errors and should not be, with the compiler's words. */
  readonly unexpected: readonly string[];
  /** Lines that should be errors and are not. */
  readonly missed: readonly string[];
}

/**
 * Compiles programs that have to compile and programs that must not, against the declarations of an installed package.
 *
 * @param folder A project with `agentrt` in its `node_modules`; the programs are copied into it.
 * @param compiler Path of the compiler's own `tsc`.
 * @returns Where it found something else than the programs say.
 */
export async function compileTypedPrograms(folder: string, compiler: string): Promise<Findings> {
  const programs = join(folder, "typed-programs");
  cpSync(source, programs, { recursive: true });
  const { stdout, stderr } = await runProgram(
    process.execPath,
    [compiler, "-p", "typed-programs/tsconfig.json", "--typeRoots", nodeTypes, "--pretty", "false"],
    { workingDirectory: folder, timeoutMs: 120_000 },
  );
  const found = new Map(
    [...stdout.matchAll(place)].map(([, file = "", line1 = "", text = ""]) => [
      `${file.replace(/^.*typed-programs\//, "")}:${line1}`,
      text,
    ]),
  );
  const marked = readFileSync(join(programs, "bad.ts"), "utf8")
    .split("\n")
    .flatMap((line, index) => (line.endsWith(mark) ? [`bad.ts:${index + 1}`] : []));
  const wanted = new Set(marked);
  const unexpected = [...found].flatMap(([at, text]) => (wanted.has(at) ? [] : [`${at} ${text}`]));
  if (stderr !== "") unexpected.push(stderr);
  return { unexpected, missed: marked.filter((at) => !found.has(at)) };
}
