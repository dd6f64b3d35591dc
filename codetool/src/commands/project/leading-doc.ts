const licence = /\b(?:licen[cs]ed?|copyright|SPDX-)\b/i;

/** The comment or documentation string at the head of a text, without its marks; a licence does not count. */
export function leadingDoc(text: string, language: string | null): string {
  let rest = text
    .slice(0, 64 * 1024)
    .replace(/\r\n/g, "\n")
    .replace(/^\uFEFF?(?:#!.*\n)?/, "");
  for (let round = 0; round < 8; round += 1) {
    rest = rest.replace(/^(?:\s|['"]use strict['"];?)*/, "");
    const found =
      /^\/\*[^]*?\*\//.exec(rest) ??
      /^(?:[ \t]*\/\/[^\n]*\n?)+/.exec(rest) ??
      (language === "python" ? /^[rRuU]?("""|''')[^]*?\1/.exec(rest) : null) ??
      (hasHashComments(language) ? /^(?:[ \t]*#(?!\[)[^\n]*\n?)+/.exec(rest) : null) ??
      (language === "elixir" ? /^defmodule[^\n]*\n\s*@moduledoc\s+"""[^]*?"""/.exec(rest) : null) ??
      (/^(?:lua|haskell|sql|elm)$/.test(language ?? "")
        ? /^(?:[ \t]*--[^\n]*\n?)+|^\{-[^]*?-\}/.exec(rest)
        : null);
    if (found === null) return "";
    const words = withoutMarks(found[0]);
    if (words !== "" && !licence.test(words)) return words;
    rest = rest.slice(found[0].length);
  }
  return "";
}

function hasHashComments(language: string | null): boolean {
  return /^(?:python|ruby|bash|perl|r|julia|elixir|toml|yaml|dockerfile|makefile|hcl|cmake|nix)$/.test(
    language ?? "",
  );
}

function withoutMarks(comment: string): string {
  return comment
    .replace(/^defmodule[^\n]*\n\s*@moduledoc\s+/, "")
    .replace(/^[rRuU]?(?:"""|''')|(?:"""|''')$/g, "")
    .replace(/^\/\*+!?|\s*\*+\/$/g, "")
    .replace(/^\{-|-\}$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/[/!]?|\*(?!\*)|#+(?=\s|$)|--)? ?/, "").trimEnd())
    .join("\n")
    .trim();
}
