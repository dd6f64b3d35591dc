/** A program on a machine of the soak, started again whenever it ends. */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Program, startProgram } from "testkit";
import type { Machine } from "./network.ts";

/** How a program is started. */
export interface NodeInit {
  readonly machine: Machine;
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: { readonly [name: string]: string };
}

/** What is written where the program broke in a way that nothing excuses. */
const brokenPattern = /unhandled|uncaught|TypeError|ReferenceError/i;
const restartMs = 1000;

/** Keeps one program running, until it is stopped. */
export class SoakNode implements AsyncDisposable {
  readonly #init: NodeInit;
  #program: Program | undefined;
  #isWanted = false;
  #running: Promise<void> | undefined;
  /** How often it ended by itself, by exit code. */
  readonly exits = new Map<string, number>();
  /** What it wrote when it broke; empty when it never did. */
  broken = "";
  /** The last output of incarnations that ended. */
  #past = "";

  constructor(init: NodeInit) {
    this.#init = init;
  }

  get machine(): Machine {
    return this.#init.machine;
  }

  /** The last of what it wrote. */
  get output(): string {
    return (this.#past + (this.#program?.output ?? "")).slice(-20_000);
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#running = this.#keep();
  }

  signal(signal: NodeJS.Signals): void {
    this.#program?.kill(signal);
  }

  /** Ends it, with SIGKILL; it stays ended. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    this.#program?.kill("SIGKILL");
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #keep(): Promise<void> {
    const { machine, file, args, directory, environment } = this.#init;
    while (this.#isWanted) {
      const words = ["netns", "exec", machine.space, file, ...args];
      const program = startProgram("ip", words, {
        workingDirectory: directory,
        environment,
        timeoutMs: 24 * 3_600_000,
      });
      this.#program = program;
      const { code, signal, stdout, stderr } = await program.exited();
      const output = stdout + stderr;
      this.#past = output.slice(-10_000);
      this.#program = undefined;
      if (brokenPattern.test(output)) this.broken = output.slice(-4000);
      if (!this.#isWanted) return;
      const how = String(code ?? signal);
      this.exits.set(how, (this.exits.get(how) ?? 0) + 1);
      process.stderr.write(`  ${machine.name} ended with ${how}: ${lastLine(output)}\n`);
      await sleep(restartMs);
    }
  }
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
