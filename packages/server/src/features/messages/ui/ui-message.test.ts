import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import fc from 'fast-check';
import { runArbitrary, settingsArbitrary } from '../../runs/dialects/random-runs/testing.ts';
import { bytesOf, contextOf, message_id, numbered, readChunks, readMessage, say } from '../../runs/dialects/testing.ts';
import { makeUiDialect } from '../../runs/dialects/ui-dialect.ts';
import { channelDisplay } from '../display.ts';
import { makeReply } from '../reply.ts';
import { toUiMessage } from './ui-message.ts';

/** The row that a run's events are stored as. */
function stored(events: readonly RunEvent[]) {
  const reply = makeReply();
  for (const event of events) reply.add(event);
  const created_at = '2026-01-01T00:00:00.000Z';
  const parts = JSON.stringify(reply.parts);
  return {
    seq: 2,
    id: message_id,
    role: 'assistant' as const,
    created_at,
    parts,
    metadata: JSON.stringify(reply.metadata),
  };
}

type Parts = { type: string }[];
const withoutSteps = (parts: Parts) => parts.filter(({ type }) => type !== 'step-start');

test('ui_messages are what an AI SDK client has that has watched the run', async () => {
  await fc.assert(
    fc.asyncProperty(runArbitrary, settingsArbitrary, async (events, settings) => {
      const context = contextOf(settings);
      const { message } = await readMessage(await readChunks(bytesOf(makeUiDialect(context), numbered(events))));
      const shown = JSON.parse(JSON.stringify(toUiMessage(stored(events), context.display)));
      assert.deepEqual([shown.id, shown.role, shown.metadata], [message.id, message.role, message.metadata]);
      // A step that was taken back and never said again leaves its mark with those who watched, and nothing else.
      const takenBack = events.some(
        (event) => event === say.failed || (event.type === 'attempt-start' && event.discard),
      );
      const same = takenBack ? withoutSteps : (parts: Parts) => parts;
      assert.deepEqual(same(shown.parts), same(message.parts));
    }),
    { numRuns: 400 },
  );
});

test('a conversation through a link says nothing of how its replies were made', () => {
  const events = [say.start, say.step(), say.text('x'), say.stepEnd(), say.messageEnd, say.completed];
  const shown = toUiMessage(stored(events), channelDisplay(effectiveSettings()));
  assert.deepEqual(shown.metadata, null);
  assert.deepEqual(shown.parts, [{ type: 'step-start' }, { type: 'text', text: 'x', state: 'done' }]);
});
