/**
 * `npm run bench:search -- --labels --sources=<folder> [flags]`: asks codetool the labelled questions of this folder and
 * measures the places that its answers show, as an agent gets them, in Markdown.
 *
 *     node lab/labels/judge.ts --sources=<folder> [--repository=<owner/name>]… [--variant=<flags>]… [--json=<file>]
 *       [--questions=<folder>] [--launcher=<file>] [--no-index] [--kept --look=<number>]
 *
 * `<folder>` holds the repositories at their commits as `<owner>+<name>`; their indexes are made inside of them. Only the
 * part to fit on is asked; `--kept` asks the kept part, once its look is the last row of `looks.md`. A variant is flags of
 * `codetool search` as JSON, such as `{"ranker":"rrf"}`; by default: none, fused ranks, only words, only meaning.
 * `--launcher` is another codetool to ask, `--json` gets every answer, `--no-index` takes the indexes as they are.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askCodetool, type Asked, indexFolder } from "./judging/ask-codetool.ts";
import { causeOf } from "./judging/causes.ts";
import { drawTables, type JudgedWay } from "./judging/draw.ts";
import { faultOfLook } from "./judging/looks.ts";
import { isShown, scoreAnswer } from "./judging/score-answer.ts";
import { type LabelFile, type LabelledQuestion, plusName } from "./label-file.ts";
import { readLabelFiles } from "./read-labels.ts";

const defaultVariants = ["{}", '{"ranker":"rrf"}', '{"mode":"bm25"}', '{"mode":"semantic"}'];

const { values } = parseArgs({
  options: {
    sources: { type: "string" },
    questions: { type: "string", default: import.meta.dirname },
    repository: { type: "string", multiple: true, default: [] },
    variant: { type: "string", multiple: true, default: [] },
    launcher: {
      type: "string",
      default: fileURLToPath(new URL("../../codetool/bin/codetool.cjs", import.meta.url)),
    },
    json: { type: "string" },
    "no-index": { type: "boolean", default: false },
    kept: { type: "boolean", default: false },
    look: { type: "string" },
    labels: { type: "boolean", default: true },
  },
});

function refuse(fault: string): never {
  process.stderr.write(`${fault}\n`);
  process.exit(2);
}

/** The labels of the part that is asked, of which the sources are there. */
function chooseFiles(sources: string): readonly LabelFile[] {
  const part = values.kept ? "kept" : "fit";
  if (values.kept) {
    const fault = faultOfLook(
      readFileSync(join(values.questions, "looks.md"), "utf8"),
      Number(values.look ?? Number.NaN),
    );
    if (fault !== undefined) refuse(fault);
  }
  const split = JSON.parse(readFileSync(join(values.questions, "split.json"), "utf8")) as {
    readonly [part: string]: readonly string[];
  };
  const own = new Set(split[part]);
  const foreign = values.repository.find((name) => !own.has(name));
  if (foreign !== undefined) refuse(`${foreign} is not in the ${part} part of split.json`);
  const files = readLabelFiles(values.questions)
    .map(({ file }) => file)
    .filter(({ repository }) => own.has(repository))
    .filter(
      ({ repository }) => values.repository.length === 0 || values.repository.includes(repository),
    );
  const missing = files.find((file) => !existsSync(join(sources, plusName(file))));
  if (missing !== undefined)
    refuse(`${join(sources, plusName(missing))} is not there: see lab/labels/README.md`);
  return files;
}

/** Both searches for a question: in the whole repository, and in the file of its first answer. */
function searchesFor({ text, answers }: LabelledQuestion, flags: object): readonly Asked[] {
  const path = answers[0]?.path ?? "";
  return [
    { ...flags, query: text, top_k: 10 },
    { ...flags, query: text, top_k: 3, path: [path] },
  ];
}

async function judge(
  file: LabelFile,
  folder: string,
  variant: string,
): Promise<JudgedWay["answers"]> {
  const flags = JSON.parse(variant) as object;
  const searches = file.questions.flatMap((question) => searchesFor(question, flags));
  const answered = await askCodetool(resolve(values.launcher), folder, searches);
  return file.questions.map(({ id, text, category, answers }, index) => {
    const whole = answered[2 * index];
    const inFile = answered[2 * index + 1];
    if (whole === undefined || inFile === undefined) throw new Error(`${id} has no answer`);
    const isRight = inFile.places.map((place) => answers.some((span) => isShown(span, place)));
    return {
      id,
      text,
      repository: file.repository,
      language: file.language,
      category,
      score: scoreAnswer(answers, whole.places),
      inRightFile: { first: isRight[0] === true ? 1 : 0, third: isRight.includes(true) ? 1 : 0 },
      cause: causeOf(answers, whole.places),
      tokens: whole.tokens,
      places: whole.places.map(({ path, line }) => `${path}:${line}`),
    };
  });
}

if (values.sources === undefined)
  refuse(
    "Usage: npm run bench:search -- --labels --sources=<folder> [--repository=<owner/name>]… [--variant=<flags as JSON>]… [--json=<file>]",
  );
const sources = resolve(values.sources);
const chosen = chooseFiles(sources);
const variants = values.variant.length === 0 ? defaultVariants : values.variant;
const ways = variants.map((name) => ({ name, answers: [] as JudgedWay["answers"][number][] }));
for (const file of chosen) {
  const folder = join(sources, plusName(file));
  if (!values["no-index"]) indexFolder(resolve(values.launcher), folder);
  for (const way of ways) way.answers.push(...(await judge(file, folder, way.name)));
  process.stderr.write(`${file.repository}\n`);
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(ways));
process.stdout.write(`${chosen.length} repositories\n\n${drawTables(ways)}\n`);
