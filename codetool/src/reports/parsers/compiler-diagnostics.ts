import {
  findJson,
  isList,
  isObject,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { type Finding, placeOf } from "../report.ts";

/** What compilers and linkers said of C, C++ and their kin. */
export interface Diagnostics {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface Said {
  readonly severity: "error" | "warning";
  readonly name: string;
  readonly location: string | null;
  readonly lines: string[];
}

/** Reads the diagnostics of gcc, clang, their linkers and what is like them; a note belongs to what is before it. */
export function readDiagnostics(lines: readonly string[]): Diagnostics {
  const said: Said[] = [];
  // A warning in a header is repeated, in the same words, for each file that includes it.
  const seen = new Set<string>();
  let isRepeated = false;
  // Where a template's error comes from is before it.
  let origin = "";
  for (const line of lines) {
    const required = /^(\S.*?:\d+(?::\d+)?): {3}required from here$/.exec(line)?.[1];
    if (required !== undefined) origin = `\nrequired from here: ${required}`;
    for (const found of gccJson(line)) said.push(found);
    const note = /^(\S.*?):(\d+)(?::(\d+))?: note: (.+)$/.exec(line);
    const found = note === null ? (compilerLine(line) ?? linkerLine(line)) : undefined;
    if (found !== undefined) {
      const key = `${found.location ?? ""} ${found.name} ${found.lines[0] ?? ""}`;
      isRepeated = seen.has(key) && found.severity === "warning";
      seen.add(key);
      if (!isRepeated) said.push({ ...found, lines: [`${found.lines.join("\n")}${origin}`] });
      origin = "";
    } else if (/^ {2}(?:symbol|location|required|found|reason): /.test(line)) {
      // javac's, under the excerpt.
      if (!isRepeated) said.at(-1)?.lines.push(line.trim());
    } else if (note !== null && !isRepeated) {
      const [, file = "", at, column, text = ""] = note;
      said.at(-1)?.lines.push(`note: ${text} (${placeOf(file, at, column)})`);
    }
  }
  const isExplained = said.some(({ severity, name }) => severity === "error" && name !== "collect");
  const shown = said.filter(({ name }) => name !== "collect" || !isExplained);
  const of = (wanted: Said["severity"]): Finding[] =>
    shown
      .filter(({ severity }) => severity === wanted)
      .map(({ name, location, lines: text }) => ({
        name: name === "collect" ? "linker" : name,
        location,
        message: text.join("\n"),
      }));
  return { errors: of("error"), warnings: of("warning") };
}

/** `file:line:column: error: text [-Wflag]`, also without a column. */
function compilerLine(line: string): Said | undefined {
  const match =
    /^(\S.*?):(\d+)(?::(\d+))?: (?:(fatal error|error|warning)|(internal compiler error)): (.+)$/.exec(
      line,
    );
  if (match === null) return programLine(line);
  const [, file = "", at, column, level, crash, text = ""] = match;
  const isWarning = level === "warning";
  const flag = /^(.*?) \[(-W[^\]]+)\]$/.exec(text);
  return {
    severity: isWarning ? "warning" : "error",
    name: flag?.[2] ?? level ?? crash ?? "error",
    location: placeOf(file, at, column),
    lines: [flag?.[1] ?? text],
  };
}

/** What a compiler says of no place: `gcc: fatal error: no input files`, `cc1: error: …`. */
function programLine(line: string): Said | undefined {
  const match =
    /^((?:\S*[-/])?(?:gcc|g\+\+|cc|c\+\+|cc1|cc1plus|clang(?:\+\+)?|lto1|as|gfortran)(?:-\d+)?): (?:(fatal error|error|warning)|(internal compiler error)): (.+)$/.exec(
      line,
    );
  if (match === null) return undefined;
  const [, , level, crash, text = ""] = match;
  const name = level ?? crash ?? "error";
  const isCollect = text.startsWith("linker command failed");
  return {
    severity: level === "warning" ? "warning" : "error",
    name: isCollect ? "collect" : name,
    location: null,
    lines: [text],
  };
}

/** `-fdiagnostics-format=json` of gcc: a list on one line. */
function gccJson(line: string): Said[] {
  if (!line.startsWith("[{")) return [];
  return objectsOf(findJson(line, isList)).flatMap((each): Said[] => {
    const kind = textOf(each["kind"]);
    if (kind === "" || kind === "note") return [];
    const notes = objectsOf(each["children"]).map(
      (child) => `note: ${textOf(child["message"])} (${jsonPlace(child) ?? "?"})`,
    );
    return [
      {
        severity: kind === "warning" ? "warning" : "error",
        name: textOf(each["option"]) || kind,
        location: jsonPlace(each),
        lines: [textOf(each["message"]), ...notes],
      },
    ];
  });
}

function jsonPlace(diagnostic: JsonObject): string | null {
  const caret = objectsOf(diagnostic["locations"])[0]?.["caret"];
  if (!isObject(caret)) return null;
  return placeOf(
    textOf(caret["file"]),
    numberOf(caret["line"]) || null,
    numberOf(caret["column"]) || null,
  );
}

/** GNU's linkers, gold, lld and Apple's. */
function linkerLine(line: string): Said | undefined {
  if (/^collect2: (?:fatal )?error: /.test(line))
    return { severity: "error", name: "collect", location: null, lines: [line] };
  const undefinedName =
    /^(?:\S*ld(?:\.\w+)?: )?(?:(\S.*?):(?:(\d+)|\([^)]*\)): )?(undefined reference to .+|multiple definition of .+)$/.exec(
      line,
    );
  if (undefinedName !== null) {
    const [, file, at, text = ""] = undefinedName;
    const location = file === undefined ? null : placeOf(file, at);
    return { severity: "error", name: "linker", location, lines: [text] };
  }
  const own = /^\S*ld(?:64|-\w+|\.\w+)?: (?:(fatal error|error|warning): )?(.+)$/.exec(line);
  const isFailure =
    own !== null &&
    (own[1] !== undefined || /cannot (?:find|open)|symbol\(s\) not found/.test(own[2] ?? ""));
  if (!isFailure) return undefined;
  return {
    severity: own[1] === "warning" ? "warning" : "error",
    name: "linker",
    location: null,
    lines: [own[2] ?? ""],
  };
}
