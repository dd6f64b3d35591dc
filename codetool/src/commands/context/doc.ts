import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ContextFile } from "./files.ts";
import { displayPath, type Target } from "../paths.ts";
import type { ProjectCorpus } from "../project/index.ts";
import { readTextBytes } from "../../files/index.ts";
import { decodeText } from "../../text/index.ts";

/** What is written about a folder or a file. */
export interface ContextDoc {
  /** The file it is in. */
  readonly source: string;
  readonly text: string;
}

/** READMEs are read up to this size. */
const readmeSizeBytesMax = 1024 * 1024;
/** Files that speak for their folder, best first. */
const packageFile =
  /^(?:index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|__init__\.py|doc\.go|package-info\.java|main\.\w+)$/;

/** Finds the README of a folder, else the first comment of the file that speaks for it; of a file its first comment. */
export function contextDocOf(
  target: Target,
  project: ProjectCorpus,
  options: {
    readonly files: readonly ContextFile[];
    readonly readText: (file: number) => string | undefined;
  },
): ContextDoc | undefined {
  const { files, readText } = options;
  if (target.isDirectory) {
    const readme = readmeOf(target);
    if (readme !== undefined) return readme;
  }
  const speakers = files
    .filter(({ path }) => !target.isDirectory || packageFile.test(path))
    .slice(0, 5);
  for (const { file } of speakers) {
    const text = leadingDoc(readText(file) ?? "", project.corpus.file(file).language);
    if (text !== "") return { source: project.shownPathOf(file), text };
  }
  return undefined;
}

function readmeOf(target: Target): ContextDoc | undefined {
  let names: string[];
  try {
    names = readdirSync(target.absolutePath);
  } catch {
    // A folder that cannot be listed has no README to show.
    return undefined;
  }
  const readmes = names
    .filter((name) => /^readme(?:\.(?:md|markdown|rst|txt|adoc|org))?$/i.test(name))
    .sort();
  const name = readmes.find((each) => /\.(?:md|markdown)$/i.test(each)) ?? readmes[0];
  if (name === undefined) return undefined;
  const absolutePath = join(target.absolutePath, name);
  const bytes = readTextBytes(absolutePath, { sizeBytesMax: readmeSizeBytesMax });
  if (bytes === undefined) return undefined;
  const text = decodeText(bytes)
    .text.replace(/\r\n/g, "\n")
    .replace(decoration, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return text === "" ? undefined : { source: displayPath(target, absolutePath), text };
}

/** Lines of badges, pictures and bare markup, which tell the reader of a text nothing. */
const decoration =
  /^[ \t]*(?:\[?!\[[^\n]*|<\/?(?:p|a|div|img|br|h1|picture|source|center|table|tr|td)\b[^\n]*>)[ \t]*$\n?/gim;

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
