import type { Planting } from './planting.ts';

/** Plants a file in the sandbox of a conversation, and the output of a terminal. */
export async function plantSandboxOf(planting: Planting, conversation_id: string): Promise<void> {
  const [{ sandbox_id }] = await planting.query(
    'select sandbox_id from conversation_sandboxes where conversation_id = $1',
    [conversation_id],
  );
  await fillSandbox(planting, sandbox_id, 'sandbox of a conversation');
}

/** Plants a sandbox of the workspace. */
export async function plantSandbox(planting: Planting): Promise<void> {
  const label = planting.word('sandbox of the workspace', 'label');
  const { id } = await planting.ask('POST', '/v1/sandboxes', { label, persistent: true });
  await fillSandbox(planting, id, 'sandbox of the workspace');
}

async function fillSandbox(planting: Planting, sandbox_id: string, kind: string): Promise<void> {
  const { ask, note, query } = planting;
  note('sandbox', sandbox_id);
  // The path is the one that samples of the contract name.
  await ask('POST', `/v1/sandboxes/${sandbox_id}/files`, { path: 'x', content: planting.word(kind, 'file') });
  await ask('POST', `/v1/sandboxes/${sandbox_id}/files`, { path: planting.bare(kind, 'file name'), content: 'x' });
  // One that has ended: not every engine has terminals, and its output has an end.
  const [{ id, workspace_id }] = await query(
    `insert into sandbox_terminals (workspace_id, id, sandbox_id, created_by, rows, cols, status, reason)
     select workspace_id, gen_random_uuid(), id, created_by, 24, 80, 'ended', 'exit' from sandboxes where id = $1
     returning id, workspace_id`,
    [sandbox_id],
  );
  const output = planting.word(kind, 'terminal');
  const row = [workspace_id, id, output];
  await query(
    'insert into sandbox_terminal_output (workspace_id, terminal_id, seq, start_at, text) values ($1, $2, 1, 0, $3)',
    row,
  );
  await query(
    `insert into sandbox_terminal_input (workspace_id, terminal_id, id, kind, text, bytes)
     values ($1, $2, gen_random_uuid(), 'text', $3, 10)`,
    [workspace_id, id, planting.word('text of the server', 'input of a terminal')],
  );
  note('terminal', id, { sandbox: sandbox_id });
}
