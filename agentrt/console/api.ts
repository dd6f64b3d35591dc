/** The routes of the control plane, as this page asks them, and the session that lets it. */
import { Store } from "./store.ts";

/** Who is signed in. */
export interface Session {
  readonly principal: string;
  /** Some of `read`, `operate` and `approve`; null for all. */
  readonly scopes: readonly string[] | null;
  readonly csrf_token: string;
  readonly expires_at: number;
}

/** Where the sign-in is: not known yet, out (with what to say about it), or in. */
export type SignInState =
  | { readonly kind: "unknown" }
  | {
      readonly kind: "out";
      readonly notice: string;
      /** True for who has signed out. */
      readonly isLeft?: boolean;
    }
  | { readonly kind: "in"; readonly session: Session };

/** An answer that is a refusal: its status, and the server's words. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };

  constructor(status: number, body: { readonly [name: string]: unknown }) {
    super(typeof body["error"] === "string" ? body["error"] : `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** No answer came. */
export class NoAnswer extends Error {
  constructor() {
    super("the server does not answer");
  }
}

const { prefix = "", server = "" } = document.body.dataset;

/** Name of the topology server. */
export const serverName = server;

/** The sign-in of this page. */
export const signIn = new Store<SignInState>({ kind: "unknown" });

/** What fails at the moment, by path; empty when all is well. */
export const failing = new Store<ReadonlyMap<string, string>>(new Map());

/** @returns The URL of a path of the control plane. */
export function urlOf(path: string): string {
  return `${prefix}${path}`;
}

/** An answer of the server. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

interface Question {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: object | undefined;
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
}

/**
 * Asks a route. Where the session is over and the browser can begin another one by itself (a certificate, or a server that asks
 * nobody), it does, and asks again.
 *
 * @throws Refusal and NoAnswer.
 */
export async function ask<Body>(path: string, question: Question = {}): Promise<Answer<Body>> {
  const answer = await send<Body>(path, question);
  if (!(answer instanceof Refusal)) return answer;
  const isOver = answer.status === 401;
  // Another tab may have signed in again: the token of its session is known then.
  const isOtherSession = answer.status === 403 && answer.message.includes("x-agentrt-csrf");
  if (!isOver && !isOtherSession) throw answer;
  if (isOver ? await begin("The session is over. Sign in again.") : await takeSession()) {
    const second = await send<Body>(path, question);
    if (!(second instanceof Refusal)) return second;
    throw second;
  }
  throw answer;
}

async function send<Body>(path: string, question: Question): Promise<Answer<Body> | Refusal> {
  const { method = "GET", body, headers, signal } = question;
  const state = signIn.value;
  const isWrite = method !== "GET";
  const csrf = isWrite && state.kind === "in" ? { "x-agentrt-csrf": state.session.csrf_token } : {};
  const content = body === undefined ? {} : { "content-type": "application/json" };
  let response: Response;
  let text: string;
  try {
    response = await fetch(urlOf(path), {
      method,
      headers: { ...content, ...csrf, ...headers },
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted === true) throw error;
    note(path, "no answer");
    throw new NoAnswer();
  }
  const parsed = parse(text);
  note(path, response.status >= 500 ? `answers ${response.status}` : undefined);
  return response.ok
    ? { status: response.status, body: parsed as Body }
    : new Refusal(response.status, (parsed ?? {}) as { readonly [name: string]: unknown });
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return { error: text.slice(0, 200) };
  }
}

function note(path: string, fault: string | undefined): void {
  const shown = path.replace(/\?.*$/s, "");
  const { value: known } = failing;
  if (known.get(shown) === fault) return;
  const next = new Map(known);
  if (fault === undefined) next.delete(shown);
  else next.set(shown, fault);
  failing.set(next);
}

/** Forgets what failed: the page that asked for it is closed. */
export function forgetFailing(path: string): void {
  note(path, undefined);
}

interface SessionAnswer {
  readonly needs_key: boolean;
  readonly session: Session | null;
}

let beginning: Promise<boolean> | undefined;
let needsKey = false;

/**
 * Finds out who is signed in. Without a session it begins one where no key is needed: a certificate, or a server that asks
 * nobody, lets it.
 *
 * @param notice What to say where that is not possible.
 * @returns Whether there is a session now.
 */
export async function begin(notice = ""): Promise<boolean> {
  beginning ??= findSession(notice).finally(() => {
    beginning = undefined;
  });
  return await beginning;
}

/** @returns Whether the browser's cookie is that of a session. */
async function takeSession(): Promise<boolean> {
  const found = await send<SessionAnswer>("/console/session", {});
  if (found instanceof Refusal) return false;
  const { needs_key, session } = found.body;
  needsKey = needs_key;
  if (session === null) return false;
  signIn.set({ kind: "in", session });
  return true;
}

async function findSession(notice: string): Promise<boolean> {
  // One that lets nobody in any more, such as that of a key that was withdrawn, is given up.
  if (signIn.value.kind === "in") await send("/console/session", { method: "DELETE" });
  else if (await takeSession()) return true;
  if (needsKey) {
    // An attempt without a key would be a refusal in the audit log, and nothing else.
    signIn.set({ kind: "out", notice });
    return false;
  }
  return await enterWithoutKey(notice);
}

/**
 * Signs in without a key: the browser may have a certificate.
 *
 * @param notice What to say where that does not let it in.
 * @returns Whether there is a session now.
 */
export async function enterWithoutKey(notice: string): Promise<boolean> {
  const refusal = await enter({});
  if (refusal === undefined) return true;
  signIn.set({ kind: "out", notice: refusal.status === 401 ? notice : refusal.message });
  return false;
}

/**
 * Signs in.
 *
 * @param headers The credentials.
 * @returns Why not; undefined when it is done.
 * @throws NoAnswer.
 */
export async function enter(headers: {
  readonly [name: string]: string;
}): Promise<Refusal | undefined> {
  const answer = await send<SessionAnswer>("/console/session", { method: "POST", headers });
  if (answer instanceof Refusal) return answer;
  const { session } = answer.body;
  if (session === null) return new Refusal(401, { error: "no session came" });
  signIn.set({ kind: "in", session });
  return undefined;
}

/** Signs out, and says so. */
export async function leave(): Promise<void> {
  try {
    await send("/console/session", { method: "DELETE" });
  } catch {
    // A server that is away keeps no session for long; this page forgets its token either way.
  }
  signIn.set({ kind: "out", notice: "You are signed out.", isLeft: true });
}

/** @returns Whether whoever is signed in may do so much. */
export function may(scope: "read" | "operate" | "approve"): boolean {
  const { value } = signIn;
  return value.kind === "in" && (value.session.scopes?.includes(scope) ?? true);
}
