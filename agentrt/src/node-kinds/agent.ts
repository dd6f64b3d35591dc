import { Agent } from "../core/index.ts";
import { classKind } from "./class-kind.ts";

/** An agent: `agent: {name, type}`, the flat dotted form, or `type: agent` with `module` and `class`. */
export const agentKind = classKind({ name: "agent", base: Agent });
