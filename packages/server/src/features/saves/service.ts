import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { RecordVersion, RunStatement, SaveCheck, Scope } from '../../lib/scope.ts';
import { withActor } from '../actors/service.ts';
import type { SavedRow, Saves } from './ports.ts';
import { savedRows, versionedRecords } from './saved-rows.ts';
import { lockVersion, moveRecordVersion, readRecordVersion } from './store.ts';

/** A caller that names the state it has seen does not overwrite a newer one. */
class Check implements SaveCheck {
  isPending = true;
  /** The version that the check has refused. */
  newer: RecordVersion | undefined;
  /** The version that a record has by this change, where the answer tells it. */
  etag: string | undefined;
  readonly #if_match: string | undefined;
  readonly #row: SavedRow | 'service';
  #version: RecordVersion | undefined;

  constructor(row: SavedRow | 'service', if_match: string | undefined) {
    this.#row = row;
    this.#if_match = if_match;
  }

  async lock(run: RunStatement): Promise<void> {
    if (this.#row !== 'service' && this.#row.versioned) {
      const { before, etag } = await moveRecordVersion(run, this.#row);
      [this.#version, this.etag] = [before, etag];
    } else this.#version = this.#row === 'service' ? undefined : await lockVersion(run, this.#row);
  }

  saw(version: RecordVersion): void {
    this.#version = version;
  }

  verify(): void {
    // Without a record the service has answered 404 already.
    if (!this.#version || this.#if_match === undefined || this.#version.etag === this.#if_match) return;
    this.newer = this.#version;
    throw conflict(`It was changed since: its etag is ${this.newer.etag} now`, 'etag_mismatch');
  }

  committed(): void {
    this.isPending = false;
  }
}

export function makeSaves({ db }: { db: Database }): Saves {
  /** Says who has changed the record, which the client shows beside what it wanted to save. */
  async function explain(scope: Scope, error: unknown, newer: RecordVersion | undefined): Promise<unknown> {
    if (!(error instanceof AppError) || error.code !== 'etag_mismatch' || !newer) return error;
    const details = await withActor(db, scope, newer, 'updated_by');
    return new AppError('conflict', error.message, { code: error.code, details: { ...details } });
  }

  const query = (text: string, values: unknown[]) => db.pool.query(text, values);

  return {
    async run(scope, route, { params, if_match }, work) {
      const given = params as Record<string, string>;
      const record = versionedRecords[route.id]?.(scope, given ?? {});
      if (record && record !== 'service' && route.route.startsWith('GET ')) {
        // Read before the record: a client never holds a version that is newer than what it has seen.
        scope.etag = (await readRecordVersion(query, record)).etag;
        return work();
      }
      const row = record ?? (if_match === undefined ? undefined : savedRows[route.id]?.(scope, given));
      if (!row) return work();
      const check = new Check(row, if_match);
      scope.save_check = check;
      try {
        const result = await work();
        // A request that changes nothing, or only tries a change, opens no transaction of its own.
        if (check.isPending) {
          await check.lock(query);
          check.verify();
        }
        if (check.etag !== undefined) scope.etag = check.etag;
        return result;
      } catch (error) {
        throw await explain(scope, error, check.newer);
      }
    },
  };
}
