import type { Addition, AdditionKind } from "./addition.ts";
import { jsonEntry } from "./json-entry.ts";
import { markedBlock } from "./marked-block.ts";
import { tomlTable } from "./toml-table.ts";
import { wholeFile } from "./whole-file.ts";

/** Makes what takes an addition out again, whatever it held. */
export function takerOf(kind: AdditionKind): Pick<Addition, "take"> {
  switch (kind.kind) {
    case "json":
      return jsonEntry({ container: kind.container, name: kind.name, value: {} });
    case "toml":
      return tomlTable({ path: kind.path, value: {} });
    case "block":
      return markedBlock("");
    case "file":
      return wholeFile("");
  }
}
