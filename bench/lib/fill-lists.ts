import type { Database } from '../../packages/server/src/db/database.ts';

const time = "date_trunc('milliseconds', now()) - n * interval '1 second'";

/** Fills a workspace with `rows` entries of each list. All messages are in the newest conversation, whose id is returned. */
export async function fillLists(
  db: Database,
  { workspace_id, kb_id, rows }: { workspace_id: string; kb_id: string; rows: number },
): Promise<string> {
  // Ids that rise with time, as the program makes them: one row a second, the newest now; other ones in each workspace.
  const idAt = `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 1000), 12, '0') || '7000'
    || lpad(to_hex(n + ${rows}), 16, '8'))::uuid`;
  const many = `generate_series(1, ${rows}) n`;
  const client = await db.pool.connect();
  const insert = (table: string, columns: Record<string, string>, ...more: string[]) =>
    client.query(
      `insert into ${table} (workspace_id, ${Object.keys(columns).join(', ')})
       select $1, ${Object.values(columns).join(', ')} from ${many}`,
      [workspace_id, ...more],
    );
  try {
    await client.query('set statement_timeout = 0');
    await insert('conversations', {
      ...{ id: idAt, name: "'Order ' || n", status: "'completed'", message_count: '1', etag_ms: '1' },
      ...{ created_at: time, last_updated_at: time },
    });
    const { rows: newest } = await client.query<{ id: string }>(
      'select id from conversations where workspace_id = $1 order by last_updated_at desc limit 1',
      [workspace_id],
    );
    const conversation_id = newest[0]?.id ?? '';
    const parts = `json_build_array(json_build_object('role', 'user', 'type', 'user', 'content', 'Where is order ' || n))::text`;
    const message = { conversation_id: '$2', seq: 'n', id: 'gen_random_uuid()', role: "'user'", parts };
    await insert('messages', message, conversation_id);
    await insert(
      'runs',
      {
        ...{ id: idAt, kind: "'conversation'", conversation_id: '$2', user_message_id: 'gen_random_uuid()' },
        ...{ message_id: 'gen_random_uuid()', status: "'completed'", input: "'{}'", said: 'true', actor_id: '$1' },
        ...{ principal: "'{}'", finished_at: time, created_at: time },
      },
      conversation_id,
    );
    await insert('files', {
      ...{
        id: idAt,
        filename: "'file ' || n || '.txt'",
        content_type: "'text/plain'",
        size: 'n',
        source_type: "'upload'",
      },
      ...{ sha256: "''", created_by: 'gen_random_uuid()', created_at: time },
    });
    const document = {
      ...{ kb_id: '$2', id: idAt, name: "'page ' || n || '.txt'", prefix: "'/'", status: "'trained'", size: 'n' },
      ...{ source_type: "'file'", created_at: time, updated_at: time },
    };
    await insert('kb_documents', document, kb_id);
    await insert(
      'tool_calls',
      {
        ...{ id: idAt, conversation_id: '$2', run_id: '$2', step: '1', call_id: "'c'", tool: "'clock'" },
        ...{ actor_kind: "'api_key'", actor_id: "'a'", input_hash: "'h'", outcome: "'ok'", ms: '1', cost: '0' },
        created_at: time,
      },
      conversation_id,
    );
    await insert('audit_log', {
      ...{ id: idAt, tenant_id: '(select tenant_id from workspaces where id = $1)', operation: "'agents.update'" },
      ...{ outcome: "'done'", actor_kind: "'api_key'", actor_id: '$1', count: '1', at: time },
    });
    await client.query('vacuum analyze');
    return conversation_id;
  } finally {
    // The connection keeps its timeout, so no other statement gets it.
    client.release(true);
  }
}
