import { GenServer } from "../core/index.ts";
import { classKind } from "./class-kind.ts";

/** A call and cast server: `type: gen_server` with `module` and `class`. */
export const genServerKind = classKind({ name: "gen_server", base: GenServer, marker: "srv" });
