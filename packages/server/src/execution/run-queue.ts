import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../db/database.ts';
import type { Actor, InheritedSettings, TokenAccount } from '../lib/scope.ts';

/** Another node carries the run now, or it was deleted: whoever finds out stops without a word. */
export class LeaseLost extends Error {}

/** A principal as a row keeps it. */
export interface StoredPrincipal {
  tenant_id: string;
  home_workspace_id: string;
  actor: Actor;
  permissions: Permission[];
  tenant_admin: boolean;
  /** How many runs wait for this one, in a line. */
  depth?: number;
  /** What went into what it was given. */
  brings?: readonly Taint[];
  /** The types of tools it may call, where it is the flow of a conversation that names some. */
  tool_types?: readonly string[];
  /** What the run that began it is held to. */
  inherits?: InheritedSettings;
  /** The conversations that its model calls are charged to, besides its own. */
  accounts?: readonly TokenAccount[];
}

/** What an executor has to know of a run, of whichever kind. */
export interface LeasedRun {
  id: string;
  group_id: string;
  last_seq: number;
  stop_requested: boolean;
  /** Who it acts for, should another node take it over. */
  principal: StoredPrincipal;
}

/** Where runs of one kind are kept, and the leases on them. */
export interface RunQueue<R extends LeasedRun> {
  /** The longest waiting run of each workspace that could begin now. */
  waitingRuns(db: Db): Promise<R[]>;
  someWait(db: Db): Promise<boolean>;
  /** Runs whose node has been silent for too long, ours from now on. */
  takeOver(db: Db, node_id: string, limit: number): Promise<R[]>;
  /** Of the runs that a node carries, those that are still its own; they stay so for another while. */
  renewLeases(db: Db, node_id: string, ids: readonly string[]): Promise<{ id: string; stop_requested: boolean }[]>;
  /** Of these runs, those that are there no more. */
  deletedRuns(db: Db, runs: readonly { group_id: string; id: string }[]): Promise<string[]>;
  releaseRuns(db: Db, node_id: string): Promise<unknown>;
  /** Nobody carries any run: for a node that knows itself alone. */
  lapseAll(db: Db): Promise<unknown>;
  /** Answers how the run stands. */
  requestStop(db: Db, workspace_id: string, run_id: string): Promise<{ status: RunStatus } | undefined>;
}
