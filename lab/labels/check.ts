/**
 * Checks the label files of this folder, or only those that are named, and prints per repository how many questions of
 * each category it has; exits 1 when something is wrong.
 *
 *     node lab/labels/check.ts [<file>…] [--sources=<folder>] [--exclude=<file>]… [--card]
 *
 * `--sources` names a folder that holds the repositories at their commits as `<owner>+<name>`: then the paths and lines
 * of the answers are looked up, and the middle share of content words that behaviour questions have in common with their
 * answers is printed and held to its limit. `--exclude` names a list of further repositories, one a line, that may not
 * be labelled. `--card` writes the tables into the README: the repositories, and how far two readers agree.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import {
  agreementOf,
  categories,
  faultsOfForm,
  faultsOfOrigin,
  faultsOfRepeats,
  type LabelFile,
  plusName,
} from "./label-file.ts";
import { readLabelFiles } from "./read-labels.ts";
import { behaviourShareMax, faultsOfSpans, linesBelow, medianOf, shareOfWords } from "./sources.ts";

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sources: { type: "string" },
    exclude: { type: "string", multiple: true, default: [] },
    card: { type: "boolean", default: false },
  },
});

function readList(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n").filter(Boolean);
}

/** Repositories that are measured elsewhere, that were trained on, or that the command line names. */
function readExcluded(): readonly string[] {
  const training = join(here, "../training");
  const trained = JSON.parse(readFileSync(join(training, "repositories.json"), "utf8")) as {
    name: string;
  }[];
  return [
    ...readList(join(training, "excluded.txt")),
    ...trained.map(({ name }) => name),
    ...values.exclude.flatMap(readList),
  ];
}

function behaviourShares(file: LabelFile, sources: string): readonly number[] {
  return file.questions
    .filter(({ category }) => category === "behaviour")
    .map((question) => shareOfWords(question, linesBelow(sources, file)));
}

function faultsOfSources(file: LabelFile, sources: string): readonly string[] {
  const faults = faultsOfSpans(file, linesBelow(sources, file));
  const median = medianOf(behaviourShares(file, sources));
  return median > behaviourShareMax
    ? [...faults, `behaviour questions share ${median.toFixed(2)} of their words with the answers`]
    : faults;
}

function tableOf(files: readonly LabelFile[]): string {
  const names = Object.keys(categories);
  const rows = files.map((file) => {
    const counts = names.map(
      (name) => file.questions.filter(({ category }) => category === name).length,
    );
    const share =
      values.sources === undefined
        ? []
        : [medianOf(behaviourShares(file, values.sources)).toFixed(2)];
    const commit = file.commit.slice(0, 12);
    const { checked } = agreementOf(file.questions);
    const first = [file.repository, file.language, file.licence, commit, file.writer];
    return [...first, ...counts, checked, ...share];
  });
  const head = ["repository", "language", "licence", "commit", "writer", ...names, "checked"];
  if (values.sources !== undefined) head.push("shared words");
  return linesOf([head, ...rows]);
}

/** How far the second reader found what the writer found, by category. */
function tableOfAgreement(files: readonly LabelFile[]): string {
  const questions = files.flatMap((file) => file.questions);
  const rows = Object.keys(categories).map((name) => {
    const asked = questions.filter(({ category }) => category === name);
    return [name, asked.length, ...Object.values(agreementOf(asked))];
  });
  const whole = ["all", questions.length, ...Object.values(agreementOf(questions))];
  return linesOf([["category", "questions", "checked", "agreed"], ...rows, whole]);
}

/** A table whose first row is its head. */
function linesOf([head = [], ...rows]: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function writeCard(tables: string): void {
  const path = join(here, "README.md");
  const text = readFileSync(path, "utf8");
  const marked = /(<!-- check\.ts --card -->\n)[^]*?(<!-- end -->)/;
  writeFileSync(
    path,
    text.replace(marked, (_, head: string, end: string) => `${head}${tables}\n${end}`),
  );
}

const all = readLabelFiles(here);
const asked = new Set(positionals.map((path) => basename(path)));
const checked = asked.size === 0 ? all : all.filter(({ name }) => asked.has(name));
const excluded = readExcluded();
const faults = [
  ...[...asked]
    .filter((name) => !all.some((one) => one.name === name))
    .map((name) => `${name}: it is not there`),
  ...checked.flatMap(({ name, file }) =>
    [
      ...(name === `${plusName(file)}.json` ? [] : [`its name is not ${plusName(file)}.json`]),
      ...faultsOfForm(file),
      ...faultsOfOrigin(file, excluded),
      ...(values.sources === undefined ? [] : faultsOfSources(file, values.sources)),
    ].map((fault) => `${name}: ${fault}`),
  ),
  ...faultsOfRepeats(all.map(({ file }) => file)),
];
const files = checked.map(({ file }) => file);
const tables = `${tableOf(files)}\n\n${tableOfAgreement(files)}`;
console.log(tables);
const total = files.reduce((sum, { questions }) => sum + questions.length, 0);
console.log(`${files.length} repositories, ${total} questions`);
if (values.sources !== undefined && files.length > 0) {
  const { sources } = values;
  const median = medianOf(files.flatMap((file) => behaviourShares(file, sources)));
  console.log(`behaviour questions share ${median.toFixed(2)} of their words with the answers`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else if (values.card) writeCard(tables);
