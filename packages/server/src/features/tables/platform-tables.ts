import { createHash } from 'node:crypto';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { identifier, type Sql } from '../../db/sql.ts';
import type { ColumnRow } from './store.ts';

/** The platform's own records, as the views of the migration show them. */
export const platformSchema = 'atrium_platform';

export interface PlatformTable {
  sql_name: string;
  name: string;
  description: string;
  columns: ColumnRow[];
}

const columnsFrom = (columns: Record<string, ValueType>): ColumnRow[] =>
  Object.entries(columns).map(([name, type], position) => ({
    id: name,
    position,
    name,
    type,
    label: null,
    default_value: null,
    references_table: null,
    references_id_type: null,
    on_delete: null,
    indexed: false,
    choices: null,
    dropped_at: null,
  }));

const platformTables: readonly PlatformTable[] = [
  {
    sql_name: 'conversations',
    name: 'Conversations',
    description: 'The conversations of this workspace',
    columns: columnsFrom({
      name: 'text',
      status: 'text',
      assistant_id: 'uuid',
      user_id: 'uuid',
      manual: 'boolean',
      preview: 'boolean',
      chat_transport: 'text',
      is_locked: 'boolean',
      message_count: 'integer',
      tokens_used: 'integer',
      created_at: 'datetime',
      last_updated_at: 'datetime',
    }),
  },
  {
    sql_name: 'messages',
    name: 'Messages',
    description: 'What was said in the conversations of this workspace',
    columns: columnsFrom({
      conversation_id: 'uuid',
      seq: 'integer',
      role: 'text',
      parts: 'json',
      run_id: 'uuid',
      created_at: 'datetime',
    }),
  },
  {
    sql_name: 'runs',
    name: 'Runs',
    description: 'The runs of this workspace',
    columns: columnsFrom({
      conversation_id: 'uuid',
      kind: 'text',
      status: 'text',
      error: 'json',
      created_at: 'datetime',
      started_at: 'datetime',
      finished_at: 'datetime',
    }),
  },
  {
    sql_name: 'documents',
    name: 'Documents',
    description: 'The documents of the knowledge bases of this workspace',
    columns: columnsFrom({
      kb_id: 'uuid',
      name: 'text',
      prefix: 'text',
      status: 'text',
      source_type: 'text',
      source_url: 'text',
      doc_type: 'text',
      size: 'integer',
      language: 'text',
      pages: 'integer',
      short_summary: 'text',
      error: 'json',
      created_at: 'datetime',
      updated_at: 'datetime',
    }),
  },
  {
    sql_name: 'feedback',
    name: 'Feedback',
    description: 'What people think of replies and conversations of this workspace',
    columns: columnsFrom({
      conversation_id: 'uuid',
      message_id: 'uuid',
      rating: 'text',
      score: 'integer',
      comment: 'text',
      created_at: 'datetime',
      updated_at: 'datetime',
    }),
  },
];

export const platformNames: ReadonlySet<string> = new Set(platformTables.map(({ sql_name }) => sql_name));

export const platformRelation = (sql_name: string): Sql => identifier(platformSchema, sql_name);

/** Computed instead of stored: stable for a workspace and different in each. */
function idFor(workspace_id: string, sql_name: string): string {
  const hash = createHash('sha256').update(`platform table ${workspace_id} ${sql_name}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** The platform's tables as this workspace sees them, with their ids. */
export const platformTablesOf = (workspace_id: string): (PlatformTable & { id: string })[] =>
  platformTables.map((table) => ({ ...table, id: idFor(workspace_id, table.sql_name) }));
