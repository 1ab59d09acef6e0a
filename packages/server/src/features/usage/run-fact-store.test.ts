import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRunFact } from './run-fact-store.ts';

const run = (actor: object, more: object = {}) =>
  ({
    ...{ id: 'r', group_id: 'w', conversation_id: 'c', user_message_id: 'm', created_at: new Date().toISOString() },
    ...{ started_at: null, principal: { actor, ...more } },
  }) as never;
const factOf = (
  parts: object[],
  actor: object = { kind: 'api_key', id: 'k' },
  more: object = {},
  foundNothing = false,
) => makeRunFact(run(actor, more), { parts, metadata: null, foundNothing } as never, 'completed', null);

test('counts the calls of tools and nothing else of an answer', () => {
  const call = { type: 'function', name: 'post', content: '{}' };
  assert.equal(factOf([{ type: 'text', content: 'a' }, call, { type: 'reasoning', content: 'b' }, call]).tool_calls, 2);
  assert.equal(factOf([{ type: 'text', content: 'a' }]).tool_calls, 0);
});

test('names who asked: the actor, and the person behind it', () => {
  const who = (actor: object, more?: object) => {
    const { actor_kind, actor_id, person_id } = factOf([], actor, more);
    return [actor_kind, actor_id, person_id];
  };
  assert.deepEqual(who({ kind: 'person', id: 'p' }), ['person', 'p', 'p']);
  assert.deepEqual(who({ kind: 'api_key', id: 'k' }), ['api_key', 'k', null]);
  assert.deepEqual(who({ kind: 'trigger', id: 't' }, { person_id: 'p' }), ['trigger', 't', 'p']);
  assert.deepEqual(who({ kind: 'system', id: 's' }), ['system', null, null]);
});

test('counts searches without a passage, and a reply that found nothing among passages once', () => {
  const search = (...results: string[]) => ({
    ...{ type: 'function', name: 'kb_tea_search', content: JSON.stringify({ results }) },
  });
  const count = (parts: object[], foundNothing = false) =>
    factOf(parts, undefined, undefined, foundNothing).searches_without_answer;
  assert.deepEqual([count([search()]), count([search(), search()]), count([search('a')])], [1, 2, 0]);
  assert.deepEqual([count([search('a')], true), count([search(), search()], true), count([], true)], [1, 2, 1]);
});
