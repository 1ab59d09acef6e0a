import type { CanaryPath } from './canary-path.ts';

/** What runs by itself, and what starts it. */
export const startingPaths: CanaryPath[] = [
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
];
