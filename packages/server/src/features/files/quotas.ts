import { conflict } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import { makeChargeTogether } from './charge-together.ts';
import { type ByteAccount, chargeBytes, claimUpload } from './quota-store.ts';

/** Enforces byte quotas: bytes are charged before they are written, and freed with their file. */
export interface Quotas {
  /** Starts an upload; throws 409 `quota_reached` before anything beyond a quota is written. */
  open(
    scope: Scope,
    upload: string,
  ): Promise<{
    /** The same stream; each part is charged before it is passed on. */
    charging(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
    /** The accounts besides those of workspace and organization. */
    accounts: ByteAccount[];
    /** Gives back bytes that were charged in advance. */
    settle(): Promise<void>;
  }>;
  /** Charges a whole upload before its bytes come; returns the accounts besides those of workspace and organization. */
  reserve(scope: Scope, upload: string, bytes: number): Promise<ByteAccount[]>;
  /** Frees the bytes of an upload that failed. */
  release(workspace_id: string, upload: string): Promise<void>;
  /** Frees the bytes of a file that was deleted in this transaction. */
  freed(
    tx: Db,
    scope: Scope,
    file: { size: number; charged_kinds: ByteAccount['kind'][]; charged_ids: string[] },
  ): Promise<unknown>;
}

/** The most bytes of each account but the workspace; 0: no limit. */
export interface QuotaLimits {
  visitor: number;
  page: number;
  organization: number;
}

/** A guest or visitor, for charging files. */
export interface Guest {
  deployment_id: string | null;
  /** The network address, or else the conversation. */
  visitor: string | null;
}

/** Small files are held in memory until their size is known: they need one charge. */
const bufferedBytes = 256 * 1024;
const stepBytes = 8 * 1024 * 1024;

const names = {
  visitor: 'a visitor',
  page: 'this page',
  workspace: 'this workspace',
  organization: 'this organization',
};
const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;

export function makeQuotas(deps: {
  db: Database;
  limits: QuotaLimits;
  /** The most bytes of files that fit the quota of a workspace besides its messages, runs and rows; 0: any. */
  roomOf(workspace_id: string): Promise<{ most: number; quota: number }>;
  /** The guest behind a scope; undefined for a key of the workspace. */
  guestOf(scope: Scope): Promise<Guest | undefined>;
}): Quotas {
  const { db, limits } = deps;
  const chargeTogether = makeChargeTogether(db);

  async function accountsOf(scope: Scope): Promise<ByteAccount[]> {
    const [guest, room] = [await deps.guestOf(scope), await deps.roomOf(scope.workspace_id)];
    const page = guest?.deployment_id;
    return [
      { kind: 'organization', id: scope.tenant_id, most: limits.organization },
      { kind: 'workspace', id: scope.workspace_id, ...room },
      ...(page ? [{ kind: 'page' as const, id: page, most: limits.page }] : []),
      ...(guest?.visitor
        ? [{ kind: 'visitor' as const, id: `${page ?? 'link'}:${guest.visitor}`, most: limits.visitor }]
        : []),
    ];
  }

  async function charge(scope: Scope, upload: string, accounts: readonly ByteAccount[], amount: number): Promise<void> {
    const full = await chargeTogether(scope, upload, accounts, amount);
    if (!full) return;
    const { full_kind: kind } = full;
    const account = accounts.find((one) => one.kind === kind);
    const most = megabytes(account?.quota ?? account?.most ?? 0);
    const kept = account?.quota ? 'messages, runs, rows and files' : 'files';
    throw conflict(
      `This file does not fit: ${names[kind]} may keep ${most} of ${kept}; delete some to make room`,
      'quota_reached',
    );
  }

  const free = (
    tx: Db,
    where: Pick<Scope, 'tenant_id' | 'workspace_id'>,
    accounts: readonly ByteAccount[],
    bytes: number,
  ) => chargeBytes(tx, where, null, accounts, -bytes);

  return {
    async open(scope, upload) {
      const accounts = await accountsOf(scope);
      let charged = 0;
      let passed = 0;
      async function* charging(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        let buffered: Uint8Array[] = [];
        let size = 0;
        for await (const chunk of stream) {
          buffered.push(chunk);
          size += chunk.length;
          if (size < bufferedBytes && charged === 0) continue;
          if (passed + size > charged) {
            const more = Math.max(passed + size - charged, charged === 0 ? size : stepBytes);
            // Near the limit a whole step may not fit where the bytes themselves do.
            await charge(scope, upload, accounts, more).catch(async (error: unknown) => {
              const exact = passed + size - charged;
              if (exact === more) throw error;
              await charge(scope, upload, accounts, exact);
              charged += exact - more;
            });
            charged += more;
          }
          passed += size;
          yield* buffered;
          [buffered, size] = [[], 0];
        }
        if (size > 0) {
          await charge(scope, upload, accounts, size);
          charged += size;
          passed += size;
          yield* buffered;
        }
      }
      return {
        charging,
        accounts: accounts.filter(({ kind }) => kind === 'page' || kind === 'visitor'),
        async settle(): Promise<void> {
          if (charged > passed) await chargeBytes(db, scope, upload, accounts, passed - charged);
        },
      };
    },

    async reserve(scope, upload, bytes) {
      const accounts = await accountsOf(scope);
      await charge(scope, upload, accounts, bytes);
      return accounts.filter(({ kind }) => kind === 'page' || kind === 'visitor');
    },

    async release(workspace_id, upload) {
      await db.transaction(undefined, async (tx) => {
        const taken = await claimUpload(tx, workspace_id, upload);
        if (!taken) return;
        const accounts = taken.kinds.map((kind, at) => ({ kind, id: required(taken.account_ids[at]), most: 0 }));
        await free(tx, taken, accounts, taken.bytes);
      });
    },

    freed: (tx, scope, file) => {
      const own = file.charged_kinds.map((kind, at) => ({ kind, id: required(file.charged_ids[at]), most: 0 }));
      const ofWorkspace = [
        { kind: 'organization' as const, id: scope.tenant_id, most: 0 },
        { kind: 'workspace' as const, id: scope.workspace_id, most: 0 },
      ];
      return free(tx, scope, [...ofWorkspace, ...own], file.size);
    },
  };
}
