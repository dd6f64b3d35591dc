import { startProgram, type ServiceStart } from "../service/index.ts";

/** What a program began with. */
export interface FirstLine {
  readonly text: string;
  /** Of a program that ended before its first line was whole. */
  readonly exitCode: number | undefined;
}

/** Starts this program once more, to go on by itself, and waits for the first line that it prints. */
export async function startToFirstLine(start: ServiceStart): Promise<FirstLine> {
  const { promise, resolve } = Promise.withResolvers<FirstLine>();
  const child = await startProgram(start, "pipe");
  child.ref();
  let text = "";
  child.stdout?.on("data", (part: Buffer) => {
    text += part.toString();
    if (text.includes("\n")) resolve({ text, exitCode: undefined });
  });
  child.on("error", (error) => resolve({ text: `${error.message}\n`, exitCode: 1 }));
  child.on("close", (code) => resolve({ text, exitCode: code ?? 1 }));
  const line = await promise;
  child.stdout?.destroy();
  child.unref();
  return line;
}
