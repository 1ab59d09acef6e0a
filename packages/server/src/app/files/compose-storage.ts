import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { fileBytesOf } from '../../features/files/quota-store.ts';
import { chooseQuota } from '../../features/storage/choose-quota.ts';
import { limitRoutes } from '../../features/storage/handlers.ts';
import { makeStorageJobs } from '../../features/storage/jobs.ts';
import { makeReadLimits } from '../../features/storage/read-limits.ts';
import { makeStorage } from '../../features/storage/service.ts';
import { measureRows } from '../../features/tables/ddl/workspace-schema-store.ts';
import { measurePrompts } from '../../features/traces/store.ts';
import type { Workspaces } from '../../features/workspaces/service.ts';
import type { Log } from '../../lib/log.ts';

/** Composes the quotas of what workspaces keep. */
export function composeStorage({
  db,
  log,
  config,
  ownQuota,
}: {
  db: Database;
  log: Log;
  config: Pick<Config, 'quotas' | 'workspace_quota_is_default' | 'requests_per_minute' | 'streams_per_caller'>;
  /** The quota in bytes that an administrator gave a workspace; 0: none. */
  ownQuota(workspace_id: string): Promise<number>;
}) {
  const server = { bytes: config.quotas.workspace, is_default: config.workspace_quota_is_default };
  const quotaOf = async (workspace_id: string) => chooseQuota(await ownQuota(workspace_id), server);
  const storage = makeStorage({ db, log, quotaOf, fileBytes: fileBytesOf });
  const jobs = makeStorageJobs({ db, storage, fileBytes: fileBytesOf, measurePrompts, measureRows });
  return {
    storage,
    jobs,
    routes: (reach: Workspaces['reach']) => limitRoutes(makeReadLimits({ ...config, storage, reach })),
  };
}
