import { goTool, pythonTools } from "../../conformance/tools.ts";
import type { Running, Targets } from "./client.ts";
import { keepAliveClient } from "./keep-alive-client.ts";
import { programClients } from "./program-clients.ts";
import { pythonPackages, startPythonClients } from "./python-clients.ts";

/** Clients that are installed for the soak; none in its short form. */
export interface InstalledClients {
  /** Folder of Python's programs. */
  readonly python: string | undefined;
  /** Path of the program. */
  readonly grpcurl: string | undefined;
}

/** The short form installs nothing. */
export const noInstalledClients: InstalledClients = { python: undefined, grpcurl: undefined };

/**
 * Installs them from the registries of their languages.
 *
 * @throws Error with what cannot be had.
 */
export async function installClients(): Promise<InstalledClients> {
  const python = await pythonTools(pythonPackages);
  if (typeof python !== "string")
    throw new Error(`the clients of Python cannot be had: ${python.missing}`);
  const grpcurl = await goTool("grpcurl", "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3");
  if (typeof grpcurl !== "string") throw new Error(`grpcurl cannot be had: ${grpcurl.missing}`);
  return { python, grpcurl };
}

/**
 * Starts one client of each kind, and waits until each has got an answer.
 *
 * @param targets Where.
 * @param installed Clients beyond those of the system.
 * @param authority Path of the PEM file of the authority that signs for HTTP/3.
 */
export async function startClients(
  targets: Targets,
  { python, grpcurl }: InstalledClients,
  authority: string,
): Promise<Running[]> {
  const running = [
    ...programClients(targets, grpcurl),
    keepAliveClient(targets.http1),
    ...(python === undefined ? [] : startPythonClients(python, targets, authority)),
  ];
  await Promise.all(running.map(({ ready }) => ready));
  return running;
}
