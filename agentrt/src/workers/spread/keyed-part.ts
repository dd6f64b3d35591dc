import {
  type Address,
  type AgentCell,
  keyErrors,
  type KeyedSupervisor,
  keyOfMessage,
  type Message,
} from "../../core/index.ts";
import { Part, type PartInit } from "./part.ts";
import { partitionOf } from "./partitions.ts";

/** What a part of a keyed agent is made from. */
export interface KeyedPartInit extends PartInit {
  readonly keyed: KeyedSupervisor;
}

/** The keys of a keyed agent that this worker has. */
export class KeyedPart extends Part {
  readonly door: Address;
  protected readonly name: string;
  readonly #keyed: KeyedSupervisor;
  /** Keys that are asked to go. */
  readonly #ending = new Set<AgentCell>();
  /** Partitions of keys that have gone, though they did not end in time. */
  readonly #late = new Set<number>();

  constructor(init: KeyedPartInit) {
    super(init);
    this.#keyed = init.keyed;
    this.name = init.keyed.name;
    this.door = this.#makeDoor();
  }

  protected async begin(): Promise<void> {
    // A key begins with its first message.
  }

  protected letGo(partitions: readonly number[]): readonly number[] {
    const wanted = new Set(partitions);
    const isWanted = (cell: AgentCell): boolean => wanted.has(this.#partitionOf(cell));
    const there = [...this.#keyed.cells()].filter(isWanted);
    for (const cell of there) this.#endKey(cell);
    return [...there, ...[...this.#ending].filter(isWanted)].map((cell) => this.#partitionOf(cell));
  }

  /** Their keys have gone already. */
  protected async end(partitions: readonly number[]): Promise<readonly number[]> {
    return partitions.filter((each) => this.#late.delete(each));
  }

  /** One that was out of its budget is forgotten, one that waits for its restart or for somebody is looked at again. */
  #endKey(cell: AgentCell): void {
    void this.#keyed.reviveChild(cell.name);
    // What waits is handled before: a key goes when it has nothing to do.
    if (cell.mailboxDepth > 0 || cell.busyCount > 0 || this.#ending.has(cell)) return;
    this.#ending.add(cell);
    this.#keyed
      .endKey(cell.name.slice(this.name.length + 1))
      .then((late) => late.length > 0 && this.#late.add(this.#partitionOf(cell)))
      .catch(() => undefined)
      .finally(() => this.#ending.delete(cell));
  }

  #partitionOf(cell: AgentCell): number {
    return partitionOf(cell.name.slice(this.name.length + 1));
  }

  #makeDoor(): Address {
    const keyed = this.#keyed;
    const { name } = keyed;
    const isOpen = (message: Message): boolean =>
      this.isOpen(partitionOf(keyOfMessage(keyed, message)));
    return {
      concurrency: keyed.concurrency,
      isSuspended: false,
      get isAccepting() {
        return keyed.isAccepting;
      },
      get mailboxDepth() {
        return keyed.mailboxDepth;
      },
      get mailboxLengthMax() {
        return keyed.mailboxLengthMax;
      },
      accept: (message, deadlineMs) => {
        if (!isOpen(message)) throw new keyErrors.ELSEWHERE({ agent: name });
        return keyed.accept(message, deadlineMs);
      },
      control: (message) => isOpen(message) && keyed.control(message),
    };
  }
}
