import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { form } from '../../../test/walk/walk-fixtures.ts';

const app = await scriptedApp();
const { server: model, name: account } = await app.provider();
const upload = async (key = app.admin) => {
  const { headers, body } = form('file');
  return (await app.call('POST', '/v1/files', body, { headers, key })).json.id as string;
};

/** What the results have brought into the conversation. */
let brought: unknown[] = [];

async function calling(own: object, ...calls: [tool: string, input: object][]) {
  const tool_calls = calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input }));
  model.reply({ tool_calls }, { text: 'Done' });
  const { parts } = await app.ask({ model: [`${account}/one`], pii_anonimization: [], ...own });
  brought = parts.flatMap((part) => (part.type === 'function' ? [part.brings] : []));
  return (model.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
}

test('skills are listed by name, and their instructions and files are loaded on demand', async () => {
  const skills = [
    {
      name: 'Refunds',
      description: 'How to refund',
      instructions: 'Ask for the order first.',
      file_ids: [await upload()],
    },
    { name: 'Old', instructions: 'Never', enabled: false },
  ];
  const [loaded, read, missing, old] = await calling(
    { skills },
    ['skills_load', { name: 'Refunds' }],
    ['skills_read_file', { skill: 'Refunds', file: 'a.txt' }],
    ['skills_read_file', { skill: 'Refunds', file: '../a.txt' }],
    ['skills_load', { name: 'Old' }],
  );
  assert.deepEqual(loaded, { instructions: 'Ask for the order first.', files: [{ name: 'a.txt', size: 5 }] });
  assert.deepEqual(read, { text: 'hello', next_from: null });
  assert.deepEqual(brought.slice(0, 2), [undefined, ['untrusted', 'private']]);
  assert.match(missing.error, /has no file named/);
  assert.match(old.error, /does not fit the tool/);
  const first = JSON.stringify(model.requests.at(-2)?.body);
  assert.match(first, /- Refunds: How to refund/);
  assert.doesNotMatch(first, /Ask for the order first/);
  const vouched = skills.map((skill) => ({ ...skill, trusted: true }));
  await calling({ skills: vouched }, ['skills_read_file', { skill: 'Refunds', file: 'a.txt' }]);
  assert.deepEqual(brought, [['private']]);
});

test('a skill names files of its own workspace only, and one that is gone is left out', async () => {
  const other = await app.workspace();
  const skill = { name: 's', instructions: 'i', file_ids: [await upload(other.key)] };
  const refused = await app.call('POST', '/v1/agents', { name: 'x', definition: { skills: [skill] } });
  assert.equal(refused.status, 422);
  const id = await upload();
  const conversation = await app.converse({ skills: [{ ...skill, file_ids: [id] }], model: [`${account}/one`] });
  await app.call('DELETE', `/v1/files/${id}`);
  model.reply({ tool_calls: [{ name: 'skills_load', input: { name: 's' } }] }, { text: 'Done' });
  const { parts } = await app.say(conversation);
  assert.match(JSON.stringify(parts), /\\"files\\":\[\]/);
});
