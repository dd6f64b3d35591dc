import type { ImportEffect, ImportReader, ImportSyntax } from "./syntax.ts";

/** `require "a"`, `require_relative "b"`, `load "c.rb"`, `autoload :D, "d"`. */
const read: ImportReader = ({ text }) => {
  const head = text.slice(0, 400);
  const method = /(?:^|\.\s*)(require_relative|require|load|autoload)\b/.exec(head);
  if (method === null) return null;
  return callEffect(method[1] ?? "", head.slice(method.index + method[0].length));
};

function callEffect(method: string, rest: string): ImportEffect | null {
  if (method === "autoload") {
    const found = /^[\s(]*:(\w+)\s*,\s*["']([^"'#\n]+)["']/.exec(rest);
    if (found === null) return null;
    return { imports: [{ specifier: found[2] ?? "", names: [found[1] ?? ""], kind: "dynamic" }] };
  }
  const kind = method === "load" ? "dynamic" : "static";
  const plain = /^[\s(]*["']([^"'#\n]+)["']\s*\)?\s*(?:$|,|;|\n|if\b|unless\b|rescue\b)/.exec(rest);
  if (plain !== null) {
    const path = plain[1] ?? "";
    const isRelative = method === "require_relative" && !path.startsWith(".");
    return { imports: [{ specifier: isRelative ? `./${path}` : path, names: [], kind }] };
  }
  const path = besideFile(rest);
  return path === null ? null : { imports: [{ specifier: path, names: [], kind }] };
}

/** Paths that are put together from the file's own place. */
function besideFile(argument: string): string | null {
  const toFile = /\bexpand_path\s*\(?\s*["']\.\.\/([^"'#\n]+)["']\s*,\s*__FILE__/.exec(argument);
  if (toFile !== null) return `./${toFile[1] ?? ""}`;
  const toFolder = /\bexpand_path\s*\(?\s*["']([^"'#\n]+)["']\s*,\s*(?:__dir__|File\.dirname)/.exec(
    argument,
  );
  if (toFolder !== null) return `./${toFolder[1] ?? ""}`;
  const joined =
    /(?:File\.dirname\s*\(?\s*__FILE__\s*\)?|__dir__)\s*(?:,|\+)\s*["']\/?([^"'#\n]+)["']/.exec(
      argument,
    );
  return joined === null ? null : `./${joined[1] ?? ""}`;
}

/** Ruby. */
export const rubyImports: ImportSyntax = {
  languages: ["ruby"],
  matchers: [
    {
      kind: "call",
      rule: { has: { field: "method", regex: "^(?:require|require_relative|load|autoload)$" } },
      when: /\b(?:require|require_relative|load|autoload)\b/,
    },
  ],
  begin: () => read,
  usedNames: "capital",
};
