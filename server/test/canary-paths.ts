import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Canary } from './canary-rig.ts';

/**
 * A way that a secret could take. A new feature adds a row that takes the marked secrets through it: whatever the program
 * answers through `call`, tells a model, logs or stores is looked through afterwards.
 */
export interface CanaryPath {
  path: string;
  /** Whether every secret must have arrived at the target of a tool call. */
  arrives?: true;
  run(canary: Canary): Promise<unknown>;
}

const formats = ['', '?format=ui', '?format=vercel', '?format=json'];

export const canaryPaths: CanaryPath[] = [
  {
    path: 'variables, answered and refused',
    async run({ call, good, marks, ids }) {
      const [id] = ids;
      await good('GET', '/v1/variables');
      await good('GET', `/v1/variables/${id}`);
      await good('PATCH', `/v1/variables/${id}`, { name: 'INLINE', inline_value: `${marks.inline}!` });
      const bodies: object[] = [
        { name: 'x y', inline_value: marks.inline },
        { name: 'x', inline_value: [marks.inline] },
        { name: 'x', type: 'number', inline_value: marks.inline },
        { name: 'x', source: 'vault', inline_value: marks.inline },
        { name: 'INLINE', inline_value: marks.inline },
        { name: 'x', env_var_name: 'ATRIUM_VAR_CANARY', source: 'environment', type: 'number' },
      ];
      for (const body of bodies) await call('POST', '/v1/variables', body);
      await call('POST', '/v1/variables', `{"name": "x", "inline_value": "${marks.inline}", `);
      await call('PATCH', `/v1/variables/${id}`, { type: 'boolean' });
      await call('PATCH', `/v1/variables/${id}`, { is_secret: false });
    },
  },
  {
    path: 'idempotent answers',
    async run({ good, marks }) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { name: 'AGAIN', inline_value: marks.inline, is_secret: true };
      await good('POST', '/v1/variables', body, { headers });
      await good('POST', '/v1/variables', body, { headers });
    },
  },
  {
    path: 'vault credentials, answered and refused',
    async run({ call, good, marks, vault, credential_id }) {
      const at = '/v1/vault-credentials';
      await good('GET', at);
      await good('GET', `${at}/${credential_id}`);
      await good('POST', `${at}/${credential_id}/test`);
      const role = { name: 'role', address: vault.address, auth_method: 'approle', role_id: 'canary' };
      const { json } = await good('POST', at, { ...role, secret_id: marks.secret_id });
      await good('POST', `${at}/${json.id}/test`);
      await good('PATCH', `${at}/${json.id}`, { role_id: 'nobody' });
      await good('POST', `${at}/${json.id}/test`);
      await call('PATCH', `${at}/${json.id}`, { address: 'http://127.0.0.1:9' });
      await call('POST', at, { ...role, secret_id: { a: marks.secret_id } });
      await call('POST', at, { ...role, name: 'canary', secret_id: marks.secret_id });
    },
  },
  {
    path: 'provider accounts',
    async run({ call, good, marks, provider }) {
      const at = '/v1/admin/providers';
      const body = { name: 'canary', provider: 'openai-compatible', base_urls: [provider.url], models: ['one'] };
      const { json } = await good('POST', at, { ...body, api_key: `${marks.provider}-end` });
      await good('GET', at);
      await good('PATCH', `${at}/${json.id}`, { models: ['one', 'two'] });
      await good('POST', `${at}/${json.id}/test`);
      await call('POST', at, { ...body, api_key: [marks.provider] });
      await call('POST', at, { ...body, api_key: marks.provider });
      const { json: talk } = await good('POST', '/v1/conversations', { settings: { model: ['canary/one'] } });
      provider.reply({ status: 401, error: `Incorrect API key provided: ${marks.provider}-end` });
      await good('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' });
      await good('DELETE', `${at}/${json.id}`);
    },
  },
  {
    path: 'tool calls, watched in every dialect',
    arrives: true,
    async run({ call, good, conversation, scriptSending }) {
      for (const format of formats) {
        const id = await conversation();
        scriptSending();
        await call('POST', `/v1/conversations/${id}/stream${format}`, { content: 'Send it' });
        for (const again of formats) await call('GET', `/v1/conversations/${id}/events${again}`);
        const { json: runs } = await good('GET', '/v1/runs');
        for (const again of formats) await call('GET', `/v1/runs/${runs.items[0].id}/events${again}`);
      }
    },
  },
  {
    path: 'tool calls that are refused, break or hang',
    arrives: true,
    async run({ good, conversation, scriptSending }) {
      for (const then of ['refuse', 'break', 'hang']) {
        const id = await conversation({ tool_timeout: 1 });
        scriptSending(then);
        await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      }
    },
  },
  {
    path: 'tool calls that people approve, and questions to people',
    arrives: true,
    async run({ good, call, conversation, scriptSending, provider }) {
      const tools = [{ type: 'canary', requires_approval: true }];
      for (const decision of ['approve', 'reject']) {
        const id = await conversation({ tools });
        scriptSending();
        await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
        const { json } = await good('GET', `/v1/conversations/${id}/approvals`);
        await good('POST', `/v1/conversations/${id}/approvals/${json.items[0].id}`, { decision, note: 'Fine' });
        for (let attempt = 0; attempt < 200; attempt++) {
          if ((await good('GET', `/v1/conversations/${id}`)).json.status === 'completed') break;
          await sleep(20);
        }
        for (const format of formats) await call('GET', `/v1/conversations/${id}/events${format}`);
        await good('GET', '/v1/tool-calls');
      }
      const id = await conversation({ base_tools: [{ type: 'human_in_the_loop', enabled: true }] });
      const input = { question: 'May I send {{secret.INLINE}}?' };
      provider.reply({ tool_calls: [{ name: 'human_in_the_loop_ask', input }] }, { text: 'So be it' });
      await good('POST', `/v1/conversations/${id}`, { content: 'Ask' });
      await good('POST', `/v1/conversations/${id}/human`, { content: 'Send {{secret.INLINE}}' });
    },
  },
  {
    path: 'placeholders for people, and guardrails',
    arrives: true,
    async run({ good, call, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}`, { content: 'I am anna.berg@example.com, send it' });
      // The model only repeats what it was told, which is no verdict: nothing passes such a guardrail.
      const guarded = await conversation({ crime: 'High', jailbreak: true, context_leak: true });
      await good('POST', `/v1/conversations/${guarded}`, { content: 'Send {{secret.INLINE}}' });
      await call('GET', `/v1/conversations/${guarded}/events`);
    },
  },
  {
    path: 'answers that are waited for, edited and asked for again',
    arrives: true,
    async run({ call, good, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}/chat`, { content: 'Send it' });
      const { json } = await good('GET', `/v1/conversations/${id}`);
      scriptSending('refuse');
      const edit = `/v1/conversations/${id}/messages/${json.messages[0].id}/edit`;
      const { json: edited } = await good('POST', edit, { content: 'Again' });
      scriptSending();
      await good('POST', `/v1/conversations/${id}/messages/${edited.messages.at(-1).id}/regenerate`);
      scriptSending();
      const { json: runs } = await good('GET', '/v1/runs');
      const { json: run } = await good('POST', `/v1/runs/${runs.items[0].id}/retry`);
      await call('GET', `/v1/runs/${run.id}/events`);
      await good('GET', `/v1/runs/${run.id}`);
    },
  },
  {
    path: "clients of OpenAI's protocol",
    arrives: true,
    async run({ call, agent, scriptSending }) {
      const model = `agent:${await agent()}`;
      for (const stream of [false, true]) {
        scriptSending();
        const messages = [{ role: 'user', content: 'Send it' }];
        await call('POST', '/v1/chat/completions', { model, stream, messages });
      }
    },
  },
  {
    path: 'conversations: lists, pages, exports, shared links',
    arrives: true,
    async run({ call, good, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      await good('GET', '/v1/conversations');
      await good('GET', `/v1/conversations/${id}/messages`);
      for (const format of ['markdown', 'json']) await call('GET', `/v1/conversations/${id}/export?format=${format}`);
      const { json } = await good('POST', `/v1/conversations/${id}/share`);
      const link = `/v1/public/conversations/${json.public_access_token}`;
      await good('GET', link);
      scriptSending();
      await call('POST', `${link}/stream?format=ui`, { content: 'Again' }, { key: null });
      await call('GET', `${link}/events`, undefined, { key: null });
      await good('PATCH', `/v1/conversations/${id}`, { settings: { tone: '{{secret.VAULT}}' } });
    },
  },
  {
    path: 'agents: versions, differences, export and import',
    async run({ good, agent, settings }) {
      const id = await agent();
      await good('PATCH', `/v1/agents/${id}`, { definition: { tone: 'Never say {{secret.INLINE}}' } });
      await good('PATCH', `/v1/agents/${id}?preview=true`, { definition: { ...settings, tone: '{{INLINE}}' } });
      const { json: versions } = await good('GET', `/v1/agents/${id}/versions`);
      const [last, first] = versions.items ?? versions;
      await good('GET', `/v1/agents/${id}/versions/${first.id}`);
      await good('GET', `/v1/agents/${id}/versions/diff?from=${first.id}&to=${last.id}`);
      await good('POST', `/v1/agents/${id}/versions/${first.id}/publish`);
      const { json: file } = await good('GET', `/v1/agents/${id}/export`);
      await good('POST', '/v1/agents/import', file);
      await good('GET', '/v1/agents');
    },
  },
  {
    path: 'prompts and titles',
    async run({ good, settings, provider }) {
      const text = '{{secret.INLINE}} {{ENVIRONMENT}} {{secret.VAULT}} {{OBJECT}}';
      const everywhere = {
        ...{ tone: text, extra_instructions: text, prompt_defense: text, deployment_custom_instructions: text },
        ...{ memories: [{ text }], glossary: [{ term: text, definition: text }], agent_title_prompt: text },
        ...{ guidelines_enabled: true, guidelines: [{ condition: text, action: text }], message_footer: text },
        message_footer_enabled: true,
      };
      const { json } = await good('POST', '/v1/conversations', {
        ...{ settings: { ...settings, ...everywhere }, variables: { mine: text } },
      });
      const before = provider.requests.length;
      await good('POST', `/v1/conversations/${json.id}`, { content: text });
      // The title is asked for after the answer.
      for (let look = 0; provider.requests.length < before + 2 && look < 300; look++) await sleep(10);
    },
  },
  {
    path: 'a vault that has ended',
    async run({ good, settings, marks, vault, provider }) {
      vault.addToken('short', {});
      const at = { name: 'gone', address: vault.address, auth_method: 'approle', role_id: 'canary' };
      const { json } = await good('POST', '/v1/vault-credentials', { ...at, secret_id: `${marks.secret_id}wrong` });
      const from = { source: 'vault', vault_credential_id: json.id, vault_path: 'canary', vault_key: 'key' };
      const { json: variable } = await good('POST', '/v1/variables', { name: 'GONE', is_secret: false, ...from });
      const own = { ...settings, variables: [variable.id], persona: '{{GONE}}' };
      const { json: talk } = await good('POST', '/v1/conversations', { name: 'gone', settings: own });
      await good('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' });
      provider.reply({ tool_calls: [{ name: 'canary_send', input: { body: '{{secret.GONE}}' } }] }, { text: 'No' });
      const { json: other } = await good('POST', '/v1/conversations', {
        ...{ name: 'gone', settings: { ...own, persona: '' } },
      });
      await good('POST', `/v1/conversations/${other.id}`, { content: 'Send it' });
    },
  },
  {
    path: 'the tools that every agent has: what they write down, and where it is read again',
    async run({ good, call, conversation, provider }) {
      const types = ['memory', 'files', 'filesystem', 'code_execution', 'todos'];
      const id = await conversation({
        ...{ base_tools: types.map((type) => ({ type, enabled: true })), parallel_tool_calls: false },
      });
      const inputs: [string, object][] = [
        ['memory_remember', { text: 'Keep {{secret.INLINE}} and {{secret.VAULT}}' }],
        ['memory_recall', { query: 'keep' }],
        ['todos_add_todo', { text: '{{secret.INLINE}}' }],
        ['files_make_document', { filename: 'a', format: 'text', content: '{{secret.OBJECT}}' }],
        ['filesystem_write', { path: 'b.txt', content: '{{secret.ENVIRONMENT}}' }],
        ['filesystem_search', { query: 'secret' }],
        ['code_execution_run', { language: 'bash', code: 'env; cat * # {{secret.INLINE}}' }],
      ];
      for (const [name, input] of inputs) {
        provider.reply({ tool_calls: [{ name, input }] }, { text: 'Kept' });
        await good('POST', `/v1/conversations/${id}`, { content: 'Keep it' });
      }
      for (const at of ['memories', 'files']) await good('GET', `/v1/conversations/${id}/${at}`);
      const { json } = await good('GET', `/v1/conversations/${id}/files`);
      for (const file of json.items) await call('GET', `/v1/conversations/${id}/files/${file.id}`);
    },
  },
  {
    path: 'triggers and webhooks, answered and refused',
    async run({ call, good, marks, agent }) {
      const at = `/v1/agents/${await agent()}/triggers`;
      const hook = (more: object) => ({ definition: { type: 'webhook', secret: marks.inline, ...more } });
      const { json } = await good('POST', at, hook({}));
      await good('GET', at);
      await good('PATCH', `/v1/triggers/${json.id}`, hook({ auth: 'hmac' }));
      await call('POST', at, hook({ auth: 'none' }));
      await call('POST', at, hook({ secret: [marks.inline] }));
      const headers = { 'x-webhook-secret': marks.inline };
      await call('POST', `/hooks/${json.routing_key}`, {}, { key: null, headers });
      await good('PATCH', `/v1/triggers/${json.id}`, hook({ auth: 'secret' }));
      await good('POST', `/hooks/${json.routing_key}`, {}, { key: null, headers });
      await good('GET', `/v1/triggers/${json.id}/deliveries`);
      const sent = { url: 'http://127.0.0.1:9', events: ['run'] };
      const { json: own } = await good('POST', '/v1/webhooks', { ...sent, secret: marks.inline });
      await good('GET', '/v1/webhooks');
      await call('POST', '/v1/webhooks', { ...sent, secret: [marks.inline] });
      await good('POST', `/v1/webhooks/${own.id}/test`);
      await good('PATCH', `/v1/webhooks/${own.id}`, { enabled: false });
    },
  },
  {
    path: 'deployments, answered and refused, and what is sent to them',
    async run({ call, good, marks, agent }) {
      const at = `/v1/agents/${await agent()}/deployments`;
      const config = { signing_secret: marks.inline, bot_token: `xoxb-${marks.provider}` };
      const { json } = await good('POST', at, { channel: 'slack', config });
      await good('GET', at);
      await good('PATCH', `${at}/${json.id}`, { config: { bot_token: marks.inline } });
      await call('PATCH', `${at}/${json.id}`, { config: { api_url: 'http://127.0.0.1:9' } });
      for (const wrong of [[marks.inline], 'short', { a: marks.inline }])
        await call('POST', at, { channel: 'slack', config: { ...config, signing_secret: wrong } });
      await call('POST', at, { channel: 'webhook', config });
      await call('POST', at, { config });
      await call('POST', json.inbound_path, { type: 'event_callback' }, { key: null });
      const smtp = {
        address: 'a@b.example',
        smtp_host: '127.0.0.1',
        smtp_password: marks.inline,
        inbound_secret: marks.inline,
      };
      const { json: mail } = await good('POST', at, { channel: 'email', config: smtp });
      await call('POST', mail.inbound_path, 'x', { key: null, headers: { 'x-webhook-secret': `${marks.inline}x` } });
      await good('GET', `${at}/${mail.id}`);
      await good('POST', `${at}/${mail.id}/rotate`);
      await good('POST', at, { channel: 'web' });
    },
  },
  {
    path: 'workflows: handles in templates, inputs, logs and journals',
    async run({ call, good, marks, provider }) {
      const node = (id: string, type: string, node_config: object) => ({ id, type, node_config });
      const to = (from: string, node_id: string, connector_name: string, key?: string) => ({
        from_id: { node_id: from, connector_name: 'output' },
        to_id: { node_id, connector_name, key },
      });
      const template = 'Use {{secret.INLINE}}, {{INLINE}} and ((in))';
      const definition = {
        nodes: [
          node('in', 'InputNode', { label: 'in' }),
          node('text', 'ComposeTextNode', { template }),
          node('gen', 'TextGenerationNode', { template, model: ['canary-flow/one'] }),
          node('o1', 'OutputNode', { label: 'o1' }),
          node('o2', 'OutputNode', { label: 'o2' }),
        ],
        edges: [
          to('in', 'text', 'variables', 'in'),
          to('in', 'gen', 'variables', 'in'),
          to('text', 'o1', 'input'),
          to('gen', 'o2', 'input'),
        ],
      };
      const account = {
        name: 'canary-flow',
        provider: 'openai-compatible',
        base_urls: [provider.url],
        models: ['one'],
      };
      await good('POST', '/v1/admin/providers', { ...account, api_key: marks.provider });
      const { json } = await good('POST', '/v1/workflows', { definition });
      provider.reply({ text: 'Done' });
      const body = { input: { in: '{{secret.INLINE}}' }, tracing: true };
      const { json: run } = await good('POST', `/v1/workflows/${json.id}/runs/sync`, body);
      await good('GET', `/v1/runs/${run.id}`);
      await call('GET', `/v1/runs/${run.id}/events`);
      await good('GET', `/v1/workflows/${json.id}`);
      await good('GET', '/v1/workflows/callback-secret');
    },
  },
  {
    path: 'what the program says of itself',
    async run({ call }) {
      for (const at of ['/metrics', '/openapi.json', '/health', '/ready', '/v1/admin/me', '/v1/models'])
        await call('GET', at);
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
      // What models were told is stored a moment later.
      await sleep(1500);
      await good('GET', `/v1/runs/${runs.items[0].id}/trace`);
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
  {
    path: 'requests, MCP servers and databases that settings describe',
    arrives: true,
    async run({ good, conversation, scriptTools, target, marks }) {
      const all = '{{secret.INLINE}} {{secret.ENVIRONMENT}} {{secret.VAULT}} {{secret.OBJECT}}';
      const id = await conversation({
        actions: [
          { name: 'send', method: 'POST', url: target.url, headers: { 'x-key': '{{secret.VAULT}}' }, body: all },
        ],
        // It answers what it was sent, which is no MCP; and its address is no database.
        mcp_servers: [{ name: 'echo', url: target.url, headers: { authorization: 'Bearer {{secret.VAULT}}' } }],
        databases: [{ name: 'd', dsn_variable: 'VAULT' }],
      });
      scriptTools(['action_send', {}], ['mcp_echo_unavailable', {}], ['databases_query', { database: 'd', sql: all }]);
      await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      await good('GET', `/v1/conversations/${id}`);
      const login = { grant_type: 'client_credentials', token_url: target.url, client_id: 'c' };
      const { json } = await good('POST', '/v1/mcp-servers', {
        ...{ url: `${target.url}mcp`, ...login, client_secret: marks.inline },
      });
      const asking = await conversation({ mcp_servers: [{ name: 'login', url: `${target.url}mcp` }] });
      scriptTools(['mcp_login_unavailable', {}]);
      await good('POST', `/v1/conversations/${asking}`, { content: 'Ask it' });
      await good('GET', `/v1/mcp-servers/${json.id}`);
      await good('GET', '/v1/mcp-servers');
      await good('PATCH', `/v1/mcp-servers/${json.id}`, { client_id: 'd' });
    },
  },
];
