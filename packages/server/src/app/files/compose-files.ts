import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { BlobStore } from '../../drivers/blobs/driver.ts';
import type { Extract } from '../../drivers/extractors/driver.ts';
import { makePreviews } from '../../drivers/previews/make-previews.ts';
import { fileReach } from '../../features/files/file-reach.ts';
import { fileRoutes } from '../../features/files/handlers.ts';
import { makeFileJobs } from '../../features/files/jobs.ts';
import { makePreviewService } from '../../features/files/previews/previews.ts';
import { makeQuotas } from '../../features/files/quotas.ts';
import { makeResumableUploads } from '../../features/files/resumable/resumable-uploads.ts';
import { uploadRoutes } from '../../features/files/resumable/upload-handlers.ts';
import { makeFiles } from '../../features/files/service.ts';
import { makeFileTexts } from '../../features/files/texts/file-texts.ts';
import { makeShowContents } from '../../features/files/texts/show-contents.ts';
import type { Visibility } from '../../features/knowledge-bases/rights/visible.ts';
import { findAbandonedArchives } from '../../features/personal-data/service.ts';
import { usedBlobs } from '../../features/sandboxes/files/stored-files-store.ts';

type QuotaOptions = Parameters<typeof makeQuotas>[0];

interface Options extends Pick<QuotaOptions, 'guestOf' | 'roomOf'> {
  db: Database;
  config: Config;
  blobs: BlobStore;
  tenant_id: string;
  visibility: Visibility;
  extract: Extract;
}

/** Files, their previews, uploads in parts and limits. */
export function composeFiles({ db, config, blobs, tenant_id, visibility, guestOf, roomOf, extract }: Options) {
  const quotas = makeQuotas({ db, limits: config.quotas, guestOf, roomOf });
  const max_bytes = config.max_upload_bytes;
  const rightsOf = visibility.forLists;
  const files = makeFiles({
    ...{ db, blobs, quotas, max_bytes, noted: true },
    visible: async (scope) => ({ rights: await rightsOf(scope), reach: fileReach(scope) }),
  });
  // For files that are named by a record which the caller reads: a message, an agent, a document.
  const referredFiles = makeFiles({
    ...{ db, blobs, quotas, max_bytes },
    visible: async (scope) => ({ rights: await rightsOf(scope), reach: 'all' }),
  });
  const draw = makePreviews();
  const previews = makePreviewService({ db, blobs, files, draw });
  const referredPreviews = makePreviewService({ db, blobs, files: referredFiles, draw });
  const texts = makeFileTexts({ db, blobs, files: referredFiles, extract });
  const uploads = makeResumableUploads({ db, blobs, quotas, max_bytes });
  const jobs = makeFileJobs({
    ...{ uploads, db, blobs, quotas },
    findOtherOrphans: (names) => findAbandonedArchives(db, tenant_id, names),
    findUsed: (names) => usedBlobs(db, names),
  });
  const routes = [
    ...fileRoutes(files, previews, makeShowContents({ files, texts })),
    ...uploadRoutes(uploads, max_bytes),
  ];
  return { quotas, files, referredFiles, texts, draw, previews: referredPreviews, jobs, routes };
}
