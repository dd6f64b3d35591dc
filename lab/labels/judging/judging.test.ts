import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { categories, type LabelCategory } from "../label-file.ts";
import { causeOf, type JudgedPlace } from "./causes.ts";
import { drawTables } from "./draw.ts";
import { faultOfLook } from "./looks.ts";
import { isShown, scoreAnswer } from "./score-answer.ts";
import { difference, estimate, type JudgedAnswer } from "./summarise.ts";

const span = { path: "a.ts", from: 10, to: 14 };
const place = (path: string, line: number, snippetEnd = line): JudgedPlace => ({
  path,
  line,
  snippetEnd,
  match: "",
  contextType: null,
  contextName: null,
});

test("isShown() counts the lines from the one that is pointed at to the end of the snippet, 20 at most", () => {
  assert.equal(isShown(span, place("a.ts", 12)), true);
  assert.equal(isShown(span, place("a.ts", 3, 10)), true);
  assert.equal(isShown(span, place("a.ts", 3, 9)), false);
  assert.equal(isShown(span, place("a.ts", 15, 30)), false);
  assert.equal(isShown({ ...span, from: 22, to: 40 }, place("a.ts", 3, 90)), true);
  assert.equal(isShown({ ...span, from: 23, to: 40 }, place("a.ts", 3, 90)), false);
  assert.equal(isShown(span, place("b.ts", 12)), false);
});

test("scoreAnswer() counts each file and each span once, at its first place", () => {
  const answers = [span, { path: "b.ts", from: 1, to: 2 }];
  const wrongPlace = scoreAnswer(answers, [place("a.ts", 30), place("a.ts", 10), place("c.ts", 1)]);
  const ideal = 1 + 1 / Math.log2(3);
  assert.equal(wrongPlace.file, 1 / ideal);
  assert.equal(wrongPlace.span, 1 / Math.log2(3) / ideal);
  assert.equal(wrongPlace.reciprocalRank, 0.5);
  assert.equal(wrongPlace.placeInFile, 0);
  const whole = scoreAnswer(answers, [place("a.ts", 10), place("b.ts", 2)]);
  assert.deepEqual(whole, { file: 1, span: 1, reciprocalRank: 1, placeInFile: 1 });
  const nothing = scoreAnswer(answers, [place("c.ts", 1)]);
  assert.deepEqual(nothing, { file: 0, span: 0, reciprocalRank: 0, placeInFile: null });
  const eleventh = [
    ...Array.from({ length: 10 }, (_, at) => place(`x${at}.ts`, 1)),
    place("a.ts", 10),
  ];
  assert.deepEqual(scoreAnswer(answers, eleventh), nothing);
});

test("causeOf() tells the file that is missing from the place that is wrong", () => {
  const header = {
    ...place("a.ts", 2, 6),
    match: "class Door {",
    contextType: "class",
    contextName: "Door",
  };
  const rows: readonly (readonly [readonly JudgedPlace[], string])[] = [
    [[place("c.ts", 1)], "right file not among ten"],
    [[header], "right file, header of the class around it"],
    [[place("a.ts", 40)], "right file, other place below the answer"],
    [[place("a.ts", 2)], "right file, other place above the answer"],
    [
      [place("test/a.test.ts", 1), place("a.ts", 10)],
      "right place behind tests, docs, entries or copies",
    ],
    [
      [place("src/index.ts", 1), place("a.ts", 10)],
      "right place behind tests, docs, entries or copies",
    ],
    [[place("src/door.ts", 1), place("a.ts", 10)], "right place behind other code"],
    [[place("a.ts", 10)], "nothing lost"],
  ];
  for (const [places, cause] of rows) assert.equal(causeOf([span], places), cause);
  const two = [span, { path: "b.ts", from: 1, to: 2 }];
  assert.equal(causeOf(two, [place("a.ts", 10)]), "one place of several found");
});

test("faultOfLook() lets a look at the kept part be taken once it is the last row of the log, ten at most", () => {
  const log = (...rows: readonly string[]): string =>
    ["# Looks", "| look | date | what | decided |", "|---|---|---|---|", ...rows, ""].join("\n");
  const row = (number: number): string => `| ${number} | 2026-11-28 | places | |`;
  assert.equal(faultOfLook(log(row(1)), 1), undefined);
  assert.match(faultOfLook(log(), 1) ?? "", /has no look: write the row of look 1/);
  assert.match(faultOfLook(log(row(1), row(2)), 1) ?? "", /has 2 as its last look/);
  assert.match(faultOfLook(log(row(1)), 2) ?? "", /write the row of look 2/);
  assert.match(faultOfLook(log("| 1 | soon | places | |"), 1) ?? "", /lacks its date/);
  assert.match(faultOfLook(log("| 1 | 2026-11-28 | | |"), 1) ?? "", /lacks its date/);
  assert.match(faultOfLook(log(row(11)), 11) ?? "", /10 looks at most/);
});

const answerOf = (repository: string, file: number, placeInFile: 0 | 1 | null): JudgedAnswer => ({
  repository,
  language: "go",
  category: "behaviour",
  score: { file, span: 0, reciprocalRank: 0, placeInFile },
  inRightFile: { first: 1, third: 1 },
  tokens: 100,
});

test("estimate() counts repositories the same, and leaves out those that have nothing to measure", () => {
  const answers = [answerOf("a", 1, 1), answerOf("a", 0, null), answerOf("b", 1, null)];
  assert.equal(estimate(answers, "file NDCG@10").mean, 0.75);
  assert.equal(estimate(answers, "place, file found").mean, 1);
  const better = [answerOf("a", 1, 1), answerOf("b", 1, 1), answerOf("c", 1, 1)];
  assert.equal(difference([answers, better], "file NDCG@10").mean, 0.25);
});

test("drawTables() draws each category, what differs, languages and causes", () => {
  const answers = [{ ...answerOf("a", 0.5, 0), cause: "right file not among ten" as const }];
  const drawn = drawTables([
    { name: "{}", answers },
    { name: "other", answers },
  ]);
  assert.match(drawn, /\| behaviour \(1\) \|[^]*\| \{\} \| \.500 \(\.500 to \.500\)/);
  assert.match(drawn, /\| other − \{\}: file NDCG@10 \| \.000/);
  assert.match(drawn, /\| go \| 0\.500 \/ 0\.000 \| 0\.500 \/ 0\.000 \|/);
  assert.match(drawn, /\| right file not among ten \| 1 \(1\.0\) \| 0 \(0\.0\) \|/);
});

const judgePath = fileURLToPath(new URL("../judge.ts", import.meta.url));

function judge(...flags: readonly string[]): {
  readonly status: number | null;
  readonly text: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [judgePath, ...flags], {
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

test("judge.ts asks codetool the questions of the part to fit on, and the kept part only after its look", () => {
  const questions = (Object.keys(categories) as LabelCategory[]).map((category) => ({
    id: `some+door/${categories[category].letter}1`,
    category,
    text: category === "symbol" ? "openDoor" : "where is the door being opened",
    answers: [{ path: "door.ts", from: 1, to: 3 }],
  }));
  const label = (repository: string): string =>
    JSON.stringify({ repository, language: "typescript", questions });
  using folder = createTemporaryFolder({
    "labels/some+door.json": label("some/door"),
    "labels/kept+door.json": label("kept/door"),
    "labels/split.json": JSON.stringify({ fit: ["some/door"], kept: ["kept/door"] }),
    "labels/looks.md": "| look | date | what | decided |\n",
    "sources/some+door/door.ts": "export function openDoor(): void {\n  swing();\n}\n",
    "sources/some+door/other.ts": "export const lamp = 1;\n",
  });
  const common = [`--questions=${folder.path}/labels`, `--sources=${folder.path}/sources`];
  const { status, text } = judge(...common, "--variant={}");
  assert.equal(status, 0, text);
  assert.match(text, /^some\/door$/m);
  assert.match(text, /\| \{\} \| 1\.000 \(1\.000 to 1\.000\) \| 1\.000/);
  assert.equal(text.includes("kept/door"), false);
  const refused = judge(...common, "--kept", "--look=1");
  assert.equal(refused.status, 2);
  assert.match(refused.text, /looks\.md has no look: write the row of look 1 before it is taken/);
  const foreign = judge(...common, "--repository=kept/door");
  assert.match(foreign.text, /kept\/door is not in the fit part/);
  const nowhere = judge(`--questions=${folder.path}/labels`, `--sources=${folder.path}`);
  assert.match(nowhere.text, /some\+door is not there: see lab\/labels\/README\.md/);
});
