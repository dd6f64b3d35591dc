import process from "node:process";
import type { CommandIo } from "../command.ts";

/**
 * Loads user code, and says so when a module ends the process meanwhile.
 *
 * @param io Takes the message.
 * @param load Loads it.
 */
export async function whileLoading<Loaded>(
  io: CommandIo,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  const onExit = (exitCode: number): void =>
    io.tell(
      `agentrt: a module of the topology called process.exit(${exitCode}) while it was loaded`,
    );
  // Nothing is left to wait for: that is another end, and somebody else reports it.
  const onNothingLeft = (): void => void process.off("exit", onExit);
  process.once("exit", onExit);
  process.once("beforeExit", onNothingLeft);
  try {
    return await load();
  } finally {
    process.off("exit", onExit);
    process.off("beforeExit", onNothingLeft);
  }
}
