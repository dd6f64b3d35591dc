import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import type { Terminal } from "testkit";

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
  const shown = (screen: string): string => `${shownOf(screen)}\n`;
  if (process.env["UPDATE_FRAMES"] === "1") writeFileSync(path, shown(terminal.screen()));
  assert.ok(existsSync(path), `there is no frame "${path}"`);
  const kept = readFileSync(path, "utf8");
  assert.equal(shown(await terminal.until((screen) => shown(screen) === kept)), kept);
}
