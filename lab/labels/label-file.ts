import { languageNames } from "../../codetool/src/files/index.ts";

/** How many questions of each category a repository has, and the letter of their ids. */
export const categories = {
  behaviour: { letter: "b", count: 8 },
  architecture: { letter: "a", count: 4 },
  symbol: { letter: "s", count: 4 },
  message: { letter: "m", count: 4 },
} as const;

/** One of `categories`. */
export type LabelCategory = keyof typeof categories;

/** The most spans that an answer has. */
const answerCountMax = 3;

/** Lines that answer a question; 1-based, both included. */
export interface AnswerSpan {
  /** Relative to the top of the repository, with forward slashes. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** How a difference between two readers ended, for the label that was there. */
const settlements = ["kept", "widened", "corrected", "replaced"] as const;

/** What a second reader found, who looked for the answer without seeing it. */
export interface LabelCheck {
  /** By a number, another than the writer's. */
  readonly reader: string;
  /** Whether a span that the reader found shares a line with a span of the label as it was written. */
  readonly agreed: boolean;
  /** Only where they did not agree. */
  readonly settled?: (typeof settlements)[number];
}

/** A question and where it is answered. */
export interface LabelledQuestion {
  /** `owner+name/` and the category's letter with a number from 1. */
  readonly id: string;
  readonly category: LabelCategory;
  readonly text: string;
  readonly answers: readonly AnswerSpan[];
  /** Absent where nobody has checked it. */
  readonly check?: LabelCheck;
}

/** The questions over one repository. */
export interface LabelFile {
  /** Owner and name at GitHub. */
  readonly repository: string;
  /** The full id of the commit whose lines the answers name. */
  readonly commit: string;
  /** As codetool names it. */
  readonly language: string;
  /** The repository's licence by its SPDX name. */
  readonly licence: string;
  readonly writer: string;
  /** A date, `YYYY-MM-DD`. */
  readonly written: string;
  readonly questions: readonly LabelledQuestion[];
}

/** The name that a repository has as a file and as a folder of sources: `owner+name`. */
export function plusName({ repository }: Pick<LabelFile, "repository">): string {
  return repository.replace("/", "+");
}

/**
 * What is wrong with the form of a label file, one line each; empty when it is well formed.
 *
 * @param wanted The ids that its questions have; default those of `categories`.
 */
export function faultsOfForm(
  file: LabelFile,
  wanted: readonly string[] = wantedIds(plusName(file)),
): string[] {
  const faults: string[] = [];
  const { repository, commit, language, licence, writer, written, questions } = file;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    faults.push(`repository "${repository}" is not owner/name`);
  if (!/^[0-9a-f]{40}$/.test(commit)) faults.push(`commit "${commit}" is not a full id`);
  if (!languageNames.includes(language)) faults.push(`language "${language}" is unknown`);
  if (!/\S/.test(licence ?? "")) faults.push("licence is missing");
  if (!/\S/.test(writer ?? "")) faults.push("writer is missing");
  if (!/^\d{4}-\d\d-\d\d$/.test(written)) faults.push(`written "${written}" is not a date`);
  const ids = questions.map(({ id }) => id).join("\n");
  if (ids !== wanted.join("\n")) faults.push(`ids are not ${wanted[0]} to ${wanted.at(-1)}`);
  for (const question of questions)
    for (const fault of [...faultsOfQuestion(question), ...faultsOfCheck(question, writer)])
      faults.push(`${question.id}: ${fault}`);
  return faults;
}

function wantedIds(name: string): readonly string[] {
  return Object.values(categories).flatMap(({ letter, count }) =>
    Array.from({ length: count }, (_, index) => `${name}/${letter}${index + 1}`),
  );
}

function faultsOfQuestion({ id, category, text, answers }: LabelledQuestion): string[] {
  const faults: string[] = [];
  if (!(category in categories)) faults.push(`category "${category}" is unknown`);
  else if (!id.includes(`/${categories[category].letter}`))
    faults.push(`category "${category}" does not have this letter`);
  if (!/\S/.test(text ?? "")) faults.push("text is missing");
  if (answers.length === 0 || answers.length > answerCountMax)
    faults.push(`${answers.length} answers: 1 to ${answerCountMax} are wanted`);
  for (const { path, from, to } of answers) {
    if (path.startsWith("/") || path.split("/").includes(".."))
      faults.push(`path "${path}" is not relative to the top of the repository`);
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1 || to < from)
      faults.push(`${path}: lines ${from} to ${to} are not a range`);
  }
  return faults;
}

function faultsOfCheck({ check }: LabelledQuestion, writer: string): readonly string[] {
  if (check === undefined) return [];
  const { reader, agreed, settled } = check;
  const faults: string[] = [];
  if (!/\S/.test(reader ?? "")) faults.push("the reader of its check is missing");
  if (reader === writer) faults.push(`it was checked by its writer, ${writer}`);
  if (typeof agreed !== "boolean") faults.push("its check does not say whether the readers agreed");
  else if (agreed && settled !== undefined)
    faults.push("its check settles a difference, though the readers agreed");
  else if (!agreed && !settlements.some((one) => one === settled))
    faults.push(`its check is settled by none of ${settlements.join(", ")}`);
  return faults;
}

/** How many questions a second reader checked, and how many of these had one answer by both. */
export interface Agreement {
  readonly checked: number;
  readonly agreed: number;
}

/** The agreement of two readers over some questions. */
export function agreementOf(questions: readonly LabelledQuestion[]): Agreement {
  const checks = questions.flatMap(({ check }) => (check === undefined ? [] : [check]));
  return { checked: checks.length, agreed: checks.filter(({ agreed }) => agreed).length };
}

/** The questions that are asked more than once, in one repository or in several. */
export function faultsOfRepeats(files: readonly LabelFile[]): string[] {
  const firstId = new Map<string, string>();
  return files.flatMap(({ questions }) =>
    questions.flatMap(({ id, text }) => {
      const asked = text.toLowerCase().replace(/\W+/g, " ").trim();
      const first = firstId.get(asked);
      firstId.set(asked, first ?? id);
      return first === undefined ? [] : [`${id}: ${first} asks the same`];
    }),
  );
}

/**
 * Whether a repository may not be labelled: it, or one of the same name, is measured elsewhere or was trained on.
 *
 * @param excluded Repositories as `owner/name`.
 */
export function faultsOfOrigin(
  { repository }: LabelFile,
  excluded: readonly string[],
): readonly string[] {
  const nameOf = (whole: string): string => whole.slice(whole.indexOf("/") + 1).toLowerCase();
  const found = excluded.find((one) => nameOf(one) === nameOf(repository));
  return found === undefined ? [] : [`${repository} is excluded as ${found}, or may be its copy`];
}
