import { trimLines } from "../trim-lines.ts";
import { type Finding, makeReport, type ParseOutput, placeOf, plural } from "../report.ts";

/** Lines of a failed step's own output, at most. */
const stepLinesMax = 30;

/** Output of `docker build` by the classic builder and by BuildKit, and of podman's. */
export const parseDockerBuild: ParseOutput = ({ combined, exitCode, words }) => {
  const lines = combined.split("\n");
  const fileFlag = words.findIndex((word) => word === "-f" || word === "--file");
  const file = (fileFlag === -1 ? undefined : words[fileFlag + 1]) ?? "Dockerfile";
  const steps = stepsOf(lines);
  const failures = failuresOf(lines, { steps, file });
  const warnings = warningsOf(lines, file);
  const built = builtOf(combined);
  const isSeen =
    steps.length > 0 || built !== "" || /^Sending build context to Docker daemon/m.test(combined);
  if (!isSeen && failures.length === 0) return undefined;
  const parts = [outcomeOf({ failures, built, exitCode, steps })];
  if (warnings.length > 0) parts.push(plural(warnings.length, "warning"));
  return makeReport({ summary: parts.join("; "), failed: failures.length, failures, warnings });
};

function outcomeOf(found: {
  readonly failures: readonly Finding[];
  readonly built: string;
  readonly exitCode: number | null;
  readonly steps: readonly BuildStep[];
}): string {
  const { failures, built, exitCode, steps } = found;
  const [failure] = failures;
  if (failure !== undefined)
    return failure.name === "docker build" ? "failed" : `failed at ${failure.name}`;
  if (exitCode === 0) return built === "" ? "built" : built;
  const last = steps.findLast(({ state }) => state !== "done");
  return last === undefined ? "interrupted" : `interrupted at ${last.name}`;
}

interface BuildStep {
  /** `[4/5] RUN make`. */
  readonly name: string;
  readonly lines: readonly string[];
  readonly state: "done" | "open" | "failed";
  /** What the builder says of the failure. */
  readonly error?: string;
}

function stepsOf(lines: readonly string[]): BuildStep[] {
  const buildKit = buildKitSteps(lines);
  return buildKit.length > 0 ? buildKit : classicSteps(lines);
}

/** `#6 [4/4] RUN make`, `#6 0.209 output`, `#6 DONE 0.2s`: the lines of steps that run together are mixed. */
function buildKitSteps(lines: readonly string[]): BuildStep[] {
  const steps = new Map<
    string,
    { name: string; lines: string[]; state: BuildStep["state"]; error?: string }
  >();
  for (const line of lines) {
    const [, number = "", text = ""] = /^#(\d+) (.+)$/.exec(line) ?? [];
    if (number === "") continue;
    const step = steps.get(number);
    const error = /^ERROR: (.+)$/.exec(text)?.[1];
    if (step === undefined) steps.set(number, { name: text, lines: [], state: "open" });
    else if (/^(?:DONE|CACHED)\b/.test(text)) step.state = "done";
    else if (error !== undefined) {
      step.state = "failed";
      step.error = error;
    } else if (!/^sha256:|^CANCELED$/.test(text)) step.lines.push(text.replace(/^\d+\.\d+ ?/, ""));
  }
  return [...steps.values()];
}

/** `Step 4/5 : RUN make`, podman's `STEP 4/5: RUN make`. */
function classicSteps(lines: readonly string[]): BuildStep[] {
  const steps: { name: string; lines: string[]; state: BuildStep["state"]; error?: string }[] = [];
  for (const line of lines) {
    const match = /^(?:\[\d+\/\d+\] )?(?:Step|STEP) (\d+\/\d+) ?: (.+)$/.exec(line);
    const step = steps.at(-1);
    if (match !== null) {
      if (step !== undefined) step.state = "done";
      steps.push({ name: `[${match[1] ?? ""}] ${match[2] ?? ""}`, lines: [], state: "open" });
    } else if (step === undefined) continue;
    else if (/^(?:Successfully built|COMMIT|--> [0-9a-f]+)/.test(line)) step.state = "done";
    else if (isClassicError(line)) {
      step.state = "failed";
      step.error = line;
    } else if (!/^(?: ---> |Removing intermediate container |--> )/.test(line))
      step.lines.push(line);
  }
  return steps;
}

function isClassicError(line: string): boolean {
  return /^(?:The command '.*' returned a non-zero code: \d+$|(?:COPY|ADD) failed: |Error: building at STEP |Error response from daemon: |ERROR: |pull access denied for |manifest for .* not found|unauthorized: )/.test(
    line,
  );
}

function failuresOf(
  lines: readonly string[],
  { steps, file }: { readonly steps: readonly BuildStep[]; readonly file: string },
): Finding[] {
  const place = excerptPlace(lines);
  const failed = steps.flatMap((step): Finding[] => {
    if (step.state !== "failed") return [];
    const output = trimLines(step.lines.slice(-stepLinesMax));
    const message = [output, step.error ?? ""].filter((part) => part !== "").join("\n");
    return [{ name: step.name, location: place, message }];
  });
  if (failed.length > 0) return failed;
  const refusal = lines.findLast((line) =>
    /^(?:ERROR: |Error response from daemon: |Error: |error: |failed to solve|unable to prepare context: |Cannot connect to the Docker daemon|dockerfile parse error)/.test(
      line,
    ),
  );
  if (refusal === undefined) return [];
  const message = refusal.replace(/^(?:ERROR|Error|error): /, "");
  const at = /parse error (?:on )?line (\d+)/.exec(message)?.[1];
  return [
    { name: "docker build", location: at === undefined ? place : placeOf(file, at), message },
  ];
}

/** The heading of the lines that newer builders show: `Dockerfile:4`, with a rule under it. */
function excerptPlace(lines: readonly string[]): string | null {
  const at = lines.findIndex(
    (line, index) => /^\S+:\d+$/.test(line) && /^-{10,}$/.test(lines[index + 1] ?? ""),
  );
  return at === -1 ? null : (lines[at] ?? null);
}

function builtOf(combined: string): string {
  const id =
    /^Successfully built ([0-9a-f]+)$/m.exec(combined)?.[1] ??
    /^#\d+ (?:writing image|exporting manifest list|exporting manifest|exporting config) sha256:([0-9a-f]{12})/m.exec(
      combined,
    )?.[1];
  const tags = [
    ...combined.matchAll(
      /^(?:Successfully tagged|#\d+ naming to) (\S+?)(?: [\d.]+s)?(?: done)?$/gm,
    ),
  ].map(([, tag = ""]) => tag.replace(/^docker\.io\/(?:library\/)?/, ""));
  const names = [...new Set(tags)].join(", ");
  if (id === undefined) return names === "" ? "" : `built ${names}`;
  return names === "" ? `built ${id}` : `built ${id}, tagged ${names}`;
}

/** Findings of BuildKit's own checks, and what the builders warn of; not what a step prints. */
function warningsOf(lines: readonly string[], file: string): Finding[] {
  return lines.flatMap((line): Finding[] => {
    const check = /^ ?- (\w+): (.+?)(?: \(line (\d+)\))?$/.exec(line);
    const own = /^(?:\[Warning\]|#\d+ WARN:) (.+)$/.exec(line);
    if (check !== null) {
      const [, name = "", message = "", at] = check;
      return [{ name, location: at === undefined ? null : placeOf(file, at), message }];
    }
    return own === null ? [] : [{ name: "docker build", location: null, message: own[1] ?? "" }];
  });
}
