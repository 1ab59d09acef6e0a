import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { makeOutage } from '../../../lib/outages/testing.ts';
import type { Tool } from '../../tools/ports.ts';
import { defineTool } from '../../tools/service.ts';

const calls: string[] = [];
/** Fails so many times because the database is away. */
const failing = (tool: string, outages: number, more: Partial<Tool> = {}): Tool =>
  defineTool({
    ...{ tool, description: 'Does something', repeatable: true, input: z.object({}), output: z.string(), ...more },
    async run() {
      calls.push(tool);
      if (outages-- > 0) throw await makeOutage();
      return 'There it is';
    },
  });
const reads = { reads_only: true } as const;
const tools = [
  ...[failing('look_once', 1, reads), failing('look_never', 100, reads), failing('look_beside', 1, reads)],
  ...[failing('write_once', 1), failing('write_well', 0)],
];

const app = await scriptedApp({}, { tools });
const { server, name } = await app.provider();
const settings = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };

/** The results that the model reads of these calls, and how often the tools were run. */
async function resultsOf(...names: string[]) {
  calls.length = 0;
  server.reply({ tool_calls: names.map((tool, at) => ({ id: `c${at}`, name: tool, input: {} })) }, { text: 'Done.' });
  await app.ask(settings);
  const messages = server.last().body.messages as { role: string; content: string }[];
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? /failed|There/.exec(content) : []));
  return { results: results.map(String), runs: calls.length };
}

test('makes a call that only reads again when the database was away during it', async () => {
  assert.deepEqual(await resultsOf('look_once'), { results: ['There'], runs: 2 });
});

test('gives the model the failure of a call that fails again after an outage', async () => {
  assert.deepEqual(await resultsOf('look_never'), { results: ['failed'], runs: 2 });
});

test('does not repeat calls with effects after an outage, nor those beside them', async () => {
  assert.deepEqual(await resultsOf('write_once'), { results: ['failed'], runs: 1 });
  assert.deepEqual(await resultsOf('look_beside', 'write_well'), { results: ['failed', 'There'], runs: 2 });
});
