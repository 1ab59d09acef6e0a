import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import type { TestApp } from '../../../test/support/test-app.ts';
import { adminKey } from '../../../test/support/test-config.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { makeTextSetup } from './testing.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'atrium-erasure-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const { columnsWith, convert, node: makeNode } = await makeTextSetup({ data_dir });
const node = await makeNode({ encrypt_at_rest: true, roles: ['http', 'worker'] });
const word = 'zanthoxylum';

const call: TestApp['call'] = async (method, url, body, { key = adminKey, headers = {} } = {}) => {
  const answer = await node.server.inject({
    ...{ method: method as 'GET', url, headers: { ...(key !== null && { 'x-api-key': key }), ...headers } },
    ...(body !== undefined && { payload: body as object }),
  });
  const text = answer.payload;
  return {
    status: answer.statusCode,
    json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    text,
    headers: answer.headers,
  };
};
const good = async (...request: Parameters<typeof call>) => {
  const answer = await call(...request);
  assert.equal(answer.status, 200, `${request[1]}: ${answer.text}`);
  return answer.json;
};

test('exports a person with their encrypted words, and leaves none of them when it erases the person', async () => {
  const ada = await (await makePeopleIn({ call })).aMember('Admin');
  const mine = as(ada.cookie);
  const settings = { model: ['atrium/extractive'], pii_anonimization: [] };
  const own = await good('POST', '/v1/conversations', { name: `Own ${word}`, settings }, mine);
  await good('POST', `/v1/conversations/${own.id}`, { content: `Hello ${word}` }, mine);
  await good('POST', `/v1/conversations/${own.id}/feedback`, { rating: 'down', comment: word }, mine);
  const others = await good('POST', '/v1/conversations', { name: 'Shared', settings });
  await good('POST', `/v1/conversations/${others.id}`, { content: 'The first words' });
  await good('POST', `/v1/conversations/${others.id}`, { content: `And ${word}` }, mine);
  const step = { id: 'ask', type: 'ApprovalNode', node_config: { question: 'Go on?' } };
  const flow = await good('POST', '/v1/workflows', { name: 'Asks', definition: { nodes: [step], edges: [] } });
  const { id: run_id } = await good('POST', `/v1/workflows/${flow.id}/runs/sync`, {});
  const [asked] = await good('GET', `/v1/runs/${run_id}/approvals`);
  await good('POST', `/v1/runs/${run_id}/approvals/${asked.id}`, { decision: 'approve', note: word }, mine);
  await until('the workflow has ended', async () => (await good('GET', `/v1/runs/${run_id}`)).finished_at);
  assert.deepEqual(await columnsWith(word), []);

  const ended = async (id: string, by?: ReturnType<typeof as>) => {
    await until('the job has ended', async () => (await good('GET', `/v1/data-jobs/${id}`, undefined, by)).ended_at);
    assert.equal((await good('GET', `/v1/data-jobs/${id}`, undefined, by)).status, 'done');
  };
  const { id: export_id } = await good('POST', '/v1/auth/export', undefined, mine);
  await ended(export_id, mine);
  const file = await node.server.inject({ url: `/v1/data-jobs/${export_id}/file`, headers: mine.headers });
  const archive = Object.values(unzipSync(file.rawPayload))
    .map((bytes) => strFromU8(bytes))
    .join('\n');
  for (const said of [`Own ${word}`, `Hello ${word}`, `And ${word}`]) assert.ok(archive.includes(said), said);
  assert.ok(!archive.includes('atrium-sealed'));

  await ended((await good('POST', `/v1/admin/users/${ada.id}/erase`)).id);
  const { items } = await good('GET', `/v1/conversations/${others.id}/messages?order=oldest`);
  assert.deepEqual(
    [items[0].message_parts[0].content, items[2].message_parts[0].content],
    ['The first words', '[erased]'],
  );
  // Only plain text shows whether a word is left.
  await convert(false);
  assert.deepEqual(await columnsWith('atrium-sealed:'), []);
  assert.deepEqual(await columnsWith(word), []);
});
