import type { messagesOf, UntypedMessages } from "../messages/index.ts";

/**
 * The agents of your tree by name: whom `call`, `cast`, `send` and `stream` know. It is empty; a program adds the names
 * whose messages are to be checked. All other names take any JSON.
 *
 * @example
 * declare module "agentrt" {
 *   interface AgentNames {
 *     greeter: GreeterAgent;
 *   }
 * }
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- programs add the members
export interface AgentNames {}

/** A name that `AgentNames` knows, or any other. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- there are none until a program adds some
export type AgentName = Extract<keyof AgentNames, string> | (string & {});

/** What the agent of a name, or of a key as `ticket/4711`, says about its messages. */
export type MessagesAt<Name> = Name extends keyof AgentNames
  ? MessagesIn<AgentNames[Name]>
  : Name extends `${infer Holder}/${string}`
    ? Holder extends keyof AgentNames
      ? MessagesIn<AgentNames[Holder]>
      : UntypedMessages
    : UntypedMessages;

type MessagesIn<Found> = Found extends { readonly [messagesOf]: infer Messages }
  ? Messages
  : UntypedMessages;
