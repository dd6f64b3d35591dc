import { createRealSystem } from "../../core/index.ts";
import { createTones, openScreen } from "../../terminal/index.ts";
import type { CommandIo } from "../command.ts";
import { plainPicture, plainSpan } from "./plain-picture.ts";
import type { Since } from "./since.ts";
import type { SpanFolder } from "./span-folder.ts";
import { TelemetryView } from "./telemetry-view.ts";

/** How the viewer runs. */
export interface TelemetryRun {
  readonly folder: SpanFolder;
  readonly since: Since;
  readonly refreshSeconds: number;
}

/**
 * Shows recorded spans on the terminal, until somebody quits.
 *
 * @returns The exit code.
 */
export async function runTelemetry(
  { folder, since, refreshSeconds }: TelemetryRun,
  io: CommandIo,
): Promise<number> {
  const system = createRealSystem();
  const view = new TelemetryView({
    since,
    tones: createTones((io.environment["NO_COLOR"] ?? "") === ""),
    trace: (traceId) => folder.trace(traceId),
  });
  const quit = Promise.withResolvers<void>();
  const screen = await openScreen((event) => {
    for (const { kind } of view.press(event, screen.size))
      if (kind === "quit") quit.resolve();
      else read();
    screen.show(view.frame(screen.size));
  });
  const read = (): void => view.update(folder.read(view.since, system.nowMs()));
  let isOver = false;
  const tick = (): void => {
    if (isOver) return;
    read();
    screen.show(view.frame(screen.size));
    system.setTimer(refreshSeconds * 1000, tick);
  };
  tick();
  await quit.promise;
  isOver = true;
  await screen.close();
  folder[Symbol.dispose]();
  io.endAtReturn();
  return 0;
}

/** Says in lines what is there, then each new span, until the program is ended. */
export async function runPlain(
  { folder, since, refreshSeconds }: TelemetryRun,
  io: CommandIo,
): Promise<never> {
  const system = createRealSystem();
  let told = new Set<string>();
  for (let count = 0; ; count += 1) {
    const picture = folder.read(since, system.nowMs());
    const ids = picture.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
    if (count === 0) io.print(plainPicture(picture));
    else
      for (const [index, span] of [...picture.spans.entries()].reverse())
        if (!told.has(ids[index] ?? "")) io.print(`${plainSpan(span)}\n`);
    told = new Set(ids);
    await new Promise<void>((resolve) => void system.setTimer(refreshSeconds * 1000, resolve));
  }
}

/**
 * Prints once what is there.
 *
 * @param isJson True for one JSON document.
 * @returns The exit code: 0, also for a folder without spans.
 */
export function printOnce({ folder, since }: TelemetryRun, io: CommandIo, isJson: boolean): number {
  const picture = folder.read(since, createRealSystem().nowMs());
  folder[Symbol.dispose]();
  io.print(isJson ? `${JSON.stringify(picture, null, 2)}\n` : plainPicture(picture));
  return 0;
}
