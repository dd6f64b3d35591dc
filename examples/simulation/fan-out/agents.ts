import { Agent, type Message } from "agentrt";

/** Has an opinion, and tells the notes about it. */
export class Expert extends Agent {
  override async handle(message: Message) {
    await this.cast("notes", { expert: this.name });
    return { opinion: `${this.name} on ${message.type}` };
  }
}

/** Hires experts, asks all of them at once, reads the notes, and lets one of the experts go. */
export class Asker extends Agent {
  #askedCount = 0;

  override async handle() {
    const experts = [1, 2, 3, 4, 5].map((number) => `expert-${number}`);
    const heard = await Promise.allSettled(experts.map(async (expert) => await this.#ask(expert)));
    const opinions = heard.filter(({ status }) => status === "fulfilled").length;
    let lines = 0;
    for await (const _ of this.stream("notes", { read: 3 }, { timeoutMs: 5000 })) lines += 1;
    this.#askedCount += 1;
    const gone = experts[this.#askedCount % experts.length] ?? "";
    await this.despawn(gone).catch(() => undefined);
    return { opinions, lines };
  }

  async #ask(expert: string) {
    // One that is there already is asked all the same; the fifth finds no room.
    await this.spawnInto("experts", "agents.Expert", expert).catch(() => undefined);
    return await this.call(expert, {}, { timeoutMs: 1500 });
  }
}

/** Counts who has said something, saves every tenth count, and is read line by line. */
export class Notes extends Agent {
  override async *handle(message: Message) {
    const read = message.payload["read"];
    if (typeof read === "number") {
      for (let line = 0; line < read; line += 1) yield { line, count: this.state["count"] ?? 0 };
      return;
    }
    const count = Number(this.state["count"] ?? 0) + 1;
    this.state["count"] = count;
    if (count % 10 === 0) await this.checkpoint();
  }
}
