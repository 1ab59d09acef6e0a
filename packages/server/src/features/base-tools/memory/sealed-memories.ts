import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { defineJob } from '../../../lib/define-job.ts';
import type { Keyring } from '../../keyring/service.ts';
import type { UnnamedMemory } from './store.ts';
import * as store from './store.ts';

export const memoryPurpose = (id: string) => `memory\0${id}`;

export interface SealedMemories {
  seal(workspace_id: string, id: string, text: string): Promise<string>;
  /** The memory with its text. Seals a row from before in passing. */
  open(row: store.StoredMemory): Promise<UnnamedMemory>;
}

/** Memories hold what users said as it was, so that it is stored only under the data key of their workspace. */
export function makeSealedMemories({ db, keyring }: { db: Database; keyring: Keyring }): SealedMemories {
  const seal = (workspace_id: string, id: string, text: string) => keyring.seal(workspace_id, memoryPurpose(id), text);
  return {
    seal,
    async open({ sealed, text, ...row }) {
      if (sealed !== null) return { ...row, text: await keyring.open(row.group_id, memoryPurpose(row.id), sealed) };
      const plain = text ?? '';
      await store.sealMemory(db, row.group_id, row.id, plain, await seal(row.group_id, row.id, plain));
      return { ...row, text: plain };
    },
  };
}

const pageSize = 500;

/** Seals the memories that were stored as plain text by an earlier version. */
export const makeSealMemoriesJob = ({ db, keyring }: { db: Database; keyring: Keyring }) =>
  defineJob({
    job: 'memories.seal',
    payload: z.object({}),
    attempts: 1,
    schedule: '7 * * * *',
    alone: true,
    async handler({ signal }) {
      for (
        let rows = await store.listUnsealed(db, pageSize);
        rows.length;
        rows = await store.listUnsealed(db, pageSize)
      )
        for (const { workspace_id, id, text } of rows) {
          signal.throwIfAborted();
          const sealed = await keyring.seal(workspace_id, memoryPurpose(id), text);
          await store.sealMemory(db, workspace_id, id, text, sealed);
        }
    },
  });
