import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ModelMessage } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { estimateMessages, estimateTokens } from '../../messages/service.ts';
import { compact } from './compactor.ts';
import { messagesOf, unitsOf } from './message-units.ts';

const words = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 0, max: 120 }))
  .map(([text, times]) => `${text} `.repeat(times));
const turn = fc.oneof(
  words.map((text): ModelMessage[] => [{ role: 'user', parts: [{ type: 'text', text }] }]),
  words.map((text): ModelMessage[] => [{ role: 'assistant', parts: [{ type: 'text', text }] }]),
  fc
    .tuple(
      fc.array(words, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('a_search', 'todos_read_todos'),
      fc.integer({ min: 0, max: 9 }),
    )
    .map(([outputs, name, missing]): ModelMessage[] => [
      {
        role: 'assistant',
        parts: outputs.map((text, at) => ({ type: 'tool-call', id: `${at}`, name, input: { text } })),
      },
      {
        role: 'tool',
        // One call in ten waits for an approval.
        results: outputs
          .slice(missing === 0 ? 1 : 0)
          .map((output, at) => ({ id: `${at + (missing === 0 ? 1 : 0)}`, name, output, is_error: false })),
      },
    ]),
);
/** Every call gets a unique id, so that a call can be matched with its result. */
const history = fc.array(turn, { maxLength: 25 }).map((turns) =>
  turns.flatMap((messages, at) =>
    messages.map((message): ModelMessage => {
      if (message.role === 'tool')
        return { role: 'tool', results: message.results.map((result) => ({ ...result, id: `${at}.${result.id}` })) };
      if (message.role === 'user') return message;
      const named = message.parts.map((part) => (part.type === 'text' ? part : { ...part, id: `${at}.${part.id}` }));
      return { role: 'assistant', parts: named };
    }),
  ),
);

const callsIn = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])) : [],
  );
const resultsIn = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ id }) => id) : []));
const isSubsequence = (part: readonly string[], whole: readonly string[]) => {
  let at = 0;
  for (const one of whole) if (one === part[at]) at++;
  return at === part.length;
};

/**
 * The fewest tokens a text can be cut to: the size of the truncation note. Texts hardly longer than the note are not
 * cut.
 */
const leastText = (text: string) => (text.length > 52 ? 20 : estimateTokens(text));
/** The fewest tokens that compaction can reach: the newest unit, the pinned units and a note for the removed ones. */
function least(messages: readonly ModelMessage[]): number {
  const units = unitsOf(messages);
  const stays = messagesOf(units.filter((unit, at) => unit.pinned || at === units.length - 1));
  const pieces = stays.flatMap((message): [text: string, around: number][] => {
    if (message.role === 'tool')
      return message.results.map(({ output, name, id }) => [output, estimateTokens(name + id)]);
    return (message.parts as (typeof message.parts)[number][]).map((part) => {
      if (part.type !== 'tool-call') return [part.type === 'text' ? part.text : '', 0];
      return [JSON.stringify(part.input), estimateTokens(part.name + part.id)];
    });
  });
  return pieces.reduce((sum, [text, around]) => sum + leastText(text) + around + 12, 64);
}

test('the result always fits and keeps order, call pairs, open calls and the last user message', async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.integer({ min: 300, max: 6_000 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.constantFrom('auto', 'summarize', 'truncate'),
      fc.oneof(words, fc.constant(null)),
      async (messages, context_window, max_tokens, compaction_threshold, compaction_strategy, summary) => {
        const system = 'You are kind.';
        const making = compact(messages, {
          system,
          context_window,
          max_tokens,
          settings: { compaction_enabled: true, compaction_threshold, compaction_strategy },
          summarize: async (told, most) => {
            assert.ok(estimateMessages(told) + most < context_window, 'the call that summarizes fits, too');
            if (summary === null) throw new Error('down');
            return summary;
          },
        });
        const open = callsIn(messages).filter((id) => !resultsIn(messages).includes(id));
        let next: Awaited<ReturnType<typeof making.next>>;
        try {
          do next = await making.next();
          while (!next.done);
        } catch (error) {
          assert.ok(error instanceof RunFailure && error.code === 'context_too_long');
          // Honest only where what must stay fills the window, cut to its notes, or is calls that must not be touched.
          const room = context_window - Math.min(max_tokens, context_window / 4) - estimateTokens(system);
          assert.ok(least(messages) > room || open.length > 0);
          return;
        }
        const kept = next.value as ModelMessage[];
        assert.ok(
          estimateTokens(system) + estimateMessages(kept) <= context_window - Math.min(max_tokens, context_window / 4),
        );
        assert.ok(
          isSubsequence(callsIn(kept), callsIn(messages)) && isSubsequence(resultsIn(kept), resultsIn(messages)),
        );
        const calls = new Set(callsIn(kept));
        for (const id of resultsIn(kept)) assert.ok(calls.has(id), 'a result without its call');
        for (const id of calls) assert.ok(resultsIn(kept).includes(id) || open.includes(id), 'a call lost its result');
        for (const id of open) assert.ok(calls.has(id), 'an open call was lost');
        const asked = messages.findLast(({ role }) => role === 'user');
        const still = kept.findLast(({ role }) => role === 'user');
        if (asked?.role === 'user' && still?.role === 'user') {
          const [was, is] = [asked.parts[0], still.parts[0]].map((part) => (part?.type === 'text' ? part.text : ''));
          assert.ok(is === was || is?.includes('characters left out'), 'what the user said last was lost');
        }
      },
    ),
    { numRuns: 300 },
  );
});
