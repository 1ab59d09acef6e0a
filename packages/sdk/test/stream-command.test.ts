import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Atrium, AtriumError } from '@atrium/sdk';
import { type CommandPart, streamCommand } from '@atrium/sdk/stream-command.ts';
import { openTestServer } from '../../server/src/features/runs/endpoints/testing.ts';

const { place, address } = await openTestServer({ roles: ['http', 'worker'] });
const client = new Atrium({ apiKey: place.key, baseUrl: address });

async function run(sandbox: string, command: string, options?: { signal: AbortSignal }): Promise<CommandPart[]> {
  const parts: CommandPart[] = [];
  for await (const part of streamCommand(client, sandbox, { command }, options)) parts.push(part);
  return parts;
}

test('yields the output of a command, then its end', async () => {
  const { id } = await client.sandboxes.create({ label: 'try' });
  const parts = await run(id, 'echo one; echo two >&2; exit 3');
  const written = (stream: string) =>
    parts.map((part) => (part.event === 'output' && part.stream === stream ? part.text : '')).join('');
  assert.deepEqual([written('stdout'), written('stderr')], ['one\n', 'two\n']);
  assert.partialDeepStrictEqual(parts.at(-1), { event: 'end', exit_code: 3, reason: 'exit' });
});

test('ends the command when its signal is aborted', async () => {
  const { id } = await client.sandboxes.create({ label: 'try' });
  const control = new AbortController();
  const began = performance.now();
  setTimeout(() => control.abort(), 300);
  await assert.rejects(run(id, 'sleep 50', { signal: control.signal }));
  // Commands of one sandbox run one after the other: the next one would wait for the first.
  const parts = await run(id, 'echo free');
  assert.partialDeepStrictEqual(parts.at(-1), { event: 'end', exit_code: 0 });
  assert.ok(performance.now() - began < 40_000);
});

test('throws what the server refuses', async () => {
  const missing = run('00000000-0000-4000-8000-000000000000', 'ls');
  await assert.rejects(missing, (error) => error instanceof AtriumError && error.status === 404);
});
