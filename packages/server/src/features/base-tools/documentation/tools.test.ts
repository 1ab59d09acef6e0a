import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolApp } from '../testing.ts';

const app = await toolApp();

test('documentation answers about this platform from its own pages, with sources', async () => {
  const { results, parts } = await app.calling(
    await app.converse({ documentation: {} }),
    [
      ['documentation_search', { query: 'What does block_after_violations do?' }],
      ['documentation_read', { page: 'readme' }],
      ['documentation_read', { page: '../package.json' }],
    ],
    'Do it',
    {},
    'It starts with npm ci && npm start [Atrium].',
  );
  assert.match(results[0].results[0].content, /block_after_violations/);
  assert.equal(results[1].title, 'Atrium');
  assert.match(results[1].content, /npm ci && npm start/);
  assert.match(results[2].error, /There is no page .*; there are readme, /);
  assert.ok(parts.some((part) => part.type === 'source' && part.title === 'Atrium'));
  await app.calling(await app.converse(), [['clock_now', {}]]);
  assert.ok(!app.offered().some((name) => name.startsWith('documentation_')));
});

test('the built-in model answers about the platform from its documentation', async () => {
  const id = await app.converse({ documentation: {} }, { model: ['atrium/extractive'] });
  assert.match((await app.say(id, 'Which variable sets the port to listen on?')).text, /PORT|port/);
});
