import type { ImportReference } from "../import-reference.ts";
import type { ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutHashComments } from "../lexis/index.ts";

const statement =
  /^(alias|import|require|use)\b\s*\(?\s*((?:__MODULE__|\p{Lu}[\p{L}\p{N}_]*)(?:\.\p{Lu}[\p{L}\p{N}_]*)*)/u;

/** `alias A.B`, `alias A.{B, C}`, `import A, only: [f: 1]`, `require A`, `use A`. */
function readerOf(source: string): ImportReader {
  const own = /^\s*defmodule\s+([\p{L}\p{N}_.]+)/mu.exec(source)?.[1] ?? "";
  return ({ text }) => {
    if (!/^(?:alias|import|require|use)\b/.test(text)) return null;
    const written = withoutHashComments(text.slice(0, 4000));
    const found = statement.exec(written);
    if (found === null) return null;
    const module = (found[2] ?? "").replace(/^__MODULE__/, own);
    const rest = written.slice(found[0].length);
    const group = /^\.\{([^}]*)\}/.exec(rest)?.[1];
    if (group !== undefined) {
      const parts = group.split(",").map((part) => part.trim());
      return {
        imports: parts.flatMap((part) =>
          /^[\p{L}\p{N}_.]+$/u.test(part)
            ? [{ specifier: `${module}.${part}`, names: [], kind: "static" as const }]
            : [],
        ),
      };
    }
    return {
      imports: [{ specifier: module, names: namesOf(found[1] ?? "", rest), kind: "static" }],
    };
  };
}

function namesOf(word: string, rest: string): readonly string[] {
  if (word !== "import") return word === "use" ? ["*"] : [];
  const only = /\bonly:\s*\[([^\]]*)\]/.exec(rest)?.[1];
  if (only === undefined) return ["*"];
  return [...only.matchAll(/([\p{L}_][\p{L}\p{N}_]*[?!]?)\s*:/gu)].map((each) => each[1] ?? "");
}

/** Modules that are named in full where they are used: `A.B.f()`, `%A.B{}`. Each once. */
function namedInFull(source: string): readonly ImportReference[] {
  const found = new Map<string, ImportReference>();
  let line1 = 1;
  let counted = 0;
  for (const match of source.matchAll(
    /(?<![\p{L}\p{N}_.@:"])\p{Lu}[\p{L}\p{N}_]*(?:\.\p{Lu}[\p{L}\p{N}_]*)+(?=\.[\p{Ll}_]|\{)/gu,
  )) {
    const [specifier] = match;
    if (found.has(specifier)) continue;
    for (; counted < match.index; counted++) if (source.charCodeAt(counted) === 10) line1 += 1;
    found.set(specifier, { specifier, names: [], line1, kind: "static" });
  }
  return [...found.values()];
}

/** Elixir. */
export const elixirImports: ImportSyntax = {
  languages: ["elixir"],
  matchers: [{ kind: "call", when: /\b(?:alias|import|require|use)\b/ }],
  begin: readerOf,
  scan: namedInFull,
};
