import type { Config } from '../../config.ts';
import { auditJobs } from '../../features/audit/jobs.ts';
import { hasBlobKeys } from '../../features/files/encryption/blob-key-store.ts';
import { makeConvertBlobsJob } from '../../features/files/encryption/convert-blobs-job.ts';
import { idempotencyJobs } from '../../features/idempotency/jobs.ts';
import { keyringJobs } from '../../features/keyring/jobs.ts';
import { makeExpireLogs } from '../../features/runs/log/expire-logs.ts';
import { makeConvertTextJob } from '../../features/text-encryption/convert-text-job.ts';
import { makeUsageJobs } from '../../features/usage/jobs.ts';
import { makeVacuumJob, makeVacuumLater } from '../../worker/vacuum-job.ts';
import { sealedColumns } from '../keyring/sealed-columns.ts';
import type { Parts } from './parts.ts';
import { vacuumAfterJobs } from './vacuum-after-deletion.ts';

/** Everything that a worker does by itself or when a request has asked for it. */
export function listJobs(parts: Parts, config: Config) {
  const { audit, blobs, db, encrypt, keyrings, masters, textCodec } = parts.foundation;
  const vacuum = makeVacuumJob({ db });
  const jobs = [
    vacuum,
    ...idempotencyJobs(db),
    ...Object.values(parts.filing.jobs),
    ...Object.values(parts.storage.jobs),
    makeConvertBlobsJob({ db, blobs, encrypt }),
    makeConvertTextJob({ db, codec: textCodec, encrypt, wasEncrypted: () => hasBlobKeys(db) }),
    ...Object.values(parts.tables.jobs),
    ...Object.values(parts.sandboxing.jobs),
    ...Object.values(parts.knowledgeBases.jobs),
    ...Object.values(parts.workflows.jobs),
    ...parts.triggering.jobs,
    ...Object.values(parts.channels.jobs),
    ...Object.values(parts.insights.jobs),
    makeExpireLogs({ db, days: config.run_log_days }),
    ...parts.tracing.jobs,
    ...parts.baseTools.jobs,
    ...Object.values(makeUsageJobs({ db })),
    ...parts.evaluating.jobs,
    ...keyringJobs({ db, masters, keyrings, columns: sealedColumns }),
    ...parts.tenancy.jobs,
    ...parts.personalData.jobs,
    ...parts.workspaceArchives.jobs,
    ...parts.budgets.jobs,
    ...parts.events.jobs,
    ...parts.notifications.jobs,
    ...auditJobs({ db, days: config.audit_days, onCommit: audit.wake }),
  ];
  return vacuumAfterJobs(jobs, { db, vacuumLater: makeVacuumLater(vacuum) });
}
