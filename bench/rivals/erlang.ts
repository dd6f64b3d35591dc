import type { Contender } from "../bench.ts";
import { compileErlang, runErlang } from "./install.ts";

/** A supervised, registered gen_server in a fresh Erlang node; the module measures itself. */
export function erlang(module: string, operationCount: number): Contender {
  return {
    name: "erlang",
    prepare: () => {
      const compiled = compileErlang("echo_server");
      return "obstacle" in compiled ? compiled.obstacle : undefined;
    },
    run: ({ isQuick }) => runErlang(module, isQuick ? operationCount / 5 : operationCount),
  };
}
