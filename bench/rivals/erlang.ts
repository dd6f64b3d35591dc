import { rmSync } from "node:fs";
import type { Contender } from "../bench.ts";
import { compileErlang, runErlang } from "./install.ts";

/** A supervised, registered gen_server in a fresh Erlang node; the module measures itself. */
export function erlang(module: string, operationCount: number): Contender {
  return {
    name: "erlang",
    prepare: () => {
      const compiled = compileErlang();
      if ("obstacle" in compiled) return compiled.obstacle;
      rmSync(compiled.folder, { recursive: true, force: true });
      return undefined;
    },
    run: ({ isQuick }) => runErlang(module, isQuick ? operationCount / 5 : operationCount),
  };
}
