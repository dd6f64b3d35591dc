import {
  findUnservedKeys,
  placeInFile,
  type Topology,
  type UnservedUse,
} from "../topology/index.ts";
import { compositionErrors } from "../node-kinds/index.ts";

/**
 * Refuses a topology that uses what this build does not serve.
 *
 * @param topology The topology.
 * @param matters Which uses count; default all.
 * @throws AGENTRT_COMPOSITION_KEY_NOT_SERVED with the position of the first.
 */
export function refuseUses(
  topology: Topology,
  matters: (use: UnservedUse) => boolean = () => true,
): void {
  const uses = findUnservedKeys(topology).filter(matters);
  const [first] = uses;
  if (first === undefined) return;
  const text = `${placeInFile(topology.fileName, first)}: ${first.key}`;
  throw new compositionErrors.KEY_NOT_SERVED({ first: text, useCount: uses.length });
}
