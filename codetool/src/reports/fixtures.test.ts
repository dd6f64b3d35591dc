import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cleanText } from "./clean-text.ts";
import { readReport } from "./read-report.ts";

/**
 * Outputs of the real tools, recorded with `scripts/record-report.ts`; `expected.json` holds what a person counted in
 * them.
 */
const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));

interface Case {
  readonly name: string;
  readonly argv: readonly string[];
  readonly exitCode: number | null;
}

interface Expected {
  readonly tool: string;
  readonly summary: string;
  /** Passed, failed, skipped. */
  readonly counts: readonly [number, number, number];
  /** `name @ location`. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

const expected = JSON.parse(readFileSync(join(fixtures, "expected.json"), "utf8")) as {
  readonly [name: string]: Expected;
};

/** What was counted for the tools of one folder, where it keeps that itself. */
function expectedOf(folder: string): { readonly [name: string]: Expected } {
  const path = join(folder, "expected.json");
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as ReturnType<typeof expectedOf>)
    : {};
}

function outputOf(folder: string, { name, exitCode }: Case) {
  const read = (suffix: string): string | undefined => {
    const path = join(folder, `${name}${suffix}.txt`);
    return existsSync(path) ? cleanText(readFileSync(path, "utf8")) : undefined;
  };
  const combined = read("") ?? "";
  // Where one stream alone had something, it is the whole.
  return { combined, stdout: read(".stdout") ?? combined, stderr: read(".stderr") ?? "", exitCode };
}

for (const path of globSync("*/cases.json", { cwd: fixtures }).sort()) {
  const folder = join(fixtures, dirname(path));
  const cases = JSON.parse(readFileSync(join(fixtures, path), "utf8")) as readonly Case[];
  for (const each of cases) {
    const name = `${basename(folder)}/${each.name}`;
    const wanted = expectedOf(folder)[name] ?? expected[name];
    test(`output ${name} is read as it was counted by hand`, () => {
      const { tool, report } = readReport(each.argv, outputOf(folder, each), {
        readScript: () => undefined,
      });
      const shown = (findings: readonly { name: string; location: string | null }[] = []) =>
        findings.map((finding) => `${finding.name} @ ${finding.location ?? "-"}`);
      const found: Expected = {
        tool,
        summary: report?.summary ?? "nothing recognised",
        counts: [report?.passed ?? 0, report?.failed ?? 0, report?.skipped ?? 0],
        failures: shown(report?.failures),
        warnings: shown(report?.warnings),
      };
      assert.deepEqual(found, wanted, JSON.stringify({ [name]: found }));
      for (const { message, name: of } of report?.failures ?? [])
        assert.notEqual(message, "", `${name}: ${of} says nothing`);
    });
  }
}
