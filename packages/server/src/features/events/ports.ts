import type { ActorName } from '@atrium/contract/actor.ts';
import type { Scope } from '../../lib/scope.ts';

/** Which documents and shared conversations a caller sees now. */
export interface RecordRights {
  /** The rights that documents have now, by their ids; null: everybody. Those that are gone have no entry. */
  rightsOf(
    workspace_id: string,
    documents: readonly { kb_id: string; document_id: string }[],
  ): Promise<Map<string, number | null>>;
  /** The people whom conversations are shared with. */
  readersOf(
    workspace_id: string,
    conversation_ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Everything, or what is for everybody and these sets of rights. */
  visible(scope: Scope): Promise<'all' | readonly number[]>;
}

/** Finds who the actors of events are. */
export type NameActors = (scope: Scope, ids: readonly (string | null)[]) => Promise<(id: string) => ActorName>;
