import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { inShort, oneStep, say, shownParts } from '../runs/dialects/testing.ts';
import { channelDisplay, displayOf, footerText } from './display.ts';
import type { Display } from './ports.ts';
import { applyRetractions } from './retractions.ts';
import { makeChunks } from './ui/chunks.ts';
import { toUiMessage } from './ui/ui-message.ts';
import { partsOfChunks } from './ui/ui-parts.ts';

const thinking = oneStep(
  say.think('hm'),
  say.call('c1'),
  say.result('c1', 'x'),
  say.text('so'),
  say.think('ah'),
  say.text('yes'),
);
const ungrouped = { group_into_chain_of_thought: false };

test('hide_reasoning leaves reasoning out of what users see', () => {
  const shown = (hide_reasoning: boolean) => inShort(shownParts(thinking, { ...ungrouped, hide_reasoning }));
  assert.deepEqual(shown(false), ['hm', 'tool-clock_now', 'so', 'ah', 'yes']);
  assert.deepEqual(shown(true), ['tool-clock_now', 'soyes']);
});

test('group_into_chain_of_thought marks each run of reasoning and tools with the number of its parts', () => {
  const shown = (group_into_chain_of_thought: boolean) =>
    inShort(shownParts(thinking, { group_into_chain_of_thought }));
  assert.deepEqual(shown(true), [{ parts: 2 }, 'hm', 'tool-clock_now', 'so', { parts: 1 }, 'ah', 'yes']);
  assert.deepEqual(shown(false), ['hm', 'tool-clock_now', 'so', 'ah', 'yes']);
});

test('a chain of thought goes on over the steps of a run', () => {
  const events = [
    say.start,
    say.step(1),
    say.call('c1'),
    say.stepEnd(1, 'tool-calls'),
    say.result('c1', 'x'),
    say.step(2),
    say.think('ah', 2),
    say.text('yes', 2),
    say.stepEnd(2),
    say.completed,
  ];
  assert.deepEqual(inShort(shownParts(events)), [{ parts: 2 }, 'tool-clock_now', 'ah', 'yes']);
});

test('chain_of_thought_final_answer_only leaves the chain of thought out', () => {
  const shown = (chain_of_thought_final_answer_only: boolean) =>
    inShort(shownParts(thinking, { chain_of_thought_final_answer_only }));
  assert.deepEqual(shown(true), ['soyes']);
  assert.deepEqual(shown(false).length, 7);
});

test('hide_error_banners leaves error parts out, and clients still learn that the run failed', () => {
  const events: RunEvent[] = [say.start, say.messageEnd, say.failed];
  const banner = { code: 'model_failed', message: 'No model answered' };
  assert.deepEqual(inShort(shownParts(events, { hide_error_banners: false })), [banner]);
  assert.deepEqual(inShort(shownParts(events, { hide_error_banners: true })), []);
  const chunks = events.flatMap(makeChunks(displayOf(effectiveSettings({ hide_error_banners: true }))));
  assert.deepEqual(chunks.at(-1), { type: 'error', errorText: 'No model answered' });
});

test('hide_workflow_progress and hide_state_transitions leave parts of those types out', () => {
  const shown = (settings: object) => {
    const { part } = displayOf(effectiveSettings(settings));
    return [part('data-workflow-progress'), part('data-state-transition'), part('text-delta')];
  };
  assert.deepEqual(shown({}), [true, true, true]);
  assert.deepEqual(shown({ hide_workflow_progress: true }), [false, true, true]);
  assert.deepEqual(shown({ hide_state_transitions: true }), [true, false, true]);
});

test('message_footer_enabled puts a footer under each reply', () => {
  const events = oneStep(say.text('yes'), { type: 'footer', text: 'Made by a machine' });
  const shown = (message_footer_enabled: boolean) => inShort(shownParts(events, { message_footer_enabled }));
  assert.deepEqual(shown(true), ['yes', { text: 'Made by a machine' }]);
  assert.deepEqual(shown(false), ['yes']);
});

test('message_footer is the text of the footer, and an empty one is no footer', () => {
  const footer = (text: string, message_footer_enabled = true) => {
    const message_footer = [{ text, definition: { type: 'doc', content: [] } }];
    return footerText(effectiveSettings({ message_footer, message_footer_enabled }));
  };
  assert.deepEqual([footer('Check this'), footer(' '), footer('Check this', false)], ['Check this', null, null]);
});

const sentToChannel = (settings: SparseSettings) => {
  const events = oneStep(say.think('hm'), say.source('https://a.example'), say.text('yes'));
  return inShort(partsOfChunks(events.flatMap(makeChunks(channelDisplay(effectiveSettings(settings))))));
};

test('a channel is sent thinking only with transport_show_thinking', () => {
  assert.deepEqual(sentToChannel({ ...ungrouped }), ['source-url', 'yes']);
  assert.deepEqual(sentToChannel({ ...ungrouped, transport_show_thinking: true }), ['hm', 'source-url', 'yes']);
  assert.deepEqual(sentToChannel({ transport_show_thinking: true, hide_reasoning: true }), ['source-url', 'yes']);
});

test('guests and channels get neither the code nor the reason of a failure', () => {
  const display = channelDisplay(effectiveSettings({ hide_error_banners: false }));
  const general = { code: 'run_failed', message: 'The agent could not answer' };
  const events: RunEvent[] = [say.start, say.messageEnd, say.failed];
  assert.deepEqual(inShort(partsOfChunks(events.flatMap(makeChunks(display)))), [general]);
  const parts = JSON.stringify([
    { role: 'assistant', type: 'error', code: 'model_failed', content: 'No model answered' },
  ]);
  const row = { id: 'm', role: 'assistant', parts, metadata: null, created_at: '' } as const;
  const hidden = channelDisplay(effectiveSettings({ hide_error_banners: true }));
  for (const shown of [display, hidden]) assert.deepEqual(toUiMessage(row, shown).failure, general);
  assert.equal(toUiMessage(row, displayOf(effectiveSettings({}))).failure?.code, 'model_failed');
});

const place = { kb_id: 'b1', document_id: 'd1', start: 5, end: 9, page: 2, end_page: 3 };

test('a source that was taken back says neither what it was nor where it stood', () => {
  const [source, again] = [{ ...say.source('https://a.example', 'said'), place } as RunEvent, say.discard()];
  assert.deepEqual(applyRetractions([source, { ...again, withheld: true } as RunEvent])[0], {
    ...{ type: 'source', step: 1, id: 's', url: null, title: '', quote: null },
  });
  assert.deepEqual(applyRetractions([source, again]), [source, again]);
});

test('members see the ids of the document and place of a source, users of a channel only its pages', () => {
  const events = oneStep({ ...say.source(null, 'said'), place } as RunEvent);
  const about = (display: Display) => partsOfChunks(events.flatMap(makeChunks(display))).at(-1)?.['providerMetadata'];
  const settings = effectiveSettings({});
  assert.deepEqual(about(displayOf(settings)), { atrium: { quote: 'said', ...place } });
  assert.deepEqual(about(channelDisplay(settings)), { atrium: { quote: 'said', page: 2, end_page: 3 } });
});

test('a channel is sent no sources without transport_show_sources', () => {
  assert.deepEqual(sentToChannel({ transport_show_sources: false }), ['yes']);
});
