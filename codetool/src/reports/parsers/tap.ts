import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, placeOf, type Report } from "../report.ts";

interface TapPoint {
  readonly depth: number;
  readonly isOk: boolean;
  readonly isSkipped: boolean;
  readonly name: string;
  readonly diagnosis: string[];
  /** Titles of the tests around it, as far as they were announced. */
  readonly path: readonly string[];
  hasFailedChild: boolean;
}

/** Lines of the Test Anything Protocol; `undefined` for a text that is none. */
export function parseTap(text: string): Report | undefined {
  const lines = text.split("\n");
  if (!lines.some((line) => /^TAP version \d+$/.test(line))) return undefined;
  const points = pointsOf(lines);
  const total = (word: string): number | undefined => {
    const count = new RegExp(`^# ${word} (\\d+)$`, "m").exec(text)?.[1];
    return count === undefined ? undefined : Number(count);
  };
  // Without totals the outermost points are the tests.
  const outer = points.filter(({ depth }) => depth === 0);
  const passed = total("pass") ?? outer.filter(({ isOk, isSkipped }) => isOk && !isSkipped).length;
  const failed =
    (total("fail") ?? outer.filter(({ isOk, isSkipped }) => !isOk && !isSkipped).length) +
    (total("cancelled") ?? 0);
  const skipped =
    total("skipped") === undefined
      ? outer.filter(({ isSkipped }) => isSkipped).length
      : (total("skipped") ?? 0) + (total("todo") ?? 0);
  const counts = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  return makeReport({
    summary: counts === "" ? "no tests ran" : counts,
    passed,
    failed,
    skipped,
    failures: points
      .filter((point) => !point.isOk && !point.isSkipped && !point.hasFailedChild)
      .map(findingOf),
  });
}

function pointsOf(lines: readonly string[]): TapPoint[] {
  const points: TapPoint[] = [];
  const path: string[] = [];
  let diagnosis: string[] | undefined;
  for (const line of lines) {
    const depth = Math.floor((/^ */.exec(line)?.[0].length ?? 0) / 4);
    const point = /^ *(not ok|ok)\b ?\d* ?(?:- )?(.*?)(?: # (SKIP|TODO|skip|todo)\b.*)?$/.exec(
      line,
    );
    const announced = /^ *# Subtest: (.+)$/.exec(line)?.[1];
    if (/^ *---$/.test(line)) diagnosis = points.at(-1)?.diagnosis;
    else if (/^ *\.\.\.$/.test(line)) diagnosis = undefined;
    else if (diagnosis !== undefined) diagnosis.push(line.replace(/^ {2}/, ""));
    else if (announced !== undefined) path.splice(depth, path.length, announced);
    else if (point !== null) {
      const [, word, name = "", mark] = point;
      const isOk = word === "ok";
      const children = points.slice(points.findLastIndex((each) => each.depth <= depth) + 1);
      points.push({
        depth,
        isOk,
        isSkipped: mark !== undefined,
        name,
        diagnosis: [],
        path: path.slice(0, depth),
        hasFailedChild: children.some((child) => !child.isOk && !child.isSkipped),
      });
    }
  }
  return points;
}

function findingOf({ name, path, diagnosis, depth }: TapPoint): Finding {
  const lines = diagnosis.map((line) =>
    line.slice(Math.min(depth * 4, /^ */.exec(line)?.[0].length ?? 0)),
  );
  const text = trimLines(lines);
  const quoted = /^location: '(.+)'$/m.exec(text)?.[1];
  const message = isOfNode.test(text) ? messageOfNode(text) : text;
  const at = /"at":\{"file":"([^"]+)","line":(\d+)/.exec(text);
  const place = quoted ?? (at === null ? null : placeOf(at[1] ?? "", at[2]));
  return {
    name: [...path, name].join(" › "),
    location: place,
    message: message === "" ? name : message,
  };
}

/** What only `node --test` writes into a diagnosis. */
const isOfNode = /^(?:duration_ms|failureType): /m;
/** Keys that say nothing about the failure, or what the finding says already. */
const noise: ReadonlySet<string> = new Set([
  "duration_ms",
  "location",
  "failureType",
  "type",
  "name",
]);

/** The diagnosis of `node --test`: the error first, without its key, then the keys that say something. */
function messageOfNode(text: string): string {
  const parts: { readonly key: string; readonly lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const [, key, value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (key !== undefined) parts.push({ key, lines: [value] });
    else parts.at(-1)?.lines.push(line);
  }
  const textOfPart = ({ lines: [head = "", ...rest] }: (typeof parts)[number]): string =>
    /^[|>]-?$/.test(head)
      ? trimLines(rest.map((line) => line.replace(/^ {2}/, "")))
      : trimLines([head.replace(/^'(.*)'$/, "$1"), ...rest]);
  const shown = parts.filter(({ key, lines }) => !noise.has(key) && lines.join("") !== "~");
  const errors = shown.filter(({ key }) => key === "error").map(textOfPart);
  const others = shown
    .filter(({ key }) => key !== "error")
    .map((part) => {
      const text = textOfPart(part);
      const value = part.key === "stack" ? ownFrames(text) : text;
      return `${part.key}:${value.includes("\n") ? "\n" : " "}${value}`;
    });
  return trimLines([...errors, ...others].join("\n").split("\n"));
}

/** The frames of a stack that are not Node's and no library's; all where there are no others. */
function ownFrames(stack: string): string {
  const lines = stack.split("\n");
  const own = lines.filter((line) => !/\bnode:|node_modules|\(<anonymous>\)$/.test(line));
  return (own.length > 0 ? own : lines).join("\n");
}
