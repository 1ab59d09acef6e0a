import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../db/database.ts';
import type { Actor, InheritedSettings, RunPlace, TokenAccount } from '../lib/scope.ts';

/** Another node executes the run now, or it was deleted. The execution ends without storing anything. */
export class LeaseLost extends Error {}

/** A principal as it is stored in the row of a run. */
export interface StoredPrincipal {
  tenant_id: string;
  home_workspace_id: string;
  actor: Actor;
  permissions: Permission[];
  tenant_admin: boolean;
  /** The asking person, whose rights to documents count; none for outsiders and service accounts. */
  person_id?: string;
  /** The owner of what the run makes, where it acts for no person. */
  record_owner_id?: string;
  /** It acts for a key from before records had owners. */
  wide_reach?: true;
  /** The key or trigger of a person who may not read others' conversations: the run sees those of that person. */
  own_conversations?: true;
  /** The person whose conversations alone the run sees, where it does not act for that person. */
  conversations_of?: string;
  /** The conversation of another person that is shared with the caller. */
  shared?: { conversation_id: string; access: 'read' | 'write' };
  /** How many runs wait for this one, directly and indirectly. */
  depth?: number;
  /** The step of another run that started it. */
  parent?: RunPlace;
  /** The taint of its input. */
  brings?: readonly Taint[];
  /** The types of tools that the flow of a conversation may call; all when absent. */
  tool_types?: readonly string[];
  /** The restrictions of the run that started it. */
  inherits?: InheritedSettings;
  /** The conversations that its model calls are charged to, besides its own. */
  accounts?: readonly TokenAccount[];
}

/** A run of any kind, as the executor needs it. */
export interface LeasedRun {
  id: string;
  group_id: string;
  last_seq: number;
  stop_requested: boolean;
  /** The actor that the run acts for, also on a node that takes it over. */
  principal: StoredPrincipal;
}

/** The stored runs of one kind, and their leases. */
export interface RunQueue<R extends LeasedRun> {
  /** The longest waiting run of each workspace that could begin now. */
  waitingRuns(db: Db): Promise<R[]>;
  someWait(db: Db): Promise<boolean>;
  /** Marks a run that waits for people as running on this node; undefined when it does not wait any more. */
  resumeRun(db: Db, workspace_id: string, id: string, node_id: string): Promise<R | undefined>;
  /** Takes over runs with an expired lease. */
  takeOver(db: Db, node_id: string, limit: number): Promise<R[]>;
  /** Renews the leases of these runs, and answers the runs that still belong to the node. */
  renewLeases(db: Db, node_id: string, ids: readonly string[]): Promise<{ id: string; stop_requested: boolean }[]>;
  /** Of these runs, those that do not belong to the node: another node has them, or they are over or deleted. */
  lostRuns(db: Db, node_id: string, runs: readonly { group_id: string; id: string }[]): Promise<string[]>;
  /** Ends the lease of a run that this node could not go on with, so that any node takes it over at once. */
  releaseRun(db: Db, node_id: string, run: { group_id: string; id: string }): Promise<unknown>;
  releaseRuns(db: Db, node_id: string): Promise<unknown>;
  /** Ends the leases of all runs; for a node that is alone on its database. */
  lapseAll(db: Db): Promise<unknown>;
  /** Answers the status of the run. */
  requestStop(db: Db, workspace_id: string, run_id: string): Promise<{ status: RunStatus } | undefined>;
}
