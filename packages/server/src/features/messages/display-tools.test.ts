import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { inShort, oneStep, say, shownParts } from '../runs/dialects/testing.ts';

const calling = (name: string, output: unknown = 'x', is_error = false) =>
  oneStep(say.call('c1', name), { ...say.result('c1', output, is_error), name } as RunEvent, say.text('yes'));

const shown = (name: string, settings: SparseSettings = {}) =>
  shownParts(calling(name), { group_into_chain_of_thought: false, ...settings }).filter(
    ({ type }) => type !== 'step-start',
  );

test('tool_display_preset shows tool calls whole, as an activity, or not at all', () => {
  const [whole] = shown('clock_now', { tool_display_preset: 'execution' });
  assert.deepEqual(whole, {
    type: 'tool-clock_now',
    toolCallId: 'c1',
    state: 'output-available',
    input: { a: 1 },
    output: 'x',
  });
  const minimal = JSON.stringify(shown('clock_now', { tool_display_preset: 'minimal' }));
  for (const hidden of ['clock_now', '"x"', '"a"']) assert.ok(!minimal.includes(hidden), hidden);
  assert.ok(minimal.includes('data-tool-activity'));
  assert.deepEqual(inShort(shown('clock_now', { tool_display_preset: 'hidden' })), ['yes']);
});

test('minimal_caret_only says nothing with the minimal form', () => {
  const [part] = shown('clock_now', { tool_display_preset: 'minimal', minimal_caret_only: true });
  assert.deepEqual(part, { type: 'data-tool-activity', id: '1-c1', data: { state: 'done', message: null } });
});

test('minimal_tool_message is what the minimal form says', () => {
  const settings = { tool_display_preset: 'minimal', minimal_caret_only: false } as const;
  const message = (more: SparseSettings) => shown('clock_now', { ...settings, ...more })[0]?.data;
  assert.deepEqual(message({}), { state: 'done', message: 'Thinking...' });
  assert.deepEqual(message({ minimal_tool_message: 'Working' }), { state: 'done', message: 'Working' });
});

test('the minimal form tells of a tool that runs and of one that failed', () => {
  const settings: SparseSettings = { tool_display_preset: 'minimal', group_into_chain_of_thought: false };
  const data = (events: RunEvent[]) => shownParts(events, settings)[1]?.data;
  assert.deepEqual(data([say.start, say.step(), say.call('c1')]), { state: 'running', message: null });
  assert.deepEqual(data(calling('clock_now', { error: 'no' }, true)), { state: 'failed', message: null });
});

test('calls of hidden_tools are not shown', () => {
  assert.deepEqual(inShort(shown('todos_add_todo')), ['yes']);
  assert.deepEqual(inShort(shown('todos_add_todo', { hidden_tools: ['clock_now'] })), ['tool-todos_add_todo', 'yes']);
  assert.deepEqual(inShort(shown('clock_now', { hidden_tools: ['clock_now'] })), ['yes']);
});

test('calls of a base tool that is not visible are not shown', () => {
  assert.deepEqual(inShort(shown('filesystem_read')), ['yes']);
  const base_tools = [
    { type: 'filesystem', visible: true },
    { type: 'memory', visible: false },
  ];
  assert.deepEqual(inShort(shown('filesystem_read', { base_tools })), ['tool-filesystem_read', 'yes']);
  assert.deepEqual(inShort(shown('memory_recall', { base_tools })), ['yes']);
  // A name belongs to the longest type that begins it, not to one that only looks alike.
  assert.deepEqual(inShort(shown('memoryless', { base_tools })), ['tool-memoryless', 'yes']);
});

test('an entry of tools says how the calls of its type are shown, of base types and others', () => {
  const tools = [
    { type: 'clock', visible: false },
    { type: 'shop', tool_display_message_end: 'Ordered', tool_display_icon: 'cart' },
    { type: 'web_research', tool_display_message_end: 'Found it' },
  ];
  assert.deepEqual(inShort(shown('clock_now', { tools })), ['yes']);
  assert.deepEqual(shown('shop_order', { tools })[0]?.toolMetadata, { icon: 'cart', message: 'Ordered' });
  assert.deepEqual(shown('web_research_search', { tools })[0]?.toolMetadata, { icon: 'globe', message: 'Found it' });
});

test('a base tool says one thing while it runs and another when it is done, with its icon', () => {
  const settings = { group_into_chain_of_thought: false };
  const running = shownParts([say.start, say.step(), say.call('c1', 'web_research_search')], settings)[1];
  assert.equal(running?.state, 'input-available');
  assert.deepEqual(running?.toolMetadata, { icon: 'globe', message: 'Searching the web...' });
  const [done] = shown('web_research_search', {
    base_tools: [{ type: 'web_research', tool_display_message_end: 'Found it', tool_display_icon: 'star' }],
  });
  assert.deepEqual([done?.title, done?.toolMetadata], ['Web research', { icon: 'star', message: 'Found it' }]);
});
