import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { call } = app;
const api_key = 'a-key-that-has-no-usual-form-quux';
const { server } = await app.provider();
const account = { provider: 'openai-compatible', base_urls: [server.url], models: ['one'] };
await call('POST', '/v1/admin/providers', { name: 'echoing', api_key, ...account });
const settings = { model: ['echoing/one'], max_retries_per_model: 0, hide_error_banners: false };

const echoes = [
  `Incorrect API key provided: ${api_key}. You can find it in your account.`,
  'Incorrect API key provided: sk-live-0123456789uvwxyz',
  'Incorrect API key provided: sk-liv********************wxyz.',
  'The header was Authorization: Bearer abc.def.ghi, which is not valid',
];
/** None of these parts can stand in the hexadecimal ids of answers and logs. */
const secrets = /a-key-that|quux|sk-liv|wxyz|abc\.def/;

for (const [at, error] of echoes.entries())
  test(`no path shows a key that the provider echoes in its error (${at + 1})`, async () => {
    const id = await app.converse(settings);
    const path = `/v1/conversations/${id}`;
    const { json: shared } = await call('POST', `${path}/share`);
    const guest = `/v1/public/conversations/${shared.public_access_token}`;
    const turn = async (to: string, key: string | null = app.admin) => {
      server.reply({ status: 401, error });
      return (await call('POST', to, { content: 'Hi' }, { key })).text;
    };
    const texts = [
      await turn(path),
      await turn(`${path}/chat`),
      await turn(`${path}/stream`),
      await turn(`${path}/stream?format=ui`),
      await turn(`${guest}/stream?format=json`, null),
      (await call('GET', path)).text,
      (await call('GET', '/v1/conversations')).text,
      (await call('GET', `/v1/runs?conversation_id=${id}`)).text,
      (await call('GET', `${path}/export`)).text,
    ];
    assert.match(texts[0] ?? '', /The provider answered 401/);
    for (const text of [...texts, ...app.logged]) assert.doesNotMatch(text, secrets);
  });
