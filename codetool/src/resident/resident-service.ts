import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import process from "node:process";
import { startTimer, steadyMs, type Timer } from "../system/index.ts";
import {
  acceptedByte,
  decodeRequest,
  encodeAnswer,
  folderMark,
  ProgramIdentity,
  type Question,
  requestBytesMax,
  type ServedAnswer,
} from "../service/index.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { ownMemoryBytes } from "./own-memory.ts";

/** What a service is made from. */
export interface ResidentServiceInit {
  /** Absolute path of the tree, links resolved. */
  readonly root: string;
  /** See `ServicePlace`. */
  readonly address: string;
  /** Answers a command line; `undefined` when the process that asks is to answer by itself. */
  readonly answer: (question: Question) => Promise<ServedAnswer | undefined>;
  /** It ends after so long without a question, milliseconds. */
  readonly idleMs: number;
  /** It ends when it holds more memory than that which it does not share, bytes. */
  readonly memoryBytesMax: number;
  /** How often it looks whether it should end, milliseconds; default 5000. */
  readonly checkMs?: number;
}

/** What a service says of itself. */
export interface ServiceStatus {
  readonly pid: number;
  /** Tells its build from others. */
  readonly identity: string;
  readonly root: string;
  readonly uptime_ms: number;
  readonly idle_ms: number;
  readonly question_count: number;
  /** Questions that it left to the process that asked. */
  readonly declined_count: number;
  /** See `ownMemoryBytes`. */
  readonly memory_bytes: number;
}

/** Why a service ended. */
export type EndReason =
  | "stopped"
  | "idle"
  | "replaced"
  | "tree_gone"
  | "program_changed"
  | "memory";

const checkMsDefault = 5000;
/** What is worked on at once; the processes of others answer by themselves. */
const openCountMax = 64;
/** A request that takes longer to arrive is dropped. */
const requestMs = 1000;
/** From this part of the memory it may hold, it collects what is not used. */
const memoryShareToCollect = 0.6;
const lifeSignMs = 1000;
const newline = 0x0a;

/** Answers command lines of one user for one tree over a socket, until it is stopped or of no more use. */
export class ResidentService {
  readonly #init: ResidentServiceInit;
  readonly #identity = new ProgramIdentity();
  readonly #folder: string;
  readonly #server: Server;
  readonly #startedMs = steadyMs();
  readonly #ended = Promise.withResolvers<EndReason>();
  #inode: bigint | undefined;
  #check: Timer | undefined;
  #askedMs = steadyMs();
  #questionCount = 0;
  #declinedCount = 0;
  #openCount = 0;
  #endReason: EndReason | undefined;

  private constructor(init: ResidentServiceInit) {
    this.#init = init;
    this.#folder = folderMark(init.root);
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /**
   * Listens. One that listens there already is not heard from again; it notices, and ends.
   *
   * @throws Error when the address cannot be used.
   */
  static async start(init: ResidentServiceInit): Promise<ResidentService> {
    const service = new ResidentService(init);
    await service.#listen();
    return service;
  }

  /** Settles once it has ended and nothing of it is open. */
  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  /** What it says of itself. */
  status(): ServiceStatus {
    const nowMs = steadyMs();
    return {
      pid: process.pid,
      identity: this.#identity.text,
      root: this.#init.root,
      uptime_ms: Math.round(nowMs - this.#startedMs),
      idle_ms: Math.round(nowMs - this.#askedMs),
      question_count: this.#questionCount,
      declined_count: this.#declinedCount,
      memory_bytes: ownMemoryBytes(),
    };
  }

  /** Takes no more questions, and ends when those that are open are answered. */
  end(reason: EndReason): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    this.#check?.stop();
    this.#removeSocket();
    this.#server.close();
    this.#settle();
  }

  async #listen(): Promise<void> {
    const { address } = this.#init;
    const isPipe = process.platform === "win32";
    const path = isPipe ? address : `${address}.${process.pid}`;
    if (!isPipe) rmSync(path, { force: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject);
    this.#server.listen(path, resolve);
    await promise;
    this.#server.on("error", () => undefined);
    if (!isPipe) {
      chmodSync(path, 0o600);
      // Whoever looks finds a socket that is listened to, at any moment.
      renameSync(path, address);
      this.#inode = inodeOf(address);
    }
    this.#checkLater();
  }

  #checkLater(): void {
    this.#check = startTimer(this.#init.checkMs ?? checkMsDefault, () => {
      const reason = this.#reasonToEnd();
      if (reason === undefined) this.#checkLater();
      else this.end(reason);
    });
  }

  #reasonToEnd(): EndReason | undefined {
    const { address, root, idleMs } = this.#init;
    if (this.#inode !== undefined && inodeOf(address) !== this.#inode) return "replaced";
    if (!this.#identity.isCurrent()) return "program_changed";
    if (!isSameFolder(root, this.#folder)) return "tree_gone";
    if (this.#openCount > 0) return undefined;
    if (this.#isOverMemory()) return "memory";
    return steadyMs() - this.#askedMs > idleMs ? "idle" : undefined;
  }

  /** What was only used by answers is given back first. */
  #isOverMemory(): boolean {
    const { memoryBytesMax } = this.#init;
    if (ownMemoryBytes() > memoryBytesMax * memoryShareToCollect) collectGarbage();
    return ownMemoryBytes() > memoryBytesMax;
  }

  #serve(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    const late = startTimer(requestMs, () => socket.destroy());
    socket.on("close", () => late.stop());
    let received = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      received = Buffer.concat([received, part]);
      const end = received.indexOf(newline);
      if (end === -1 && received.length <= requestBytesMax) return;
      late.stop();
      socket.removeAllListeners("data");
      socket.on("data", () => undefined);
      void this.#take(received.subarray(0, Math.max(0, end)), socket);
    });
  }

  async #take(line: Uint8Array, socket: Socket): Promise<void> {
    const request = decodeRequest(line);
    if (request?.kind === "status") socket.end(`+${JSON.stringify(this.status())}\n`);
    else if (request?.kind === "stop") {
      socket.end("+\n");
      this.end("stopped");
    } else if (request?.kind === "ask") await this.#answer(request.question, socket);
    else socket.destroy();
  }

  async #answer(question: Question, socket: Socket): Promise<void> {
    const isMine =
      question.identity === this.#identity.text &&
      isSameFolder(question.workingDirectory, question.folder);
    if (!isMine || this.#openCount >= openCountMax || this.#endReason !== undefined) {
      this.#decline(socket);
      return;
    }
    this.#openCount += 1;
    this.#askedMs = steadyMs();
    const sign = new LifeSign(socket);
    const answer = await this.#init.answer(question).catch(() => undefined);
    sign.stop();
    if (answer === undefined) this.#decline(socket);
    else {
      this.#questionCount += 1;
      socket.end(encodeAnswer(answer));
    }
    this.#openCount -= 1;
    this.#askedMs = steadyMs();
    if (this.#openCount === 0 && this.#isOverMemory()) this.end("memory");
    this.#settle();
  }

  /** The process that asked answers by itself. */
  #decline(socket: Socket): void {
    this.#declinedCount += 1;
    socket.destroy();
  }

  #settle(): void {
    if (this.#endReason !== undefined && this.#openCount === 0)
      this.#ended.resolve(this.#endReason);
  }

  #removeSocket(): void {
    const { address } = this.#init;
    if (this.#inode !== undefined && inodeOf(address) === this.#inode)
      rmSync(address, { force: true });
  }
}

/** Tells a process that asked, at once and each second, that it is worked for. */
class LifeSign {
  readonly #socket: Socket;
  #timer: Timer;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#timer = this.#send();
  }

  stop(): void {
    this.#timer.stop();
  }

  #send(): Timer {
    this.#socket.write(Uint8Array.of(acceptedByte));
    return startTimer(lifeSignMs, () => (this.#timer = this.#send()));
  }
}

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Whether a path still leads to the folder that it led to. */
function isSameFolder(path: string, mark: string): boolean {
  try {
    return folderMark(path) === mark;
  } catch {
    return false;
  }
}
