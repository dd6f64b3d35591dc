import { Agent, type AgentOptions, type Approval } from "agentrt";

const schema = { type: "object", properties: { amount: { type: "number" } } };

/** Asks for each payment, and pays what was approved and nothing else. Every third time nobody has long to decide. */
export class Payer extends Agent {
  constructor(name: string, options?: AgentOptions) {
    super(name, { ...options, hookTimeoutMs: 2000, shutdownTimeoutMs: 3000 });
  }

  override async handle() {
    const asked = Number(this.state["asked"] ?? 0) + 1;
    this.state["asked"] = asked;
    const expiresMs = asked % 3 === 0 ? 500 : 60_000;
    const isEditable = asked % 2 === 0;
    const approval = { kind: "pay", payload: { amount: asked }, expiresMs };
    const id = await this.suspendForApproval(isEditable ? { ...approval, schema } : approval);
    return { id };
  }

  override onApproval(approval: Approval) {
    const { amount } = approval.granted();
    this.state["paid"] = Number(this.state["paid"] ?? 0) + Number(amount);
  }
}

/** Has two payers for the day, and sends the next message to both. */
export class Foreman extends Agent {
  readonly #payers = new Set<string>();

  override async handle() {
    const name = ["payer-1", "payer-2"].find((each) => !this.#payers.has(each));
    if (name !== undefined) {
      this.#payers.add(name);
      await this.spawn(Payer, name).catch(() => this.#payers.delete(name));
    }
    for (const each of this.#payers)
      await this.call(each, {}, { timeoutMs: 500 }).catch(() => undefined);
    return {};
  }
}
