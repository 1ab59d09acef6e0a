import type { Permission } from '@atrium/contract/permissions.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Log } from './log.ts';

/** Who acts: a key, whoever holds the link to one conversation, a channel, a trigger, the platform itself. Later doors add their own kind. */
export interface Actor {
  kind: 'api_key' | 'link' | 'channel' | 'trigger' | 'system';
  id: string;
  name: string;
  /** Of a trigger: the delivery that it acts upon. What comes of it is told under this name. */
  delivery_id?: string;
  /**
   * Keys that stand behind it: of one that was rotated the first of its line, of a trigger the key of whoever made it,
   * and of whoever fired it by hand.
   */
  behind?: readonly string[];
}

/** Everything that an actor is known by: two who share one of these are not two people. */
export const namesOf = ({ id, behind = [] }: Actor): string[] => [id, ...behind];

/** Whether somebody outside the workspace speaks: they are sent less, and what they say is a stranger's word. */
export const isOutsider = ({ actor }: { actor: Pick<Actor, 'kind'> }) =>
  actor.kind === 'link' || actor.kind === 'channel';

/** The answer of the one resolver: who a credential is, where it acts and what it may do. */
export interface Principal {
  tenant_id: string;
  workspace_id: string;
  /** Where the credential itself lives; `workspace_id` is another one when a system key names it. */
  home_workspace_id: string;
  actor: Actor;
  permissions: ReadonlySet<Permission>;
  /** A system key acts on its whole tenant and may name another workspace in a request. */
  tenant_admin: boolean;
  /** Requests a minute; null: as many as the server lets every key make. */
  rate_limit?: number | null;
}

/** The privacy, guardrail and usage settings that a run hands on to the runs it begins. */
export interface InheritedSettings {
  settings: Readonly<Record<string, unknown>>;
  /** The conversation they come from: what was private in it is private in what it asks for, whatever tells of it there. */
  conversation_id: string;
}

/** A conversation that model calls are charged to, and the limits that its settings give it. */
export interface TokenAccount {
  conversation_id: string;
  most_tokens: number;
  /** Model calls in one of its runs. */
  most_calls: number;
}

/** What every service verb is given first: the principal and the request it acts in. */
export interface Scope extends Principal {
  request_id: string;
  /** How many runs wait, one for the other, for what is done here; a request of a client's own waits for none. */
  depth?: number;
  /** What went into what this work is given, where that is not its caller's own. */
  brings?: readonly Taint[];
  /** The types of tools that the flow of a conversation may call; none: any. */
  tool_types?: readonly string[];
  /** What the run that begins this work is held to; what it begins is held to no less. */
  inherits?: InheritedSettings;
  /** The conversations that wait for this work; its model calls count within the limits of each. */
  accounts?: readonly TokenAccount[];
  log: Log;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** Where the request comes from, as the proxies that the operator trusts tell it. */
  readonly address?: string;
  /** The Idempotency-Key of a request whose service keeps it itself, with what makes two such requests the same. */
  request_key?: { key: string; fingerprint: Buffer };
  /** Set while a request with an Idempotency-Key runs; `db.transaction` stores its answer with the work itself. */
  idempotency?: { store(run: (text: string, values: unknown[]) => Promise<unknown>, answer: unknown): Promise<void> };
}
