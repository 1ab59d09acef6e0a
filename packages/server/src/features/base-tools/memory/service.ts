import type { Position } from '@atrium/contract/cursor.ts';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { Memory, MemoryListQuery } from '@atrium/contract/memories/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withNames } from '../../actors/service.ts';
import type { Keyring } from '../../keyring/service.ts';
import type { FindPii } from '../../pii/ports.ts';
import { anonymize } from '../../pii/service.ts';
import { rankPassages } from '../rank-passages.ts';
import { makeSealedMemories } from './sealed-memories.ts';
import { withoutSecrets } from './secret-patterns.ts';
import * as store from './store.ts';

export interface Memories {
  /** Stores a memory without its secrets, unless the same text is stored already. */
  remember(
    scope: Scope,
    owner: store.Owner,
    whom: store.Subject,
    said: string,
    from: {
      conversation_id: string;
      run_id: string;
      untrusted: boolean;
    },
  ): Promise<UnnamedMemory>;
  recall(scope: Scope, owner: store.Owner, whom: store.Subject, query: string, limit: number): Promise<UnnamedMemory[]>;
  /** Deletes a memory for the agent, which can delete only what it could recall. */
  forget(scope: Scope, owner: store.Owner, whom: store.Subject, id: string): Promise<boolean>;
  /** Texts are shown as they were said, or anonymized by the settings to a caller that may not read them. */
  list(scope: Scope, owner: store.Owner, query: MemoryListQuery, settings: PrivacySettings): Promise<Paged<Memory>>;
  get(scope: Scope, owner: store.Owner, id: string, settings: PrivacySettings): Promise<Memory>;
  /** Text of a user is trusted. */
  edit(scope: Scope, owner: store.Owner, id: string, text: string, settings: PrivacySettings): Promise<Memory>;
  erase(scope: Scope, owner: store.Owner, id: string): Promise<void>;
  /** Deletes all memories, or all about one subject. */
  eraseAll(scope: Scope, owner: store.Owner, subject_id: string | undefined): Promise<void>;
}
export type { Owner, Subject } from './store.ts';

type UnnamedMemory = store.UnnamedMemory;

type PrivacySettings = Pick<Settings, 'pii_anonimization'>;

/** The most memories of one owner about one subject; a user has to delete old ones. */
const mostMemories = 2000;
/** The memories that are opened at once while all of an owner's are searched. */
const pageSize = 500;

/** Equal for memories that say the same in the same words. */
const normalized = (text: string) => text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');

/**
 * The memories of agents. They are stored as they were said, without secrets, in sealed boxes, so they are searched here
 * and not by the database. What a model recalls is anonymized with the rest of its request.
 */
export function makeMemories({ db, keyring, findPii }: { db: Database; keyring: Keyring; findPii: FindPii }): Memories {
  const { seal, open } = makeSealedMemories({ db, keyring });
  const openAll = (rows: readonly store.StoredMemory[]) => Promise.all(rows.map(open));

  /** The memory for a caller that may not read what others said: with placeholders for the owner's listed entities. */
  async function hidden(memory: UnnamedMemory, { pii_anonimization }: PrivacySettings): Promise<UnnamedMemory> {
    const entities = [...new Set(pii_anonimization.map(({ value }) => value))];
    if (entities.length === 0) return memory;
    return { ...memory, text: anonymize(memory.text, await findPii(memory.text, entities)) };
  }

  /** Memories of a conversation are seen by those who see the conversation, all of an agent's by `conversations_read`. */
  const seesOriginal = ({ permissions }: Scope, owner: store.Owner) =>
    !('agent_id' in owner) || allows(permissions, 'conversations_read');

  const shownTo = (scope: Scope, owner: store.Owner, settings: PrivacySettings) => async (memory: UnnamedMemory) =>
    seesOriginal(scope, owner) ? memory : hidden(memory, settings);

  async function namedAll(scope: Scope, memories: readonly UnnamedMemory[]): Promise<Memory[]> {
    const actors = memories.map(({ provenance }) => provenance.actor);
    const subjects = memories.flatMap(({ subject, subject_id }) =>
      subject === 'user' && subject_id ? { kind: 'person', id: subject_id } : [],
    );
    const names = await withNames(db, scope, [...actors, ...subjects]);
    const nameOf = new Map(names.slice(actors.length).map(({ id, name }) => [id, name]));
    return memories.map((memory, at) => ({
      ...memory,
      subject_name: nameOf.get(memory.subject_id ?? '') ?? null,
      provenance: { ...memory.provenance, actor: required(names[at]) },
    }));
  }
  const named = async (scope: Scope, memory: UnnamedMemory) => required((await namedAll(scope, [memory]))[0]);

  async function find(scope: Scope, owner: store.Owner, id: string): Promise<UnnamedMemory> {
    const row = await store.findMemory(db, scope.workspace_id, owner, id);
    if (!row) throw notFound('memory');
    return open(row);
  }

  /** The memories with a word of the search, newest first. */
  async function search(scope: Scope, owner: store.Owner, { search: words = '', subject_id }: MemoryListQuery) {
    const found: UnnamedMemory[] = [];
    for (let after: Position | null | undefined; after !== null; ) {
      const page = { size: pageSize, offset: 0, total: 0, ...(after && { after }) };
      const { rows, last } = await store.listMemories(db, scope.workspace_id, owner, subject_id, page);
      const passages = (await openAll(rows)).map((memory) => ({ content: memory.text, offset: 0, memory }));
      const fitting = new Set(rankPassages(words, passages, pageSize).map(({ memory }) => memory));
      found.push(...passages.flatMap(({ memory }) => (fitting.has(memory) ? memory : [])));
      after = last;
    }
    return found;
  }

  return {
    async remember(
      scope: Scope,
      owner: store.Owner,
      whom: store.Subject,
      said: string,
      from: { conversation_id: string; run_id: string; untrusted: boolean },
    ): Promise<UnnamedMemory> {
      const text = withoutSecrets(said.trim());
      const earlier = await openAll(await store.listAbout(db, scope.workspace_id, owner, whom));
      const known = earlier.find((memory) => normalized(memory.text) === normalized(text));
      if (known) return known;
      if (earlier.length >= mostMemories)
        throw conflict(`There are ${mostMemories} memories already; some have to be forgotten first`, 'memory_full');
      const id = newId();
      const row = await store.insertMemory(db, scope.workspace_id, owner, {
        ...whom,
        id,
        sealed: await seal(scope.workspace_id, id, text),
        from_conversation_id: from.conversation_id,
        from_run_id: from.run_id,
        actor_kind: scope.actor.kind,
        actor_id: scope.actor.id,
        untrusted: from.untrusted,
      });
      return open(row);
    },

    /** Memories with words of the query first, best match first; then the newest. */
    async recall(scope: Scope, owner: store.Owner, whom: store.Subject, query: string, limit: number) {
      const all = await openAll(await store.listAbout(db, scope.workspace_id, owner, whom));
      const passages = all.map((memory) => ({ content: memory.text, offset: 0, memory }));
      const best = rankPassages(query, passages, limit).map(({ memory }) => memory);
      return [...new Set([...best, ...all])].slice(0, limit);
    },

    forget: async (scope: Scope, owner: store.Owner, whom: store.Subject, id: string): Promise<boolean> =>
      (await store.deleteMemory(db, scope.workspace_id, owner, id, whom)) > 0,

    async list(scope: Scope, owner: store.Owner, query: MemoryListQuery, settings: PrivacySettings) {
      const page = pageOf(query);
      const show = shownTo(scope, owner, settings);
      if (query.search) {
        const found = await search(scope, owner, query);
        const items = found.slice(page.offset, page.offset + page.size);
        return pageAnswer(await namedAll(scope, await Promise.all(items.map(show))), found.length, page);
      }
      const { rows, total, last } = await store.listMemories(db, scope.workspace_id, owner, query.subject_id, page);
      return pageAnswer(await namedAll(scope, await Promise.all((await openAll(rows)).map(show))), total, page, last);
    },

    get: async (scope: Scope, owner: store.Owner, id: string, settings: PrivacySettings): Promise<Memory> =>
      named(scope, await shownTo(scope, owner, settings)(await find(scope, owner, id))),

    async edit(scope: Scope, owner: store.Owner, id: string, said: string, settings: PrivacySettings): Promise<Memory> {
      const show = shownTo(scope, owner, settings);
      const before = await find(scope, owner, id);
      const shown = await show(before);
      // Placeholders that are sent back as they were read must not replace the original.
      if (shown.text !== before.text && said.trim() === shown.text) return named(scope, shown);
      const row = {
        sealed: await seal(scope.workspace_id, id, withoutSecrets(said.trim())),
        actor_kind: scope.actor.kind,
        actor_id: scope.actor.id,
      };
      const changed = await db.write(scope, (tx) => store.updateMemory(tx, scope.workspace_id, owner, id, row));
      if (!changed) throw notFound('memory');
      return named(scope, await show(await open(changed)));
    },

    async erase(scope: Scope, owner: store.Owner, id: string): Promise<void> {
      await db.write(scope, async (tx) => {
        if (!(await store.deleteMemory(tx, scope.workspace_id, owner, id))) throw notFound('memory');
      });
    },

    eraseAll: async (scope: Scope, owner: store.Owner, subject_id: string | undefined): Promise<void> =>
      void (await db.write(scope, (tx) => store.deleteMemories(tx, scope.workspace_id, owner, subject_id))),
  };
}
