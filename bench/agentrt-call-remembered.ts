/** What does it cost a call that the agent's latest messages are remembered, so that a crash can be recorded? */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import { createRealSystem, createRedactor, createTextLog } from "../agentrt/src/core/index.ts";
import { CrashFiles, CrashMask, CrashRecorder } from "../agentrt/src/crashes/index.ts";
import type { Bench, Contender } from "./bench.ts";

const callCount = 1_000_000;

class EchoAgent extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}

type Trails = CrashMask | CrashRecorder | undefined;

function calls(name: string, trailsIn: (folder: string) => Trails): Contender {
  return {
    name,
    run: async ({ isQuick }) => {
      const operationCount = isQuick ? callCount / 5 : callCount;
      const folder = mkdtempSync(join(tmpdir(), "bench-remembered-"));
      const crashTrails = trailsIn(folder);
      await using runtime = new Runtime({
        supervision: supervisor("root", { children: [child(EchoAgent, "echo")] }),
        ...(crashTrails === undefined ? {} : { crashTrails }),
      });
      await runtime.start();
      const run = async (count: number): Promise<void> => {
        for (let sequence = 0; sequence < count; sequence += 1) {
          const reply = await runtime.call("echo", { sequence, text: "some words of a message" });
          if (reply["sequence"] !== sequence) throw new Error(`no reply came for call ${sequence}`);
        }
      };
      await run(operationCount / 5);
      const [beganMs, before] = [performance.now(), process.cpuUsage()];
      await run(operationCount);
      const { user, system } = process.cpuUsage(before);
      const seconds = (performance.now() - beganMs) / 1000;
      rmSync(folder, { recursive: true });
      return {
        operationCount,
        seconds,
        figures: { "processor ns a call": ((user + system) * 1000) / operationCount },
      };
    },
  };
}

const masked = { environment: {}, redactor: createRedactor() };

function recorderIn(folder: string): CrashRecorder {
  return new CrashRecorder({
    ...masked,
    files: new CrashFiles(folder),
    facts: {
      version: "0",
      projectFolder: folder,
      folder,
      topologyId: "0",
      topology: null,
      models: () => [],
      tools: () => [],
    },
    system: createRealSystem(),
    log: createTextLog({ write: () => undefined }),
  });
}

/** See the header. */
export const bench: Bench = {
  question:
    "calls a second with crashes recorded, with --crashes none, and without anything about them",
  operation: "call",
  contenders: [
    calls("recorded", recorderIn),
    calls("--crashes none", () => new CrashMask(masked)),
    calls("nothing", () => undefined),
  ],
};
