import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { DataJob } from '@atrium/contract/personal-data/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { BlobStore } from '../../drivers/blobs/driver.ts';
import type { Job } from '../../lib/define-job.ts';
import { newId } from '../../lib/ids.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import { personBehind, type Scope } from '../../lib/scope.ts';
import { withActor, withActors } from '../actors/service.ts';
import type { Accounts } from './ports.ts';
import * as store from './store.ts';

export { findAbandonedArchives } from './store.ts';

/** Erasures and exports of people. */
export interface PersonalData {
  /** Deactivates the person at once; the rest is done by a job. */
  erase(scope: Scope, person_id: string): Promise<DataJob>;
  export(scope: Scope, person_id: string): Promise<DataJob>;
  list(scope: Scope, query: PageQuery & ListFilter): Promise<Paged<DataJob>>;
  /** A job that the caller asked for. */
  get(scope: Scope, id: string): Promise<DataJob>;
  download(scope: Scope, id: string): Promise<RawAnswer>;
}

/** Who asked for a job: a person by whatever they sign in with or own, else the key. */
export const askerOf = (scope: Scope) => personBehind(scope) ?? scope.actor.id;

export function makePersonalData(deps: {
  db: Database;
  blobs: BlobStore;
  notifier: Notifier;
  people: Accounts;
  /** The ids of the keys that a person owns. */
  keysOf(on: Db, person_id: string): Promise<string[]>;
  job: () => Job;
  enqueue(tx: Db, job: Job, payload: unknown): Promise<unknown>;
}): PersonalData {
  const { db, blobs, notifier, people, keysOf, job, enqueue } = deps;

  async function start(tx: Db, scope: Scope, kind: DataJob['kind'], person_id: string): Promise<DataJob> {
    const { tenant_id } = scope;
    const made = await store.insertDataJob(tx, {
      ...{ id: newId(), tenant_id, kind, person_id, created_by: askerOf(scope) },
      actor_ids: [person_id, ...(await keysOf(tx, person_id))],
    });
    if (!made) {
      const [what, code] = kind === 'erase_person' ? ['erased', 'erasure_running'] : ['exported', 'export_running'];
      throw conflict(`The data of this person is being ${what} already`, code);
    }
    await enqueue(tx, job(), { id: made.id });
    return withActor(tx, scope, made, 'created_by');
  }

  async function find(scope: Scope, id: string): Promise<DataJob> {
    const found = await store.findDataJob(db, scope.tenant_id, id);
    // Who asked about others may do so no more; and a key of a person, made for a program, is not the person.
    const isOfWorkspace = found?.kind === 'export_workspace' && found.group_id === scope.workspace_id;
    const mayRead =
      found?.person_id === scope.actor.id || allows(scope.permissions, isOfWorkspace ? 'workspace_admin' : 'org:admin');
    if (found?.created_by !== askerOf(scope) || !mayRead) throw notFound('job');
    return withActor(db, scope, found, 'created_by');
  }

  return {
    async erase(scope, person_id) {
      const made = await db.transaction(scope, async (tx) => {
        const started = await start(tx, scope, 'erase_person', person_id);
        await people.updateIn(tx, scope, person_id, { active: false });
        await notifier.notify(tx, 'keys', person_id);
        return started;
      });
      notifier.notifyLocal('keys', person_id);
      return made;
    },

    async export(scope, person_id) {
      await people.get(scope, person_id);
      return db.transaction(scope, (tx) => start(tx, scope, 'export_person', person_id));
    },

    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listDataJobs(db, scope.tenant_id, query, window);
      return pageAnswer(await withActors(db, scope, rows, 'created_by'), total, window, last);
    },

    get: find,

    async download(scope, id) {
      const { has_file, ended_at } = await find(scope, id);
      if (ended_at === null) throw conflict('The archive is not ready yet', 'export_not_ready');
      if (!has_file) throw notFound('archive');
      return new RawAnswer(await blobs.get(scope.tenant_id, id), {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="export-${id}.zip"`,
        'cache-control': 'no-store',
      });
    },
  };
}
