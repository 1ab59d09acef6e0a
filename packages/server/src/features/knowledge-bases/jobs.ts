import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { RetrievalIndex } from '../../drivers/search-index/driver.ts';
import { defineJob, type Job } from '../../lib/define-job.ts';
import { systemScope } from '../../lib/system-scope.ts';
import type { Files } from '../files/service.ts';
import { removeFiles } from './documents/remove-documents.ts';
import { makeDropIndexOfDeleted } from './index/drop-index-of-deleted.ts';
import type { PurgeIndexes } from './index/purge-index.ts';
import type { IndexRebuild } from './index/rebuild-index.ts';
import type { IndexSync } from './index/sync-index.ts';
import { endRun } from './ingest/ingestion-run-store.ts';
import type { SettleTrainings } from './ingest/settle-trainings.ts';
import type { TrainDocuments } from './ingest/train-documents.ts';
import type { SheetTables } from './ports.ts';
import type { CrawlSite } from './sites/crawl-site.ts';
import type { Sites } from './sites/sites.ts';
import { findTenant } from './store.ts';

const place = { workspace_id: z.guid(), kb_id: z.guid() };

export interface KbJobDeps {
  db: Database;
  index: RetrievalIndex;
  files: Files;
  train: TrainDocuments;
  crawl: CrawlSite;
  sites: Sites;
  sync: IndexSync;
  rebuild: IndexRebuild;
  purge: PurgeIndexes;
  settle: SettleTrainings;
  tables: SheetTables;
}

export type KbJobs = Record<
  | 'train'
  | 'crawl'
  | 'crawlDue'
  | 'sync'
  | 'rebuild'
  | 'purge'
  | 'settle'
  | 'dropTables'
  | 'cleanUp'
  | 'removeWorkspace'
  | 'sweepIndexes',
  Job
>;

export function makeKbJobs(deps: KbJobDeps): KbJobs {
  const { db, index, files, train, crawl, sites, sync, rebuild, purge, settle, tables } = deps;
  const dropIndexOfDeleted = makeDropIndexOfDeleted({ db, index });
  return {
    train: defineJob({
      job: 'knowledge.train',
      payload: z.object({ ...place, runs: z.array(z.object({ document_id: z.guid(), run_id: z.guid() })) }),
      attempts: 25,
      handler: train,
    }),
    crawl: defineJob({
      job: 'knowledge.crawl',
      payload: z.object({ ...place, site_id: z.guid(), run_id: z.guid() }),
      attempts: 25,
      handler: crawl,
    }),
    crawlDue: defineJob({
      job: 'knowledge.crawl-due',
      payload: z.object({}),
      attempts: 1,
      schedule: '* * * * *',
      handler: () => sites.crawlDue(),
    }),
    sync: defineJob({
      job: 'knowledge.sync',
      payload: z.object(place),
      attempts: 25,
      handler: (context, at) => sync(at, context).finally(() => dropIndexOfDeleted(at)),
    }),
    rebuild: defineJob({
      job: 'knowledge.rebuild',
      payload: z.object({ ...place, run_id: z.guid() }),
      attempts: 5,
      async handler(context, { run_id, ...at }) {
        try {
          await rebuild(at, run_id, context).finally(() => dropIndexOfDeleted(at));
        } catch (error) {
          context.signal.throwIfAborted();
          const reason = { code: 'internal', message: 'The index could not be built; it is tried again' };
          await endRun(db, at.workspace_id, at.kb_id, run_id, reason);
          throw error;
        }
      },
    }),
    purge: defineJob({
      job: 'knowledge.purge',
      payload: z.object(place),
      attempts: 25,
      handler: (context, at) => purge(at, context),
    }),
    settle: defineJob({
      job: 'knowledge.settle',
      payload: z.object(place),
      attempts: 25,
      handler: ({ log, signal }, at) => settle(at, log, signal),
    }),
    dropTables: defineJob({
      job: 'knowledge.drop-tables',
      payload: z.object({ ...place, document_ids: z.array(z.guid()) }),
      attempts: 25,
      async handler({ log, signal }, { workspace_id, kb_id, document_ids }) {
        const workspace = await findTenant(db, workspace_id);
        if (!workspace) return;
        const scope = systemScope({ ...workspace, workspace_id }, log, signal);
        for (const document_id of document_ids) await tables.remove(scope, { kb_id, document_id });
      },
    }),
    /** Enqueued by the transaction that deletes a knowledge base. */
    cleanUp: defineJob({
      job: 'knowledge.clean-up',
      payload: z.object({ ...place, tenant_id: z.guid(), file_ids: z.array(z.guid()) }),
      attempts: 25,
      async handler({ log, signal }, { file_ids, ...at }) {
        const scope = systemScope(at, log, signal);
        await index.dropAll(at);
        await tables.remove(scope, { kb_id: at.kb_id });
        await removeFiles(files, scope, file_ids);
      },
    }),
    /** Removes what a writer of an index left in a bucket that died. */
    sweepIndexes: defineJob({
      job: 'knowledge.sweep-indexes',
      payload: z.object({}),
      attempts: 1,
      schedule: '17 * * * *',
      async handler({ log }) {
        const partial = await index.removePartial(new Date(Date.now() - 3_600_000));
        if (partial > 0) log.info('indexes.swept', { partial });
      },
    }),
    /** Enqueued by the transaction that deletes a workspace; its files go with its blobs. */
    removeWorkspace: defineJob({
      job: 'knowledge.remove-workspace',
      payload: z.object({ workspace_id: z.guid() }),
      attempts: 25,
      handler: (_, { workspace_id }) => index.dropAll({ workspace_id }),
    }),
  };
}
