import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import fc from 'fast-check';
import { say } from '../testing.ts';

const word = fc.constantFrom('a', 'bc ', 'def\n', 'ø🙂', '');
const output = fc.oneof(fc.constantFrom<unknown>('done', '{"b":2}', '{broken', 7, null), fc.record({ a: word }));

/** The approval requests and questions for the calls of a step, and the answers to them. */
function peopleOf(step: number, said: readonly RunEvent[], waits: readonly string[]): RunEvent[] {
  const asked = said.flatMap((event, index) =>
    event.type === 'tool-call' && waits[index] !== 'no' ? [{ ...event, how: waits[index] as string }] : [],
  );
  if (asked.length === 0) return [];
  const expires_at = '2030-01-01T00:00:00.000Z';
  const requests = asked.map(({ id: call_id, name, input, how }): RunEvent => {
    const id = `asked-${call_id}`;
    return how === 'ask'
      ? { type: 'human-request', step, id, call_id, name, question: 'Who?', message: 'One moment', expires_at }
      : { type: 'approval-request', step, id, call_id, name, input, reason: 'rule', expires_at };
  });
  const answers = asked.map(({ id: call_id, how }): RunEvent => {
    const [id, by] = [`asked-${call_id}`, 'somebody'];
    return how === 'ask'
      ? { type: 'human-answer', step, id, call_id, message_id: null, content: 'Ada', by }
      : { type: 'approval-decision', step, id, call_id, decision: how as 'approve', note: 'so', by };
  });
  return [...requests, { type: 'run-pause' }, ...answers, { type: 'run-resume' }];
}

/** Random output of a model in one step, with the tool results that follow it. */
function stepArbitrary(step: number): fc.Arbitrary<RunEvent[]> {
  const item = fc.oneof(
    { weight: 3, arbitrary: word.map((text) => say.text(text, step)) },
    { weight: 2, arbitrary: word.map((text) => say.think(text, step)) },
    fc
      .constantFrom('clock_now', 'todos_add_todo', 'filesystem_read', 'web_research_search')
      .map((name) => say.call('', name, step)),
    fc
      .constantFrom(null, 'https://a.example/1', 'https://a.example/2.png')
      .map((url) => say.source(url, 'quoted', step)),
    fc.boolean().map((inline) => say.file(inline, step)),
    fc.constant<RunEvent>({ type: 'warning', code: 'w', message: 'careful' }),
    { weight: 1, arbitrary: fc.constant(say.discard(step)) },
  );
  return fc
    .tuple(
      fc.array(item, { maxLength: 8 }),
      fc.array(fc.tuple(output, fc.boolean()), { minLength: 8, maxLength: 8 }),
      fc.array(fc.constantFrom('no', 'no', 'approve', 'reject', 'ask'), { minLength: 8, maxLength: 8 }),
    )
    .map(([items, outputs, waits]) => {
      const said = items.map((event, index) =>
        event.type === 'tool-call' ? { ...event, id: `call-${step}-${index}` } : event,
      );
      const standing = said.slice(said.findLastIndex(({ type }) => type === 'attempt-start') + 1);
      const results = standing.flatMap((event, index): RunEvent[] => {
        if (event.type !== 'tool-call') return [];
        const [came, is_error] = outputs[index] as [unknown, boolean];
        return [{ type: 'tool-result', step, id: event.id, name: event.name, output: came, is_error }];
      });
      const people = peopleOf(step, standing, waits);
      return [
        say.step(step),
        ...said,
        say.stepEnd(step, results.length ? 'tool-calls' : 'stop'),
        ...people,
        ...results,
      ];
    });
}

/** Any list that a run may write: up to three steps, completed, or cut off anywhere and failed or stopped. */
export const runArbitrary: fc.Arbitrary<RunEvent[]> = fc
  .tuple(stepArbitrary(1), stepArbitrary(2), stepArbitrary(3), fc.nat({ max: 3 }), fc.nat(), fc.nat({ max: 2 }))
  .map(([one, two, three, steps, cut, how]) => {
    const said = [one, two, three].slice(0, steps).flat();
    if (how === 0)
      return [say.start, ...said, { type: 'footer', text: 'Made by a machine' }, say.messageEnd, say.completed];
    return [say.start, ...said.slice(0, cut % (said.length + 1)), say.messageEnd, how === 1 ? say.failed : say.stopped];
  });

/** Random display settings. */
export const settingsArbitrary: fc.Arbitrary<SparseSettings> = fc.record(
  {
    hide_reasoning: fc.boolean(),
    group_into_chain_of_thought: fc.boolean(),
    chain_of_thought_final_answer_only: fc.boolean(),
    hide_error_banners: fc.boolean(),
    tool_display_preset: fc.constantFrom('execution', 'minimal', 'hidden'),
    minimal_caret_only: fc.boolean(),
    message_footer_enabled: fc.boolean(),
    citation_style: fc.constantFrom('text', 'footnote', 'none'),
    deduplicate_sources_by_url: fc.boolean(),
    omit_citation_quotes: fc.boolean(),
    show_source_images: fc.boolean(),
  },
  { requiredKeys: [] },
);
