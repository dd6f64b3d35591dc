import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import type { Terminal } from "testkit";

/** How long a screen may take until it is drawn as a whole, milliseconds. */
const drawnMs = 20_000;

/**
 * Compares what a terminal shows with what is kept of it, once it is drawn: a large screen comes in several pieces.
 * `UPDATE_FRAMES=1` keeps it anew, for somebody to look at.
 *
 * @param path Of what is kept.
 * @param shownOf Takes out of a screen what is compared.
 */
export async function assertFrame(
  terminal: Terminal,
  path: string,
  shownOf: (screen: string) => string,
): Promise<void> {
  const shown = (): string => `${shownOf(terminal.screen())}\n`;
  if (process.env["UPDATE_FRAMES"] === "1") writeFileSync(path, shown());
  assert.ok(existsSync(path), `there is no frame "${path}"`);
  const kept = readFileSync(path, "utf8");
  const deadlineMs = performance.now() + drawnMs;
  while (shown() !== kept && performance.now() < deadlineMs)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(shown(), kept);
}
