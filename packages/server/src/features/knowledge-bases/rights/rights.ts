import type { FolderRights, FolderRightsBody } from '@atrium/contract/knowledge-bases/visible-to.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { normalizeFolder } from '../documents/folder-path.ts';
import { listFolderDocuments, setVisibleTo } from '../documents/folder-store.ts';
import type { KbQueue, KbRef } from '../ports.ts';
import type { KnowledgeBases } from '../service.ts';
import { lockBase } from '../store.ts';
import * as store from './rights-store.ts';
import type { Visibility } from './visible.ts';

/** Who sees which documents and folders of a knowledge base. */
export interface Rights extends Visibility {
  listFolders(scope: Scope, kb_id: string): Promise<FolderRights[]>;
  putFolder(scope: Scope, kb_id: string, body: FolderRightsBody): Promise<FolderRights>;
  /** Sets who sees a folder and what is in it, in the caller's transaction. Null: everybody. */
  setFolder(tx: Db, place: KbRef, path: string, words: readonly string[] | null): Promise<void>;
  ofFolder(tx: Db, scope: Scope, kb_id: string, path: string): Promise<string[] | null>;
  /** Gives the record of a folder the rights of its path. */
  copyFolder(tx: Db, place: KbRef, path: string, id: string): Promise<void>;
  /** Forgets the rights of a folder that is deleted, and of those in it. */
  forgetFolder(tx: Db, place: KbRef, path: string): Promise<void>;
  /** Removes the tables made of documents that not everybody sees any more: tables have no such rights. */
  dropHiddenTables(tx: Db, place: KbRef): Promise<void>;
}

/** The audit log names viewers by kind and id; null: everybody. */
export const auditedViewers = (visible_to: FolderRights['visible_to']) =>
  visible_to?.map(({ kind, id }) => `${kind}:${id}`) ?? null;
const auditedRights = ({ prefix, visible_to }: FolderRights) => ({ [prefix]: auditedViewers(visible_to) });

export function makeRights(deps: {
  db: Database;
  bases: KnowledgeBases;
  queue: KbQueue;
  visibility: Visibility;
}): Rights {
  const { db, bases, queue, visibility } = deps;

  const dropHiddenTables: Rights['dropHiddenTables'] = async (tx, place) => {
    const ids = await store.detachTables(tx, place);
    if (ids.length) await queue.dropTables(tx, place, ids);
  };

  const setFolder: Rights['setFolder'] = async (tx, place, path, words) => {
    // New documents wait until the rights are set, and those under way are waited for.
    await lockBase(tx, place.workspace_id, place.kb_id);
    await store.putFolderRights(tx, place, path, words);
    const records = await listFolderDocuments(tx, place, path);
    await setVisibleTo(tx, place, records, words);
    await store.renewRightsBelow(tx, place, path);
    await dropHiddenTables(tx, place);
    await queue.sync(tx, place);
  };

  const findFolder = async (tx: Db, place: KbRef, path: string): Promise<FolderRights> =>
    (await store.listFolderRights(tx, place)).find(({ prefix }) => prefix === path) ?? {
      prefix: path,
      visible_to: null,
    };

  return {
    ...visibility,
    setFolder,
    dropHiddenTables,

    async listFolders(scope, kb_id) {
      await bases.find(scope, kb_id);
      return store.listFolderRights(db, { workspace_id: scope.workspace_id, kb_id });
    },

    async putFolder(scope, kb_id, { prefix, visible_to }) {
      await bases.find(scope, kb_id);
      const place = { workspace_id: scope.workspace_id, kb_id };
      const words = await visibility.wordsFor(scope, visible_to, ['body', 'visible_to']);
      const path = normalizeFolder(prefix);
      return db.transaction(scope, async (tx) => {
        const before = await findFolder(tx, place, path);
        await setFolder(tx, place, path, words);
        const after = await findFolder(tx, place, path);
        scope.audit?.note({ before: auditedRights(before), after: auditedRights(after) });
        return after;
      });
    },

    ofFolder: (tx, { workspace_id }, kb_id, path) => store.findFolderRights(tx, { workspace_id, kb_id }, path),
    copyFolder: async (tx, place, path, id) =>
      void (await setVisibleTo(tx, place, [id], await store.findFolderRights(tx, place, path))),
    forgetFolder: async (tx, place, path) => void (await store.deleteFolderRightsBelow(tx, place, path)),
  };
}
