import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Patience,
  ProgramIdentity,
  sendRequest,
  type ServicePlace,
} from "../service/index.ts";
import type { ServiceStatus } from "./resident-service.ts";

/** Who looks after a service can wait for one that is busy. */
const patience: Patience = { acceptedMs: 2000, silenceMs: 2000 };

/** What the service at an address says of itself; `undefined` when none answers. */
export async function stateOf(
  address: string,
): Promise<{ readonly status: ServiceStatus; readonly isMine: boolean } | undefined> {
  const { bytes } = await sendRequest(address, { kind: "status" }, patience);
  if (bytes === undefined) return undefined;
  try {
    const status = JSON.parse(Buffer.from(bytes).toString()) as ServiceStatus;
    return { status, isMine: status.identity === new ProgramIdentity().text };
  } catch {
    return undefined;
  }
}

/** What all services of this user say of themselves; on Windows none can be found. */
export async function statesOfAll({ folder }: ServicePlace): Promise<readonly ServiceStatus[]> {
  if (folder === undefined) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".sock"));
  const states = await Promise.all(
    names.sort().map(async (name) => await stateOf(join(folder, name))),
  );
  return states.flatMap((state) => state?.status ?? []);
}

/**
 * Ends the service at an address, after the questions that it works on.
 *
 * @returns False when none runs there.
 */
export async function stopService(address: string): Promise<boolean> {
  return (await sendRequest(address, { kind: "stop" }, patience)).bytes !== undefined;
}
