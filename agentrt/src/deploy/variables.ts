import { namedVariables } from "../node-kinds/index.ts";
import type { Topology } from "../topology/index.ts";

/** A variable of the environment that the processes of a deployment read. */
export interface Variable {
  readonly name: string;
  /** Empty for what has to be filled in. */
  readonly value: string;
  /** What it is for. */
  readonly remark: string;
}

/** Where a broker of the deployment is, for the other processes of it. */
export const brokerUrl = "nats://nats:4222";

/** What variables are found in. */
interface VariableSource {
  readonly topology: Topology;
  /** Names of variables that are put into the topology and that it gives no value; undefined where none are put in. */
  readonly substituted: readonly string[] | undefined;
}

/**
 * Finds the variables that the processes of a topology read, each once.
 *
 * @param source The topology, and what is put into it.
 * @param hasBroker True where a broker is a part of the deployment.
 * @returns Without the values of secrets: those are filled in by people.
 */
export function variablesOf(source: VariableSource, hasBroker: boolean): readonly Variable[] {
  const { topology } = source;
  const { transport } = topology;
  const found = new Map<string, Variable>();
  const add = (name: string, remark: string, value = ""): void => {
    if (!found.has(name)) found.set(name, { name, value, remark });
  };
  add(
    "AGENCY_SERIALIZER",
    "messages between processes: msgpack or json, the same in all of them",
    "msgpack",
  );
  if (transport.type === "nats") {
    const url = hasBroker ? brokerUrl : (transport.servers[0] ?? brokerUrl);
    add("NATS_URL", "the NATS server", url);
  }
  for (const { name, remark } of namedVariables(topology)) add(name, remark);
  for (const name of source.substituted ?? []) add(name, "is put into the topology");
  return [...found.values()];
}
