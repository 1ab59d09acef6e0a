import { fileForm, type Planting } from './planting.ts';

/** Plants what is the workspace's: tables, variables, files and connections to other programs. */
export async function plantWorkspace(planting: Planting, agent_id: string): Promise<void> {
  const { ask, note, administer } = planting;
  const columns = [{ name: 'name', type: 'text', label: planting.word('table', 'label of a column') }];
  const table = { name: planting.word('table', 'name'), description: planting.word('table', 'description'), columns };
  const table_id = note('table', (await ask('POST', '/v1/tables', table)).id);
  const row = await ask('POST', `/v1/tables/${table_id}/rows`, { name: planting.word('table', 'row') });
  note('path:row_id', row.id, { table: table_id });
  note('path:name', 'name', { table: table_id });
  await ask('PATCH', `/v1/tables/${table_id}/rows/${row.id}`, { name: planting.word('table', 'changed row') });
  const changes = await ask('GET', `/v1/tables/${table_id}/changes`);
  note('table_change', changes.items[0].id, { table: table_id });
  // The platform's own records can be read as tables too.
  const { items } = await administer('GET', '/v1/tables?size=100');
  for (const { id, sql_name } of items) {
    note('sql_name', sql_name);
    if (id !== table_id) note('table', id);
  }

  const variable = {
    name: `quokka_${planting.bare('variable', 'name')}`,
    inline_value: planting.word('variable', 'value'),
  };
  note('variable', (await ask('POST', '/v1/variables', variable)).id);
  const secret = { name: 'planted_secret', is_secret: true, inline_value: planting.word('secret', 'value') };
  note('variable', (await ask('POST', '/v1/variables', secret)).id);
  const vault = {
    name: planting.bare('vault credential', 'name'),
    address: `http://127.0.0.1:9/${planting.bare('vault credential', 'address')}`,
    token: planting.bare('secret', 'token of a vault'),
  };
  note('vault_credential', (await ask('POST', '/v1/vault-credentials', vault)).id);

  const { headers, body } = fileForm('file', `${planting.bare('file', 'name')}.txt`, planting.word('file', 'content'));
  note('file', (await ask('POST', '/v1/files', body, headers)).id);
  const metadata = `filename ${Buffer.from(planting.bare('upload', 'name')).toString('base64')}`;
  const upload = { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-metadata': metadata };
  note('upload', (await ask('POST', '/v1/uploads', undefined, upload)).id);

  const webhook = {
    name: planting.word('webhook', 'name'),
    url: `http://127.0.0.1:9/${planting.bare('webhook', 'address')}`,
    events: ['run', 'trigger', 'conversation'],
    secret: planting.bare('secret', 'secret of a webhook'),
  };
  const webhook_id = note('webhook', (await administer('POST', '/v1/webhooks', webhook)).id);
  note('webhook_delivery', (await administer('POST', `/v1/webhooks/${webhook_id}/test`)).id, { webhook: webhook_id });
  const server = { url: `http://127.0.0.1:9/${planting.bare('MCP server', 'address')}` };
  const server_id = note('mcp_server', (await administer('POST', '/v1/mcp-servers', server)).id);
  note('path:mcp_server_id', server_id);

  const deployment = {
    channel: 'webhook',
    name: planting.word('deployment', 'name'),
    custom_instructions: planting.word('deployment', 'instructions'),
  };
  const { id } = await ask('POST', `/v1/agents/${agent_id}/deployments`, deployment);
  note('deployment', id, { agent: agent_id });
  note('path:deployment_id', id);
}
