import { readAsset } from "../text/index.ts";
import { TokenTable } from "./token-table.ts";

/**
 * The table that codetool ships with. Reads its file, some 20 MB, each time it is called.
 *
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when it is damaged.
 */
export function loadTokenTable(): TokenTable {
  return new TokenTable(readAsset("token-vectors.bin"));
}
