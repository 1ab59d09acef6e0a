import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { CanaryPath } from './canary-path.ts';

/** Takes tokens that people write into settings, which are stored there, past all who may not see them. */
export const writtenTokenPaths: CanaryPath[] = [
  {
    path: 'tokens in addresses, bodies and texts: exports, the audit log, logs and answers to a key that may only run',
    async run({ good, call, logged }) {
      const token = `c4N4ry${randomBytes(18).toString('hex')}`;
      const from = logged.length;
      const hook = `https://hooks.example/services/T0/B0/${token}`;
      const body = `{"text": "x", "token": "${token}"}`;
      const definition = {
        actions: [{ name: 'notify', url: hook, body }],
        skills: [{ name: 's', instructions: `Post to ${hook}` }],
        block_message: hook,
      };
      const node = { id: 'n', type: 'HttpRequestNode', node_config: { url: hook, body } };
      const { json: agent } = await good('POST', '/v1/agents', { name: 'written', definition });
      const flow = await good('POST', '/v1/workflows?force=true', { definition: { nodes: [node], edges: [] } });
      const hooked = { type: 'webhook', input: { to: hook, body } };
      const trigger = await good('POST', `/v1/workflows/${flow.json.id}/triggers`, { definition: hooked });
      const { json: sent } = await good('POST', '/v1/webhooks', { url: hook, events: ['run'] });
      await good('PATCH', `/v1/webhooks/${sent.id}`, { url: `${hook}/more`, enabled: false });
      await good('PATCH', `/v1/agents/${agent.id}`, { definition: { block_message: `${hook}/more` } });

      const { group_id } = (await good('GET', '/v1/admin/me')).json;
      const key = { name: 'runs', permissions: ['agents_run', 'flows_run'] };
      const weak = { key: (await call('POST', `/v1/admin/groups/${group_id}/api-keys`, key)).json.value as string };
      const answers = [
        await good('GET', `/v1/agents/${agent.id}/export`),
        await good('GET', `/v1/workflows/${flow.json.id}/export`),
        await good('GET', '/v1/admin/audit'),
      ];
      for (const path of [
        ...[`/v1/agents/${agent.id}`, `/v1/agents/${agent.id}/versions`, '/v1/agents', '/v1/workflows'],
        ...[`/v1/workflows/${flow.json.id}`, `/v1/triggers/${trigger.json.id}`, '/v1/triggers'],
      ])
        answers.push(await good('GET', path, undefined, weak));
      for (const { text } of answers) assert.equal(text.includes(token), false, text);
      for (const line of logged.slice(from)) assert.equal(line.includes(token), false, line);
    },
  },
];
