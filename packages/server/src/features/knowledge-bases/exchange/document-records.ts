import { documentStatuses } from '@atrium/contract/knowledge-bases/schema.ts';
import { visibleTo } from '@atrium/contract/knowledge-bases/visible-to.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import { mask } from '../../../lib/secrets/mask-credentials.ts';
import { removeUrlCredentials } from '../../../lib/secrets/mask-url.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../../personal-data/ports.ts';
import { insertDocuments, type NewDocument } from '../documents/document-store.ts';
import type { StartTrainings } from '../ingest/start-trainings.ts';
import type { KnownViewers } from '../ports.ts';
import { findBase } from '../store.ts';
import { listStoredDocuments } from './document-record-store.ts';
import { restoreViewers } from './restore-viewers.ts';

const documentRecord = z.object({
  id: z.guid(),
  kb_id: z.guid(),
  name: z.string().min(1).max(1000),
  prefix: z
    .string()
    .max(2000)
    .regex(/^[^\p{Cc}\\]*$/u),
  status: z.enum(documentStatuses),
  size: z.int().min(0),
  source_type: z.string().max(100),
  file_id: z.guid().nullable(),
  owns_file: z.boolean(),
  source_url: z
    .string()
    .max(4000)
    .regex(/^https?:\/\//i)
    .nullable(),
  /** Whether the address had credentials, which were left out. */
  has_secret: z.boolean(),
  doc_type: z.string().max(300).nullable(),
  doc_metadata: z.record(z.string(), z.unknown()),
  visible_to: visibleTo,
  /** Passages that were changed by hand; they are not in the archive. */
  changed_passages: z.int().min(0).default(0),
});
type DocumentRecord = z.output<typeof documentRecord>;

const pageSize = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** The documents and folders of all knowledge bases of a workspace. They are trained again from their files and addresses. */
export function makeDocumentRecords(deps: { db: Database; trainings: StartTrainings; known: KnownViewers }) {
  const { db, trainings, known } = deps;

  async function* list(workspace_id: string): AsyncGenerator<DocumentRecord> {
    for (let after = beforeAll; ; ) {
      const rows = await listStoredDocuments(db, workspace_id, after, pageSize);
      for (const row of rows) {
        const source_url = row.source_url && removeUrlCredentials(row.source_url);
        // Unless it was given, the name is the address.
        const name = row.source_url === null ? row.name : removeUrlCredentials(row.name);
        yield { ...row, name, source_url, has_secret: source_url !== row.source_url };
      }
      if (rows.length < pageSize) return;
      after = required(rows.at(-1)).id;
    }
  }

  async function fit(target: ImportTarget, record: DocumentRecord): Promise<NewDocument> {
    const { id, name, visible_to, file_id, doc_metadata, has_secret, changed_passages, kb_id: _, ...fields } = record;
    const leftOut = (detail: string) => target.note({ what: 'left_out', kind: 'document', name, detail });
    const file = file_id && target.idOf('file', file_id);
    if (file_id && !file) leftOut(`file ${file_id}`);
    if (changed_passages) leftOut(`${changed_passages} passages that were switched off, edited or added`);
    if (has_secret) target.note({ what: 'secret', kind: 'document', name, detail: 'source_url' });
    return {
      ...{ ...fields, name, id: required(target.idOf('document', id)), file_id: file || null },
      doc_metadata: JSON.parse(target.rewriteIds(JSON.stringify(doc_metadata))) as Record<string, unknown>,
      visible_to: await restoreViewers(target, known, visible_to, leftOut),
    };
  }

  const isTrained = ({ status, file_id, source_url }: NewDocument) =>
    status !== 'folder' &&
    status !== 'uploaded' &&
    // An address with a covered part leads nowhere until it is filled in.
    (file_id !== null || (source_url !== null && !source_url.includes(mask)));

  async function restore(target: ImportTarget, old_kb_id: string, records: readonly DocumentRecord[]): Promise<void> {
    const { workspace_id, signal } = target.scope;
    const kb_id = required(target.idOf('knowledge_base', old_kb_id));
    const { settings } = required(await findBase(db, workspace_id, kb_id));
    for (let from = 0; from < records.length; from += pageSize) {
      signal.throwIfAborted();
      const documents: NewDocument[] = [];
      for (const record of records.slice(from, from + pageSize)) documents.push(await fit(target, record));
      const others = documents
        .filter((document) => !isTrained(document))
        .map((document) => ({
          ...document,
          status: document.status === 'folder' ? document.status : ('uploaded' as const),
        }));
      await db.transaction(target.scope, async (tx) => {
        await insertDocuments(tx, workspace_id, kb_id, others);
        await trainings.startNew(tx, { workspace_id, kb_id }, settings, documents.filter(isTrained));
      });
    }
  }

  return defineWorkspaceRecords<DocumentRecord>({
    kind: 'documents',
    schema: documentRecord,
    list,
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'document', id }],
    // A file that another document owns has the rights of that one: without it everybody would see the file.
    filesOf: ({ file_id, owns_file }) => (file_id !== null && owns_file ? [file_id] : []),
    refuse: async (_scope, { kb_id }, idOf) =>
      idOf('knowledge_base', kb_id) ? undefined : `Its knowledge base ${kb_id} is not imported`,
    async restore(target, records) {
      const byBase = Map.groupBy(records, ({ kb_id }) => kb_id.toLowerCase());
      for (const [kb_id, own] of byBase) await restore(target, kb_id, own);
    },
  });
}
