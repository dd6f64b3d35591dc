import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agreementOf,
  categories,
  faultsOfForm,
  faultsOfOrigin,
  faultsOfRepeats,
  type LabelCategory,
  type LabelCheck,
  type LabelFile,
  type LabelledQuestion,
} from "./label-file.ts";
import { readLabelFiles } from "./read-labels.ts";
import { faultsOfSpans, medianOf, shareOfWords } from "./sources.ts";
import { splitRepositories } from "./split-repositories.ts";

const good: LabelFile = {
  repository: "some/thing",
  commit: "0123456789".repeat(4),
  language: "go",
  licence: "MIT",
  writer: "one",
  written: "2026-11-28",
  questions: (Object.keys(categories) as LabelCategory[]).flatMap((category) =>
    Array.from({ length: categories[category].count }, (_, index) => ({
      id: `some+thing/${categories[category].letter}${index + 1}`,
      category,
      text: `${category} ${index}`,
      answers: [{ path: "a.go", from: 1, to: 2 }],
    })),
  ),
};

function withFirst(change: Partial<LabelledQuestion>): LabelFile {
  const [first, ...rest] = good.questions as readonly [LabelledQuestion, ...LabelledQuestion[]];
  return { ...good, questions: [{ ...first, ...change }, ...rest] };
}

test("the committed label files are well formed and ask nothing twice", () => {
  const files = readLabelFiles(import.meta.dirname);
  for (const { name, file } of files) assert.deepEqual(faultsOfForm(file), [], name);
  assert.deepEqual(faultsOfRepeats(files.map(({ file }) => file)), []);
});

test("faultsOfForm() names what a file lacks", () => {
  assert.deepEqual(faultsOfForm(good), []);
  const rows: readonly (readonly [LabelFile, string])[] = [
    [{ ...good, commit: "abc" }, 'commit "abc" is not a full id'],
    [{ ...good, language: "cobol" }, 'language "cobol" is unknown'],
    [{ ...good, licence: "" }, "licence is missing"],
    [{ ...good, written: "today" }, 'written "today" is not a date'],
    [{ ...good, questions: good.questions.slice(1) }, "ids are not some+thing/b1 to some+thing/m4"],
    [withFirst({ category: "joke" as LabelCategory }), 'some+thing/b1: category "joke" is unknown'],
    [
      withFirst({ category: "symbol" }),
      'some+thing/b1: category "symbol" does not have this letter',
    ],
    [withFirst({ text: " " }), "some+thing/b1: text is missing"],
    [withFirst({ answers: [] }), "some+thing/b1: 0 answers: 1 to 3 are wanted"],
    [
      withFirst({ answers: [{ path: "../a", from: 1, to: 1 }] }),
      'some+thing/b1: path "../a" is not relative to the top of the repository',
    ],
    [
      withFirst({ answers: [{ path: "a", from: 3, to: 2 }] }),
      "some+thing/b1: a: lines 3 to 2 are not a range",
    ],
  ];
  for (const [file, fault] of rows) assert.deepEqual(faultsOfForm(file), [fault]);
});

test("faultsOfForm() takes a check by another reader, and one that settles what differed", () => {
  for (const check of [
    { reader: "two", agreed: true },
    { reader: "two", agreed: false, settled: "widened" },
  ] as const)
    assert.deepEqual(faultsOfForm(withFirst({ check })), []);
  const rows: readonly (readonly [object, string])[] = [
    [{ reader: "one", agreed: true }, "it was checked by its writer, one"],
    [{ agreed: true }, "the reader of its check is missing"],
    [{ reader: "two" }, "its check does not say whether the readers agreed"],
    [
      { reader: "two", agreed: true, settled: "kept" },
      "its check settles a difference, though the readers agreed",
    ],
    [
      { reader: "two", agreed: false },
      "its check is settled by none of kept, widened, corrected, replaced",
    ],
    [
      { reader: "two", agreed: false, settled: "dropped" },
      "its check is settled by none of kept, widened, corrected, replaced",
    ],
  ];
  for (const [check, fault] of rows)
    assert.deepEqual(faultsOfForm(withFirst({ check: check as LabelCheck })), [
      `some+thing/b1: ${fault}`,
    ]);
});

test("agreementOf() counts what was checked, and what both readers found", () => {
  const [first, second, third, ...rest] = good.questions;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const questions: readonly LabelledQuestion[] = [
    { ...first, check: { reader: "two", agreed: true } },
    { ...second, check: { reader: "two", agreed: true } },
    { ...third, check: { reader: "two", agreed: false, settled: "kept" } },
    ...rest,
  ];
  assert.deepEqual(agreementOf(questions), { checked: 3, agreed: 2 });
  assert.deepEqual(agreementOf(good.questions), { checked: 0, agreed: 0 });
});

test("faultsOfRepeats() finds a question again, whatever its case and marks", () => {
  const file = withFirst({ text: "Behaviour 1?" });
  assert.deepEqual(faultsOfRepeats([file]), ["some+thing/b2: some+thing/b1 asks the same"]);
  assert.deepEqual(faultsOfRepeats([good, { ...file, questions: [] }]), []);
});

test("faultsOfOrigin() refuses excluded repositories and others of the same name", () => {
  assert.deepEqual(faultsOfOrigin(good, ["other/things"]), []);
  assert.deepEqual(faultsOfOrigin(good, ["Other/Thing"]), [
    "some/thing is excluded as Other/Thing, or may be its copy",
  ]);
});

test("faultsOfSpans() looks files and lines up", () => {
  const lines = ["package a", "", "func Run() {}"];
  const faults = (from: number, to: number): readonly string[] =>
    faultsOfSpans(
      {
        ...good,
        questions: withFirst({ answers: [{ path: "a.go", from, to }] }).questions.slice(0, 1),
      },
      (path) => (path === "a.go" ? lines : undefined),
    );
  assert.deepEqual(faults(1, 3), []);
  assert.deepEqual(faults(2, 2), ["some+thing/b1: a.go:2-2 is blank"]);
  assert.deepEqual(faults(3, 4), ["some+thing/b1: a.go has 3 lines, not 4"]);
  assert.deepEqual(faultsOfSpans(withFirst({}), () => undefined).slice(0, 1), [
    "some+thing/b1: a.go is not there",
  ]);
});

test("shareOfWords() counts a question's content words that its answer has, by their stems", () => {
  const lines = ["// other", "func closeIdlePeers() { stop() }"];
  const share = (text: string): number =>
    shareOfWords(
      { id: "", category: "behaviour", text, answers: [{ path: "a", from: 2, to: 2 }] },
      () => lines,
    );
  assert.equal(share("how does it close an unused connection"), 1 / 3);
  assert.equal(share("what happens to peers that are idle"), 1);
  assert.equal(share("the other"), 0);
});

test("medianOf() takes the middle, or the mean of two", () => {
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 2, 3]), 2.5);
  assert.ok(Number.isNaN(medianOf([])));
});

test("splitRepositories() keeps a third, of each language its share, in whatever order the files come", () => {
  const files = ["go", "rust", "zig"].flatMap((language) =>
    Array.from({ length: 6 }, (_, index) => ({ repository: `x/${language}${index}`, language })),
  );
  const split = splitRepositories(files);
  assert.deepEqual(splitRepositories(files.toReversed()), split);
  assert.equal(split.fit.length, 12);
  for (const language of ["go", "rust", "zig"])
    assert.equal(split.kept.filter((name) => name.includes(language)).length, 2, language);
});

test("splitRepositories() leaves what an earlier split has where it is, and splits what came since", () => {
  const named = (name: string): { readonly repository: string; readonly language: string } => ({
    repository: name,
    language: "go",
  });
  const before = { fit: ["x/0", "x/1", "x/gone"], kept: ["x/2"] };
  const now = ["x/0", "x/1", "x/2", "y/0", "y/1", "y/2"].map(named);
  const { fit, kept } = splitRepositories(now, before);
  assert.deepEqual([fit.slice(0, 2), kept[0]], [["x/0", "x/1"], "x/2"]);
  assert.deepEqual([fit.length, kept.length], [4, 2]);
  assert.ok(![...fit, ...kept].includes("x/gone"));
});
