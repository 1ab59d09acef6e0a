import { forbidden } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Log } from './log.ts';

/** Who acts: a key, a person, the holder of a conversation's link, a channel, a trigger, or the platform itself. */
export interface Actor {
  kind: 'api_key' | 'person' | 'link' | 'channel' | 'trigger' | 'system';
  id: string;
  name: string;
  /** For a trigger: the delivery that it acts upon; events that this work causes name it. */
  delivery_id?: string;
  /** For a rotated key: the first of its line. */
  line?: string;
  /**
   * Who stands behind the actor. For a key: the first of its line, its owner, and the people who may know its value. For a
   * trigger: its owner, the key of its author, and the key that fired it by hand.
   */
  behind?: readonly string[];
}

/** Everything that an actor is known by: two who share one of these are not two people. */
export const namesOf = ({ id, behind = [] }: Actor): string[] => [id, ...behind];

/** The id to store as the author of something; null for the platform itself. */
export const actorId = ({ actor }: { actor: Pick<Actor, 'kind' | 'id'> }): string | null =>
  actor.kind === 'system' ? null : actor.id;

/** Whether the actor is outside the workspace: it is sent less, and its messages are untrusted. */
export const isOutsider = ({ actor }: { actor: Pick<Actor, 'kind'> }) =>
  actor.kind === 'link' || actor.kind === 'channel';

/** The person who acts, by a session or what they own; null for programs and for people outside. */
export const personBehind = (scope: Pick<Principal, 'actor' | 'person_id'>): string | null =>
  isOutsider(scope) ? null : (scope.person_id ?? (scope.actor.kind === 'person' ? scope.actor.id : null));

/**
 * The person or service account that records of this work belong to; null for visitors and the platform, and for work of a
 * trigger that is not done for its owner.
 */
export const recordOwner = (scope: Pick<Principal, 'actor' | 'person_id' | 'record_owner_id'>): string | null =>
  isOutsider(scope) ? null : (personBehind(scope) ?? scope.record_owner_id ?? null);

/** The asking person, for a principal that is stored; outsiders ask for nobody. */
export const personFields = (scope: Pick<Principal, 'actor' | 'person_id'>): { person_id?: string } => {
  const person_id = personBehind(scope);
  return person_id === null ? {} : { person_id };
};

/** The words of a refusal: people read of themselves, programs of their key. */
export const lacksPermission = ({ actor }: { actor: Pick<Actor, 'kind'> }, needed: string) =>
  `${actor.kind === 'person' ? 'You lack' : 'This key lacks'} the permission ${needed}`;

export const secondFactorRequired = () =>
  forbidden('The organization requires a second factor: enrol it first', 'second_factor_required');

/** The id of no person, for work that sees the conversations of nobody. */
export const noPerson = '00000000-0000-0000-0000-000000000000';

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
  /** The session of a person who is signed in. */
  session_id?: string;
  /** The person has to enrol a second factor before anything else. */
  must_enrol?: true;
  /** The person behind the credential: who is signed in, or who owns the key, trigger or deployment. */
  person_id?: string;
  /** The person or the service account that the credential belongs to; none for links, channels and the platform. */
  owner_id?: string;
  /** Of a key or trigger that belongs to no person: the owner of the records that it makes. */
  record_owner_id?: string;
  /** A key from before records had owners: it sees those of everybody, as it did then. */
  wide_reach?: true;
  /** A key of a person who may not read others' conversations: it sees those of that person, as their sessions do. */
  own_conversations?: true;
  /**
   * The person whose conversations alone the work sees, where it is not done for that person: the run of a trigger that
   * another caller fired. `noPerson`: it sees those alone that it makes itself.
   */
  conversations_of?: string;
  /** The conversation of another person that is shared with the caller, who asks about it. */
  shared?: { conversation_id: string; access: 'read' | 'write' };
  /** The holder of a link that is for reading only. */
  read_only?: true;
  /** Requests a minute; null: as many as the server lets every caller make. */
  rate_limit?: number | null;
  /** Event streams open at once; null: as many as the server lets every caller hold. */
  stream_limit?: number | null;
}

/** People and user groups who decide about what a run asks people, named by the agent or by the call that started it. */
export interface InheritedApprovers {
  /** The type of the tools that they are named for; null: everything that the run asks about. */
  type: string | null;
  approvers: readonly string[];
  approver_groups: readonly string[];
  /** Some of them were named by a caller, who does not decide about its own calls. */
  four_eyes?: true;
}

/** The privacy, guardrail and usage settings that a run hands on to the runs it begins. */
export interface InheritedSettings {
  settings: Readonly<Record<string, unknown>>;
  /** The conversation that they come from: values that are private in it stay private in the work that it asks for. */
  conversation_id: string;
  approvers?: readonly InheritedApprovers[];
}

/** A step of a run, by its place in the run's log or journal. */
export interface RunPlace {
  run_id: string;
  step_id: string;
}

/** A conversation that model calls are charged to, and the limits that its settings give it. */
export interface TokenAccount {
  conversation_id: string;
  most_tokens: number;
  /** Model calls in one of its runs. */
  most_calls: number;
}

/** What a feature adds to the audit row of a change; later notes add to earlier ones. */
export interface ChangeNote {
  /** The record that was changed, where it is not the last one that the path names or the one that was created. */
  target?: { kind: string; id: string; name?: string | null };
  /** The record before and after. Fields that are the same in both are left out, and so are secrets. */
  before?: object | null;
  after?: object | null;
  /** Fields of which the row says only that they were changed, such as names of people. */
  hidden?: readonly string[];
  /** The workspace whose log the row belongs to; null: the organization. */
  workspace_id?: string | null;
  /** Who acts, where the request itself does not tell: a person who signs in. */
  tenant_id?: string;
  person?: { id: string; name?: string };
  session_id?: string;
}

/** Writes the one audit row of a request that changes something. */
export interface ChangeRecorder {
  note(note: ChangeNote): void;
  /** Whether the row is still to be written. */
  readonly isPending: boolean;
  /** Inserts the row in the transaction of the change. */
  store(run: (text: string, values: unknown[]) => Promise<unknown>, result: unknown): Promise<void>;
  /** The transaction that has stored the row is committed. */
  committed(): void;
}

/** A record of another person that a caller is shown by a wide permission. */
export interface ReadNote {
  kind: string;
  /** Null: several, such as the rows of a query. */
  id: string | null;
  /** The person whose it is; null: not known, or several. */
  owner_id: string | null;
}

/** Runs a statement in a transaction. */
export type RunStatement = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

/** The version of a record: when it was made, and by whom. */
export interface RecordVersion {
  etag: string;
  updated_at: string | null;
  updated_by: string | null;
}

/** Refuses a change of a record that is newer than the one that the client has seen. */
export interface SaveCheck {
  /** Whether no transaction of the request is committed yet. */
  readonly isPending: boolean;
  /** Locks the record for the transaction and reads its version. */
  lock(run: RunStatement): Promise<void>;
  /** The version, from a service that has locked the record itself. */
  saw(version: RecordVersion): void;
  /** Throws when the version is not the one that the client named. After the work, so that its own refusals come first. */
  verify(): void;
  committed(): void;
}

/** The first argument of every service verb: the principal and the request it acts in. */
export interface Scope extends Principal {
  request_id: string;
  /** How many runs wait for one another for this work; 0 for a request of a client. */
  depth?: number;
  /** The step of a run that this work is done in; runs that it starts and models that it calls belong to that step. */
  within?: RunPlace;
  /** The taint of the input of this work, where the input is not the caller's own. */
  brings?: readonly Taint[];
  /** The types of tools that the flow of a conversation may call; none: any. */
  tool_types?: readonly string[];
  /** The digest of what lies beneath the workflow, as a person has approved it; a run whose workflows differ has no effects. */
  approved_reach?: string;
  /** The restrictions of the run that begins this work; the work is held to no less. */
  inherits?: InheritedSettings;
  /** The conversations that wait for this work; its model calls count within the limits of each. */
  accounts?: readonly TokenAccount[];
  log: Log;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /**
   * Set in the work of a run: throws when another node may have the run, so that a process that was stopped for a while
   * has no effects when it comes back. Called right before each effect.
   */
  requireLease?(): Promise<void>;
  /** Where the request comes from, as the proxies that the operator trusts tell it. */
  readonly address?: string;
  /** The Idempotency-Key of a request whose service keeps it itself, with what makes two such requests the same. */
  request_key?: { key: string; fingerprint: Buffer };
  /** Set while a request with an Idempotency-Key runs; `db.transaction` stores its answer with the work itself. */
  idempotency?: { store(run: (text: string, values: unknown[]) => Promise<unknown>, answer: unknown): Promise<void> };
  /** Authenticates the caller of the request once more, for answers that go on: fails when it may not read them now. */
  authorize?(): Promise<Principal>;
  /** Set while a request that changes something runs; `db.transaction` stores its audit row with the work itself. */
  audit?: ChangeRecorder;
  /** Set while a request runs: names a record of another person that it reads, for the access log. */
  noteRead?(read: ReadNote): void;
  /** Set while a request with If-Match runs; `db.transaction` checks the version of the record under its lock. */
  save_check?: SaveCheck;
  /** The version of the record, for the header ETag of the answer. */
  etag?: string;
}
