import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { Memory, MemoryListQuery } from '@atrium/contract/memories/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { FindPii } from '../../pii/ports.ts';
import { withoutSecrets } from './secret-patterns.ts';
import * as store from './store.ts';

export interface Memories {
  /** Stores a memory, unless the same text is stored already. */
  remember(
    scope: Scope,
    owner: store.Owner,
    whom: store.Subject,
    said: string,
    settings: PrivacySettings,
    from: {
      conversation_id: string;
      run_id: string;
      untrusted: boolean;
    },
  ): Promise<Memory>;
  recall(scope: Scope, owner: store.Owner, whom: store.Subject, query: string, limit: number): Promise<Memory[]>;
  /** Deletes a memory for the agent, which can delete only what it could recall. */
  forget(scope: Scope, owner: store.Owner, whom: store.Subject, id: string): Promise<boolean>;
  list(scope: Scope, owner: store.Owner, query: MemoryListQuery): Promise<Paged<Memory>>;
  get(scope: Scope, owner: store.Owner, id: string): Promise<Memory>;
  /** Text of a user is anonymized like any other, and trusted. */
  edit(scope: Scope, owner: store.Owner, id: string, text: string, settings: PrivacySettings): Promise<Memory>;
  erase(scope: Scope, owner: store.Owner, id: string): Promise<void>;
  /** Deletes all memories, or all about one subject. */
  eraseAll(scope: Scope, owner: store.Owner, subject_id: string | undefined): Promise<void>;
}
export type { Owner, Subject } from './store.ts';

type PrivacySettings = Pick<Settings, 'pii_anonimization'>;

/** The most memories of one owner; a user has to delete old ones. */
const mostMemories = 2000;

/** The memories of agents. Personal data is removed by the agent's own settings before anything is stored. */
export function makeMemories({ db, findPii }: { db: Database; findPii: FindPii }): Memories {
  /** Replaces values by the names of their entities, irreversibly. */
  async function scrubbed(text: string, { pii_anonimization }: PrivacySettings): Promise<string> {
    const plain = withoutSecrets(text);
    const entities = [...new Set(pii_anonimization.map(({ value }) => value))];
    if (entities.length === 0) return plain;
    const spans = await findPii(plain, entities);
    return spans.reduceRight(
      (left, { start, end, entity }) => `${left.slice(0, start)}[${entity}]${left.slice(end)}`,
      plain,
    );
  }

  return {
    async remember(
      scope: Scope,
      owner: store.Owner,
      whom: store.Subject,
      said: string,
      settings: PrivacySettings,
      from: { conversation_id: string; run_id: string; untrusted: boolean },
    ): Promise<Memory> {
      const text = await scrubbed(said.trim(), settings);
      const known = await store.findSameMemory(db, scope.workspace_id, owner, whom, text);
      if (known) return known;
      if ((await store.countOf(db, scope.workspace_id, owner, whom)) >= mostMemories)
        throw conflict(`There are ${mostMemories} memories already; some have to be forgotten first`, 'memory_full');
      return store.insertMemory(db, scope.workspace_id, owner, {
        ...whom,
        id: newId(),
        text,
        from_conversation_id: from.conversation_id,
        from_run_id: from.run_id,
        actor_kind: scope.actor.kind,
        actor_id: scope.actor.id,
        untrusted: from.untrusted,
      });
    },

    recall: (scope: Scope, owner: store.Owner, whom: store.Subject, query: string, limit: number): Promise<Memory[]> =>
      store.recall(db, scope.workspace_id, owner, whom, query, limit),

    forget: async (scope: Scope, owner: store.Owner, whom: store.Subject, id: string): Promise<boolean> =>
      (await store.deleteMemory(db, scope.workspace_id, owner, id, whom)) > 0,

    async list(scope: Scope, owner: store.Owner, query: MemoryListQuery): Promise<Paged<Memory>> {
      const page = pageOf(query);
      const filter = { search: query.search, subject_id: query.subject_id };
      const [items, total] = await Promise.all([
        store.listMemories(db, scope.workspace_id, owner, filter, page),
        store.countMemories(db, scope.workspace_id, owner, filter),
      ]);
      return pageAnswer(items, total, page);
    },

    async get(scope: Scope, owner: store.Owner, id: string): Promise<Memory> {
      const found = await store.findMemory(db, scope.workspace_id, owner, id);
      if (!found) throw notFound('memory');
      return found;
    },

    async edit(scope: Scope, owner: store.Owner, id: string, text: string, settings: PrivacySettings): Promise<Memory> {
      const row = {
        text: await scrubbed(text.trim(), settings),
        actor_kind: scope.actor.kind,
        actor_id: scope.actor.id,
      };
      const changed = await db.write(scope, (tx) => store.updateMemory(tx, scope.workspace_id, owner, id, row));
      if (!changed) throw notFound('memory');
      return changed;
    },

    async erase(scope: Scope, owner: store.Owner, id: string): Promise<void> {
      if (!(await store.deleteMemory(db, scope.workspace_id, owner, id))) throw notFound('memory');
    },

    eraseAll: async (scope: Scope, owner: store.Owner, subject_id: string | undefined): Promise<void> =>
      void (await store.deleteMemories(db, scope.workspace_id, owner, { search: undefined, subject_id })),
  };
}
