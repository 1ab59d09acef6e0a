import { randomUUID } from 'node:crypto';
import type { CanaryPath } from './canary-path.ts';

/** Where secrets are kept. */
export const secretPaths: CanaryPath[] = [
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
];
