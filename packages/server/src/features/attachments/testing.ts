import { join } from 'node:path';
import { after } from 'node:test';
import type { Permission } from '@atrium/contract/permissions.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { openDatabase } from '../../db/database.ts';
import { makeDiskBlobs } from '../../drivers/blobs/disk.ts';
import type { Extract } from '../../drivers/extractors/driver.ts';
import { makeExtract } from '../../drivers/extractors/extract.ts';
import { makeGuardedWeb } from '../../drivers/web/guarded-fetch.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import { makeQuotas } from '../files/quotas.ts';
import { makeFiles } from '../files/service.ts';
import { fileServer } from '../files/testing.ts';
import { makeFileTexts } from '../files/texts/file-texts.ts';
import { type AttachmentOptions, makeAttachments } from './service.ts';

/** Attachments on real files, with a scope to use them. */
export async function attachmentServer(allow: string[] = ['127.0.0.1']) {
  const server = await fileServer();
  const log = makeLog('silent');
  const [{ database }] = await server.query('select current_database() as database');
  const db = openDatabase({ connection: { ...testServer(), database }, max: 4, log });
  after(() => db.close());
  const limits = { visitor: 0, page: 0, workspace: 0, organization: 0 };
  const quotas = makeQuotas({
    db,
    limits,
    guestOf: async () => undefined,
    roomOf: async () => ({ most: 0, quota: 0 }),
  });
  const blobs = makeDiskBlobs(join(server.data_dir, 'blobs'));
  const files = makeFiles({
    db,
    blobs,
    quotas,
    max_bytes: 1e9,
    visible: async () => ({ rights: 'all', reach: 'all' }),
  });
  const [{ tenant_id }] = await server.query('select tenant_id from workspaces where id = $1', [server.place.id]);
  const scope = (workspace_id = server.place.id, permissions: Permission[] = ['workspace_admin']): Scope => ({
    tenant_id,
    workspace_id,
    home_workspace_id: workspace_id,
    actor: { kind: 'api_key', id: newId(), name: 'test' },
    permissions: new Set(permissions),
    tenant_admin: false,
    request_id: newId(),
    log,
    signal: new AbortController().signal,
  });
  /** As a node of its own: what one has in memory the others do not. */
  const makeTexts = (extract: Extract = makeExtract()) => makeFileTexts({ db, blobs, files, extract });
  const make = (options: Partial<AttachmentOptions> = {}) =>
    makeAttachments({
      files,
      referredFiles: files,
      web: makeGuardedWeb({ allow }),
      texts: makeTexts(),
      ...options,
    });
  return { ...server, files, scope, make, makeTexts, attachments: make() };
}
