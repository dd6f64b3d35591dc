import { createRealSystem, type System } from "../../core/index.ts";
import { createTones, openScreen, type TerminalEvent } from "../../terminal/index.ts";
import type { CommandIo } from "../command.ts";
import { Dashboard } from "./dashboard.ts";
import type { Intent } from "./intent.ts";
import { plainPicture, ToldChanges } from "./plain-picture.ts";
import { PolledBodies, type Source } from "./polled-bodies.ts";
import { steadyRoutes } from "./tab.ts";

/** Answers that come together are shown together, milliseconds. */
const gatherMs = 16;

/** How the dashboard runs. */
export interface DashboardRun {
  /** One at least. */
  readonly sources: readonly Source[];
  readonly refreshSeconds: number;
}

/**
 * Shows the dashboard on the terminal, until somebody quits.
 *
 * @returns The exit code.
 */
export async function runDashboard(
  { sources, refreshSeconds }: DashboardRun,
  io: CommandIo,
): Promise<number> {
  const system = createRealSystem();
  const dashboard = new Dashboard({
    tabs: sources.map(({ tab }) => tab),
    tones: createTones((io.environment["NO_COLOR"] ?? "") === ""),
    refreshSeconds,
    nowSeconds: () => system.nowMs() / 1000,
  });
  const quit = Promise.withResolvers<void>();
  let isDue = false;
  const redraw = (): void => {
    if (isDue) return;
    isDue = true;
    system.setTimer(gatherMs, () => {
      isDue = false;
      screen.show(dashboard.frame(screen.size));
    });
  };
  const polled = new PolledBodies(sources, {
    system,
    refreshMs: refreshSeconds * 1000,
    onChange: redraw,
  });
  const act = (intent: Intent): void => {
    if (intent.kind === "quit") quit.resolve();
    else if (intent.kind === "refresh") polled.refresh(intent.tab);
    else
      void polled.post(intent.tab, intent.operation).then((message) => {
        dashboard.message = message;
        redraw();
      });
  };
  const screen = await openScreen((event: TerminalEvent) => {
    dashboard.press(event, screen.size).forEach(act);
    // What was pressed is seen at once.
    if (event.kind === "resize") redraw();
    else screen.show(dashboard.frame(screen.size));
  });
  screen.show(dashboard.frame(screen.size));
  void polled.run();
  await quit.promise;
  polled.stop();
  await screen.close();
  io.endAtReturn();
  return 0;
}

/**
 * Says in lines what is there, then each change, until the program is ended.
 * What cannot be reached is one of them.
 */
export async function runPlain(
  { sources, refreshSeconds }: DashboardRun,
  io: CommandIo,
): Promise<never> {
  const system: System = createRealSystem();
  const told = new Map(sources.map(({ tab }) => [tab, new ToldChanges()]));
  const polled = new PolledBodies(sources, {
    system,
    refreshMs: refreshSeconds * 1000,
    onChange: () => undefined,
  });
  for (let count = 0; ; count += 1) {
    await polled.once();
    for (const { tab } of sources) {
      const changes = told.get(tab)?.changesOf(tab) ?? [];
      if (count === 0) io.print(plainPicture(tab));
      else
        for (const line of changes)
          io.print(`${sources.length > 1 ? `${tab.label}: ` : ""}${line}\n`);
    }
    await new Promise<void>((resolve) => void system.setTimer(refreshSeconds * 1000, resolve));
  }
}

/**
 * Prints once what is there.
 *
 * @param isJson True for one JSON document: what the routes answered.
 * @returns The exit code: 1 when a server could not be asked.
 */
export async function printOnce(
  { sources, refreshSeconds }: DashboardRun,
  io: CommandIo,
  isJson: boolean,
): Promise<number> {
  const system = createRealSystem();
  const refreshMs = refreshSeconds * 1000;
  const polled = new PolledBodies(sources, { system, refreshMs, onChange: () => undefined });
  await polled.once();
  const tabs = sources.map(({ tab }) => tab);
  if (isJson) {
    const topologies = tabs.map((tab) => ({
      label: tab.label,
      origin: tab.origin,
      unreachable: Object.fromEntries(tab.failures),
      ...Object.fromEntries(steadyRoutes.map((route) => [route.slice(1), tab.body(route)])),
    }));
    io.print(`${JSON.stringify({ topologies }, null, 2)}\n`);
  } else io.print(tabs.map(plainPicture).join("\n"));
  return tabs.every(({ failures }) => failures.size === 0) ? 0 : 1;
}
