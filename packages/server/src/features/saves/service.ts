import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { RecordVersion, RunStatement, SaveCheck, Scope } from '../../lib/scope.ts';
import { withActor } from '../actors/service.ts';
import type { SavedRow, Saves } from './ports.ts';
import { savedRows } from './saved-rows.ts';
import { lockVersion } from './store.ts';

/** A caller that names the state it has seen does not overwrite a newer one. */
class Check implements SaveCheck {
  isPending = true;
  /** The version that the check has refused. */
  newer: RecordVersion | undefined;
  readonly #if_match: string;
  readonly #row: SavedRow | 'service';
  #version: RecordVersion | undefined;

  constructor(row: SavedRow | 'service', if_match: string) {
    this.#row = row;
    this.#if_match = if_match;
  }

  async lock(run: RunStatement): Promise<void> {
    this.#version = this.#row === 'service' ? undefined : await lockVersion(run, this.#row);
  }

  saw(version: RecordVersion): void {
    this.#version = version;
  }

  verify(): void {
    // Without a record the service has answered 404 already.
    if (!this.#version || this.#version.etag === this.#if_match) return;
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

  return {
    async run(scope, route, { params, if_match }, work) {
      const find = if_match === undefined ? undefined : savedRows[route.id];
      if (!find || if_match === undefined) return work();
      const check = new Check(find(scope, params as Record<string, string>), if_match);
      scope.save_check = check;
      try {
        const result = await work();
        // A request that changes nothing, or only tries a change, opens no transaction of its own.
        if (check.isPending) {
          await check.lock((text, values) => db.pool.query(text, values));
          check.verify();
        }
        return result;
      } catch (error) {
        throw await explain(scope, error, check.newer);
      }
    },
  };
}
