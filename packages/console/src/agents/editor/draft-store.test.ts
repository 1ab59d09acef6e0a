import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeAt } from '../../forms/field-values.ts';
import type { FormField, Values } from '../../forms/form-types.ts';
import type { Agent } from './draft-state.ts';
import { makeDraftStore } from './draft-store.ts';

const field = (key: string, more: Partial<FormField> = {}) =>
  ({
    key,
    path: ['definition', key],
    label: key,
    control: 'text',
    type: 'string',
    bounds: {},
    options: null,
    ...more,
  }) as unknown as FormField;
const persona = field('persona', { control: 'rich_text' });
const tone = field('tone');
const temperature = field('temperature', { control: 'number', bounds: { min: 0, max: 2 } });

const begin = {
  etag: '1',
  name: 'Desk',
  definition: { persona: 'old', tone: 'calm' },
  draft_definition: null,
} as unknown as Agent;

/** A server that stores drafts as ours does; `kept` is what the browser has. */
function aServer(kept = '') {
  let agent = begin;
  const saves: Values[] = [];
  const refusals: unknown[] = [];
  const write = (body: Values, by = 'me') => {
    const patch = body['definition'] as Record<string, unknown>;
    const definition = { ...(agent.draft_definition ?? agent.definition), ...patch };
    const draft = { by: null, by_actor: { name: by }, at: null };
    agent = { ...agent, etag: String(Number(agent.etag) + 1), draft_definition: definition, draft } as unknown as Agent;
    return agent;
  };
  const store = makeDraftStore(agent, {
    fields: [persona, tone, temperature],
    save: async (body, etag) => {
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      if (etag !== agent.etag) throw { status: 409, code: 'etag_mismatch', body: { updated_by_actor: { name: 'Bo' } } };
      saves.push(body);
      return write(body);
    },
    load: async () => agent,
    keep: (text) => {
      kept = text;
    },
    kept: () => kept,
    pause: 5,
  });
  return { store, saves, refusals, write, kept: () => kept, stored: () => agent };
}

test('keeps a change in the browser at once and lets go of it when the server has it', async () => {
  const { store, saves, kept } = aServer();
  store.change(tone, 'warm');
  assert.match(kept(), /warm/);
  assert.equal(store.get().status, 'waiting');
  await store.flush();
  assert.deepEqual(saves, [{ definition: { tone: 'warm' } }]);
  assert.deepEqual([store.get().status, kept()], ['saved', '']);
});

test('undoes and redoes named changes, and takes a change back to what is published', async () => {
  const { store, stored } = aServer();
  store.change(tone, 'warm');
  store.change(persona, 'new');
  store.undo();
  assert.equal(store.get().past.at(-1)?.field.label, 'tone');
  store.redo();
  await store.flush();
  store.takeBack(persona);
  await store.flush();
  assert.deepEqual(stored().draft_definition, { persona: 'old', tone: 'warm' });
});

test('shows both sides when another person was first, and overwrites nothing unseen', async () => {
  const { store, write, stored, saves } = aServer();
  write({ definition: { tone: 'short', persona: 'theirs' } }, 'Bo');
  store.change(tone, 'warm');
  await store.flush();
  const { status, conflict } = store.get();
  assert.equal(status, 'conflict');
  assert.equal(conflict?.by, 'Bo');
  assert.deepEqual(
    conflict?.mine.map(({ value }) => value),
    ['warm'],
  );
  assert.deepEqual(
    conflict?.others.map(({ theirs }) => theirs),
    ['theirs', 'short'],
  );
  assert.deepEqual(saves, []);
  await store.resolve('mine');
  assert.deepEqual(stored().draft_definition, { tone: 'warm', persona: 'theirs' });
});

test('takes theirs when asked to', async () => {
  const { store, write, kept } = aServer();
  write({ definition: { tone: 'short' } }, 'Bo');
  store.change(tone, 'warm');
  await store.flush();
  await store.resolve('theirs');
  assert.equal((store.get().values['definition'] as Values)['tone'], 'short');
  assert.deepEqual([store.get().status, kept()], ['saved', '']);
});

test('sees no conflict when the lost answer was to its own save', async () => {
  const { store, write } = aServer();
  write({ definition: { tone: 'warm' } });
  store.change(tone, 'warm');
  await store.flush();
  assert.deepEqual([store.get().status, store.get().conflict], ['saved', undefined]);
});

test('says a fault at its field and saves the other changes', async () => {
  const { store, saves, refusals } = aServer();
  const loc = ['body', 'definition', 'temperature'];
  refusals.push({ status: 422, code: 'validation_error', faults: [{ loc, msg: '…', type: 'less_than_equal' }] });
  store.change(temperature, 5);
  store.change(tone, 'warm');
  await store.flush();
  assert.equal(store.get().faults.get('definition.temperature'), 'Use a number from 0 to 2.');
  await store.flush();
  assert.deepEqual(saves, [{ definition: { tone: 'warm' } }]);
  store.change(temperature, 1);
  assert.equal(store.get().faults.size, 0);
  await store.flush();
  assert.deepEqual(saves.at(-1), { definition: { temperature: 1 } });
});

test('offers what the browser kept after a reload, and asks when the draft is newer', async () => {
  const change = { path: ['definition', 'tone'], value: 'warm', label: 'tone' };
  const same = aServer(JSON.stringify({ etag: '1', changes: [change] }));
  await same.store.flush();
  assert.deepEqual(same.saves, [{ definition: { tone: 'warm' } }]);
  const older = aServer(JSON.stringify({ etag: '0', changes: [change] }));
  await new Promise(setImmediate);
  assert.equal(older.store.get().status, 'conflict');
  assert.equal(writeAt(older.store.get().values, [], 1), 1);
});

test('tries again when the server could not be reached', async () => {
  const { store, refusals, kept, saves } = aServer();
  refusals.push({ status: 0, code: 'network' });
  store.change(tone, 'warm');
  await store.flush();
  assert.equal(store.get().status, 'offline');
  assert.match(kept(), /warm/);
  await store.flush();
  assert.equal(saves.length, 1);
});

test('takes newer states of the server while nothing waits, and never older ones', () => {
  const { store } = aServer();
  const at = (etag: string) => ({ ...begin, etag, name: etag });
  store.adopt(at('20-3'));
  store.adopt(at('20-2'));
  store.adopt(at('9-7'));
  assert.equal(store.get().agent.name, '20-3');
  store.adopt(at('20-10'));
  assert.equal(store.get().agent.name, '20-10');
});

test('takes newer states below what waits, and leaves those that changed the same to the save', async () => {
  const { store, write, refusals } = aServer();
  refusals.push({ status: 403, code: 'settings_locked' });
  store.change(tone, 'warm');
  await store.flush();
  assert.equal(store.get().status, 'locked');
  // The lock is gone with the newer state: the change is tried again by itself.
  store.adopt(write({ definition: { persona: 'theirs' } }, 'Bo'));
  assert.deepEqual(store.get().values['definition'], { persona: 'theirs', tone: 'warm' });
  await store.flush();
  assert.deepEqual([store.get().status, store.get().pending.size], ['saved', 0]);

  store.change(tone, 'mine');
  store.adopt(write({ definition: { tone: 'theirs' } }, 'Bo'));
  assert.equal(store.get().status, 'waiting', 'the save shows both sides');
  await store.flush();
  assert.equal(store.get().status, 'conflict');
});
