import { Agent, type Message } from "agentrt";

/** One account. What it has confirmed is saved, and what it was asked twice is booked once. */
export class Account extends Agent {
  override async handle(message: Message) {
    const { amount = 0, booking } = message.payload;
    const booked = (this.state["booked"] ?? {}) as { [booking: string]: number };
    if (typeof booking === "string" && typeof amount === "number" && !(booking in booked)) {
      this.state["booked"] = { ...booked, [booking]: amount };
      try {
        await this.checkpoint();
      } catch (error) {
        this.state["booked"] = booked;
        throw error;
      }
    }
    return { balance: balanceOf(this.state) };
  }
}

/** Moves one coin from one account to the other, and says so only when both have confirmed. */
export class Bank extends Agent {
  override async handle(message: Message) {
    const booking = message.id;
    await this.call("alice", { booking, amount: -1 }, { timeoutMs: 5000 });
    await this.call("bob", { booking, amount: 1 }, { timeoutMs: 5000 });
    return { booking };
  }
}

/** The balance that a state holds. */
export function balanceOf(state: { readonly [key: string]: unknown }): number {
  const booked = (state["booked"] ?? {}) as { readonly [booking: string]: number };
  return Object.values(booked).reduce((sum, amount) => sum + amount, 0);
}
