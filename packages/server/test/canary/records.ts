import { until } from '../support/two-nodes.ts';
import type { CanaryPath } from './canary-path.ts';

/** What the program tells of what happened. */
export const recordPaths: CanaryPath[] = [
  {
    path: 'what the program says of itself',
    async run({ call }) {
      for (const at of ['/metrics', '/openapi.json', '/health', '/ready', '/v1/admin/me', '/v1/models'])
        await call('GET', at);
    },
  },
  {
    path: 'files that are encrypted on the disk',
    async run({ good, query }) {
      const headers = { 'content-type': 'multipart/form-data; boundary=B' };
      const head = '--B\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
      const { json } = await good('POST', '/v1/files', `${head}words\r\n--B--\r\n`, { headers });
      await good('GET', `/v1/files/${json.id}`);
      // Archives of people are made by workers, of which there is none here: the row of the organization is a copy.
      await query(`insert into tenant_blob_keys (tenant_id, id, made_under, sealed)
        select t.id, k.id, k.made_under, k.sealed from tenants t, blob_keys k`);
    },
  },
  {
    path: 'traces, the ledger, feedback and evaluations',
    arrives: true,
    async run({ call, good, agent, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      const { json: runs } = await good('GET', '/v1/runs');
      // The server stores prompts asynchronously.
      const trace = () => good('GET', `/v1/runs/${runs.items[0].id}/trace`);
      await until('the trace has a prompt', async () => /"prompt":\{/.test((await trace()).text));
      await good('POST', `/v1/conversations/${id}/feedback`, { comment: '{{secret.INLINE}}', score: 1 });
      const cases = [{ messages: ['Send it'], tools: [{ name: 'canary_send', output: '{{secret.VAULT}}' }] }];
      const agent_id = await agent();
      const { json } = await good('POST', '/v1/evaluations', {
        name: 'canary',
        agent_id,
        cases,
        conversation_ids: [id],
      });
      await call('GET', `/v1/evaluations/${json.id}`);
      for (const what of ['top-topics', 'csat', 'custom']) await good('GET', `/v1/agents/${agent_id}/insights/${what}`);
    },
  },
  {
    path: "tables: the platform's own as rows, as a file and in SQL",
    async run({ call, good }) {
      const { json } = await good('GET', '/v1/tables?source=platform');
      for (const { id, sql_name } of json.items) {
        await good('GET', `/v1/tables/${id}/rows?size=100`);
        await good('GET', `/v1/tables/${id}/export`);
        await good('POST', '/v1/tables/query', { sql: `select * from ${sql_name}`, max_rows: 1000 });
      }
      await call('POST', '/v1/tables/query', { sql: 'select * from variables' });
    },
  },
];
