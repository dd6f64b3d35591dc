/**
 * Compares outlines with the tags of universal-ctags (Debian: `apt install universal-ctags`) on files of real trees:
 * `node lab/oracles/ctags.ts [--files N] [--only <label,…>] [--list] <dir…>`.
 *
 * N files (default 2000) are drawn by a hash of their paths, the same number of each language as far as there are
 * such. A tag and a symbol agree when their names are the same and the tag's line lies in the symbol's lines. Prints
 * the figures of each language, and with `--list` every disagreement. `docs/reference/ctags.md` says on which trees the
 * figures of `ctags/measured.json` were measured and what the disagreements are; exits 1 when recall or precision of a
 * language is more than two points below them.
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { walkFiles } from "../../codetool/src/files/index.ts";
import { compareFile, type Comparison, type Disagreement } from "./ctags/compare.ts";
import { type ComparedLanguage, comparedLanguages } from "./ctags/languages.ts";
import measured from "./ctags/measured.json" with { type: "json" };
import { readTags } from "./ctags/tags.ts";

const fileSizeBytesMax = 1_000_000;
const slackPercent = 2;

/** Files of each compared language, in the order of their paths' hashes. */
function drawFiles(
  roots: readonly string[],
  only: readonly string[],
): Map<ComparedLanguage, string[]> {
  const hashed = new Map<ComparedLanguage, { readonly path: string; readonly hash: string }[]>();
  for (const root of roots) {
    const walked = walkFiles({ root, environment: {}, sizeBytesMax: fileSizeBytesMax });
    for (const { absolutePath, relativePath, language } of walked.files) {
      const compared = comparedLanguages.find(
        (each) => each.language === language && each.files?.test(relativePath) !== false,
      );
      if (compared === undefined || (only.length > 0 && !only.includes(compared.label))) continue;
      const hash = createHash("md5").update(relativePath).digest("hex");
      const list = hashed.get(compared) ?? [];
      if (list.length === 0) hashed.set(compared, list);
      list.push({ path: absolutePath, hash });
    }
  }
  return new Map(
    [...hashed].map(([compared, files]) => [
      compared,
      files.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ path }) => path),
    ]),
  );
}

/** Takes the same number of each language, and more of those that have more, until there are `count`. */
function share(
  drawn: Map<ComparedLanguage, string[]>,
  count: number,
): Map<ComparedLanguage, string[]> {
  let left = count;
  const smallestFirst = [...drawn].toSorted(([, a], [, b]) => a.length - b.length);
  const shared = smallestFirst.map(([compared, files], index): [ComparedLanguage, string[]] => {
    const taken = files.slice(0, Math.ceil(left / (smallestFirst.length - index)));
    left -= taken.length;
    return [compared, taken];
  });
  return new Map(shared);
}

interface Figures {
  readonly label: string;
  files: number;
  agreed: number;
  tags: number;
  symbols: number;
  readonly disagreements: Disagreement[];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "   –  " : ((100 * part) / whole).toFixed(2).padStart(6);
}

function rowOf({ label, files, agreed, tags, symbols }: Figures): string {
  const cells = [
    label.padEnd(14),
    String(files).padStart(5),
    String(tags).padStart(6),
    String(symbols).padStart(7),
    percent(agreed, tags),
    percent(agreed, symbols),
  ];
  return `| ${cells.join(" | ")} |`;
}

function addTo(figures: Figures, comparison: Comparison): void {
  figures.files += 1;
  figures.agreed += comparison.agreedCount;
  figures.tags += comparison.tagCount;
  figures.symbols += comparison.symbolCount;
  figures.disagreements.push(...comparison.disagreements);
}

function isUnderFloor({ label, agreed, tags, symbols }: Figures): boolean {
  const floors = (measured as { readonly [label: string]: (typeof measured)["c"] | undefined })[
    label
  ];
  const isUnder = (whole: number, floor: number): boolean =>
    whole > 0 && (100 * agreed) / whole < floor - slackPercent;
  return (
    floors !== undefined && (isUnder(tags, floors.recall) || isUnder(symbols, floors.precision))
  );
}

function print(all: readonly Figures[]): void {
  console.log("| language | files | tags | symbols | recall | precision |");
  console.log("|---|---|---|---|---|---|");
  for (const each of all) console.log(rowOf(each));
}

function printDisagreements(all: readonly Figures[]): void {
  for (const { disagreements } of all)
    for (const { side, label, kind, name, file, line1, text } of disagreements)
      console.log(
        `${side} ${label} ${kind} ${name} ${file}:${line1}: ${text.trim().slice(0, 100)}`,
      );
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      files: { type: "string", default: "2000" },
      only: { type: "string", default: "" },
      list: { type: "boolean", default: false },
    },
  });
  if (positionals.length === 0) {
    console.error(
      "usage: node lab/oracles/ctags.ts [--files N] [--only <label,…>] [--list] <dir…>",
    );
    return 2;
  }
  const only = values.only === "" ? [] : values.only.split(",");
  const drawn = drawFiles(
    positionals.map((each) => resolve(each)),
    only,
  );
  const all: Figures[] = [];
  for (const [compared, files] of share(drawn, Number(values.files))) {
    const figures = {
      label: compared.label,
      files: 0,
      agreed: 0,
      tags: 0,
      symbols: 0,
      disagreements: [],
    };
    all.push(figures);
    const tags = readTags(compared, files);
    for (const file of files)
      addTo(figures, await compareFile(compared, file, tags.get(file) ?? []));
  }
  print(all);
  if (values.list) printDisagreements(all);
  return all.length > 0 && !all.some(isUnderFloor) ? 0 : 1;
}

process.exit(await main());
