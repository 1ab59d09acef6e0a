import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { RetrievalIndex } from '../../drivers/search-index/driver.ts';
import { defineJob } from '../../lib/define-job.ts';
import { systemScope } from '../../lib/system-scope.ts';
import type { Files } from '../files/service.ts';
import { makeDropIndexOfDeleted } from './index/drop-if-gone.ts';
import type { makeIndexRebuild } from './index/rebuild-index.ts';
import type { makeIndexSync } from './index/sync-index.ts';
import { endRun } from './ingest/ingestion-run-store.ts';
import type { makeSettleTrainings } from './ingest/settle-trainings.ts';
import type { SheetTables } from './ingest/store-sheets.ts';
import type { makeTrainDocuments } from './ingest/train-documents.ts';
import type { makeCrawlSite } from './sites/crawl-site.ts';
import type { Sites } from './sites/sites.ts';

const place = { workspace_id: z.guid(), kb_id: z.guid() };

export interface KbJobDeps {
  db: Database;
  index: RetrievalIndex;
  files: Files;
  train: ReturnType<typeof makeTrainDocuments>;
  crawl: ReturnType<typeof makeCrawlSite>;
  sites: Sites;
  sync: ReturnType<typeof makeIndexSync>;
  rebuild: ReturnType<typeof makeIndexRebuild>;
  settle: ReturnType<typeof makeSettleTrainings>;
  tables: SheetTables;
}

const tenantOf = (db: Database, workspace_id: string) =>
  db.row<{ tenant_id: string }>(sql`select tenant_id from workspaces where id = ${workspace_id}`);

export function makeKbJobs({ db, index, files, train, crawl, sites, sync, rebuild, settle, tables }: KbJobDeps) {
  const dropIfGone = makeDropIndexOfDeleted({ db, index });
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
    /** Begins the crawls whose time has come. */
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
      handler: (_, at) => sync(at).finally(() => dropIfGone(at)),
    }),
    rebuild: defineJob({
      job: 'knowledge.rebuild',
      payload: z.object({ ...place, run_id: z.guid() }),
      attempts: 5,
      async handler({ signal }, { run_id, ...at }) {
        try {
          await rebuild(at, run_id, signal).finally(() => dropIfGone(at));
        } catch (error) {
          signal.throwIfAborted();
          const reason = { code: 'internal', message: 'The index could not be built; it is tried again' };
          await endRun(db, at.workspace_id, at.kb_id, run_id, reason);
          throw error;
        }
      },
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
        const workspace = await tenantOf(db, workspace_id);
        if (!workspace) return;
        const scope = systemScope({ ...workspace, workspace_id }, log, signal);
        for (const document_id of document_ids) await tables.remove(scope, { kb_id, document_id });
      },
    }),
    /** Enqueued by the transaction that deletes a base. */
    cleanUp: defineJob({
      job: 'knowledge.clean-up',
      payload: z.object({ ...place, tenant_id: z.guid(), file_ids: z.array(z.guid()) }),
      attempts: 25,
      async handler({ log, signal }, { file_ids, ...at }) {
        await index.dropAll(at);
        await tables.remove(systemScope(at, log, signal), { kb_id: at.kb_id });
        const scope = systemScope(at, log, signal);
        // One that is gone already is fine.
        for (const id of file_ids) await files.remove(scope, id).catch(() => {});
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
