import type { Fault, SourceFile } from "./check.ts";
import { typescriptCode } from "./prose.ts";

/** Files that wait for the clock, and why nothing else tells when to go on. */
export type SleepReasons = { readonly [file: string]: string };

const sleepPattern = /new Promise\b[^;]{0,80}\bsetTimeout\(|\bAtomics\.wait\(/g;
const importPattern = /^import [^;]*\bfrom "node:timers\/promises";/gm;

/** Finds waits for the clock in a test: an event, a pattern in the output or the virtual clock ends a wait sooner. */
export function checkSleeps({ file, text }: SourceFile, reasons: SleepReasons = {}): Fault[] {
  if (Object.hasOwn(reasons, file)) return [];
  const code = typescriptCode(text);
  const matches = [...code.matchAll(sleepPattern), ...importsOf(text, code)];
  return matches.map(({ index }) => ({
    file,
    line1: text.slice(0, index).split("\n").length,
    message:
      "a test waits for an event, a pattern in the output or the virtual clock, never for the clock",
  }));
}

/** Imports that are code, not lines of a program in quotes. */
function importsOf(text: string, code: string): RegExpExecArray[] {
  return [...text.matchAll(importPattern)].filter(({ index }) => code.startsWith("import", index));
}
