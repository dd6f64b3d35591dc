import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Certificates, createCertificates } from "testkit";
import type { Running, Seen } from "./client.ts";
import {
  type InstalledClients,
  installClients,
  noInstalledClients,
  startClients,
} from "./clients.ts";
import { FigureTable } from "./figures.ts";
import { startHaproxy } from "./haproxy.ts";
import { RollingRun } from "./runs.ts";

/** Much longer than haproxy needs to see two failed checks, on a busy machine too. */
const lameDuckS = 2;
/** The short form installs nothing. */
const installRoundCountMin = 10;
/** After so many stops behind the balancer the figures are printed. */
const roundCountAtOnce = 10;
/** How long a run without a balancer is under load before its stop. */
const loadTimeMs = 400;
/** What dates a request may date it so much too early. */
const handOverS = 0.05;

/**
 * Stops runs under load, by turns behind a balancer and without one. Prints figures to standard error as it goes.
 *
 * @param rounds How many stops of each kind.
 * @returns What was done.
 * @throws Error with the figures, when requests were lost.
 */
export async function soakRollingStops(rounds: number): Promise<string> {
  using certificates = createCertificates();
  const installed = rounds < installRoundCountMin ? noInstalledClients : await installClients();
  const setting = { rounds, installed, certificates };
  const balanced = await stopBehindBalancer(setting);
  const direct = await stopDirectly(setting);
  const lines = [
    `stops behind haproxy: ${rounds}, ${balanced.okCount} requests, ${balanced.lostCount} lost`,
    ...balanced.lines,
    `stops without: ${rounds}, ${direct.okCount} requests, ${direct.lostCount} lost that were sent before`,
    ...direct.lines,
  ];
  if (balanced.lostCount + direct.lostCount > 0) throw new Error(lines.join("\n"));
  return `rolling-stops: ${lines.join("\n")}`;
}

interface Setting {
  readonly rounds: number;
  readonly installed: InstalledClients;
  readonly certificates: Certificates;
}

async function stopBehindBalancer({
  rounds,
  installed,
  certificates,
}: Setting): Promise<FigureTable> {
  const table = new FigureTable();
  await using first = await RollingRun.create({ lameDuckS, certificates });
  await using second = await RollingRun.create({ lameDuckS, certificates });
  await Promise.all([first.start(), second.start()]);
  await using balancer = await startHaproxy([first.ports, second.ports]);
  await balancer.allUp();
  const { http1, http2, grpc } = balancer;
  const targets = { http1, http2, grpc, http3: [first.ports.http3, second.ports.http3] };
  for (let done = 0; done < rounds;) {
    const clients = await startClients(targets, installed, certificates.ca);
    const end = Math.min(rounds, done + roundCountAtOnce);
    for (; done < end; done += 1) {
      const run = done % 2 === 0 ? first : second;
      await run.stop();
      await run.start();
      await balancer.allUp();
    }
    for (const [client, seen] of await stopAll(clients))
      table.add(client, seen, Number.POSITIVE_INFINITY);
    const what = `${done} of ${rounds} stops behind haproxy`;
    report(`${what}, which had no run left ${balancer.emptyCount} times`, table);
  }
  return table;
}

async function stopDirectly({ rounds, installed, certificates }: Setting): Promise<FigureTable> {
  const table = new FigureTable();
  for (let done = 1; done <= rounds; done += 1) {
    await using run = await RollingRun.create({ lameDuckS: 0, certificates });
    await run.start();
    const { http, grpc, http3 } = run.ports;
    const targets = { http1: http, http2: http, grpc, http3: [http3] };
    const clients = await startClients(targets, installed, certificates.ca);
    await sleep(loadTimeMs);
    const signalledS = await run.stop();
    for (const [client, seen] of await stopAll(clients))
      table.add(client, seen, signalledS - handOverS);
    if (done % roundCountAtOnce === 0 || done === rounds)
      report(`${done} of ${rounds} stops without a balancer`, table);
  }
  return table;
}

async function stopAll(clients: readonly Running[]): Promise<[Running, Seen][]> {
  return await Promise.all(
    clients.map(async (client): Promise<[Running, Seen]> => [client, await client.stop()]),
  );
}

function report(what: string, table: FigureTable): void {
  process.stderr.write(`  ${what}: ${table.okCount} requests, ${table.lostCount} lost\n`);
}
