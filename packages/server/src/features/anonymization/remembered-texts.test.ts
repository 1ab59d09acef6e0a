import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ModelPart, type ModelRequest, plainRequest } from '../../drivers/models/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import { makeAnonymizer, type PlaceholderStore } from './anonymizer.ts';
import type { PlaceholderEntry } from './placeholders.ts';
import type { Find } from './replace-private-spans.ts';
import { makeAnonymization } from './service.ts';

const settings = { pii_anonimization: [{ value: 'PERSON' as const, label: 'Person' }] };

/** Finds "Ada" and counts how often it is asked. */
function makeFind() {
  const asked: string[] = [];
  const find: Find = async (text) => {
    asked.push(text);
    return [...text.matchAll(/Ada|Bob/g)].map(({ 0: { length }, index }) => ({
      entity: 'PERSON' as const,
      start: index,
      end: index + length,
    }));
  };
  return { asked, find };
}

const request = (text: string): ModelRequest => ({
  ...plainRequest,
  model: 'm',
  system: '',
  max_tokens: 100,
  messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
});
const textOf = ({ messages }: ModelRequest) => JSON.stringify(messages[0]);

suite('remembered texts', () => {
  const makeService = (find: Find) =>
    makeAnonymization({
      ...{ db: undefined as never, keyring: undefined as never, find },
      words: { allow: async () => [], names: async () => [] },
    });
  const scope = (workspace_id: string) => ({ workspace_id }) as Pick<Scope, 'workspace_id' | 'inherits'>;

  test('are searched once in a workspace, however short, and again in another one', async () => {
    const { asked, find } = makeFind();
    const service = makeService(find);
    for (const [workspace, searches] of [
      ['a', 1],
      ['a', 1],
      ['b', 2],
    ] as const) {
      const hidden = await service.temporaryAnonymizer(settings, scope(workspace)).anonymize(request('Hi Ada'));
      assert.match(textOf(hidden), /Hi <PERSON_1>/);
      assert.equal(asked.filter((text) => text === 'Hi Ada').length, searches, workspace);
    }
  });

  test('are searched again when the search has failed', async () => {
    const { asked, find } = makeFind();
    let fails = true;
    const service = makeService(async (text, entities) => {
      if (fails) throw new Error('The name tagger has ended.');
      return find(text, entities);
    });
    const anonymizer = () => service.temporaryAnonymizer(settings, scope('a'));
    await assert.rejects(anonymizer().anonymize(request('Hi Ada')), /has ended/);
    fails = false;
    assert.match(textOf(await anonymizer().anonymize(request('Hi Ada'))), /Hi <PERSON_1>/);
    assert.ok(asked.includes('Hi Ada'));
  });
});

suite('a new conversation', () => {
  /** A store that another request has filled since the conversation was read. */
  function makeFilledStore() {
    let [entries, box]: [readonly PlaceholderEntry[], string | undefined] = [[['<PERSON_1>', 'Bob']], 'first'];
    let loads = 0;
    const shelf: PlaceholderStore = {
      load: async () => {
        loads++;
        return { entries, box };
      },
      keep: async (kept, before) => {
        if (before !== box) return undefined;
        [entries, box] = [[...kept], 'second'];
        return box;
      },
    };
    return { shelf, loads: () => loads, entries: () => entries };
  }

  test('looks up no placeholders when nothing private is said', async () => {
    const { find } = makeFind();
    const { shelf, loads } = makeFilledStore();
    const anonymizer = makeAnonymizer({ find, entities: ['PERSON'], shelf, startsEmpty: true });
    assert.match(textOf(await anonymizer.anonymize(request('Hello'))), /Hello/);
    assert.equal(loads(), 0);
  });

  test('takes over the placeholders that another request has stored meanwhile', async () => {
    const { find } = makeFind();
    const { shelf, entries } = makeFilledStore();
    const anonymizer = makeAnonymizer({ find, entities: ['PERSON'], shelf, startsEmpty: true });
    assert.match(textOf(await anonymizer.anonymize(request('Ada and Bob'))), /<PERSON_2> and <PERSON_1>/);
    assert.deepEqual(entries(), [
      ['<PERSON_1>', 'Bob'],
      ['<PERSON_2>', 'Ada'],
    ]);
  });
});

suite('an answer', () => {
  test('is revealed part by part, with placeholders that are split, and its source is closed', async () => {
    const { find } = makeFind();
    const shelf: PlaceholderStore = { load: async () => ({ entries: [], box: undefined }), keep: async () => 'kept' };
    const anonymizer = makeAnonymizer({ find, entities: ['PERSON'], shelf });
    await anonymizer.anonymize(request('Ada'));
    let closed = false;
    async function* answer(): AsyncGenerator<ModelPart> {
      try {
        for (const text of ['Dear <PER', 'SON_1>', ', 1 < 2 ', 'and <PERSON_1']) yield { type: 'text', text };
        yield { type: 'reasoning', text: '<PERSON_1>?' };
        yield { type: 'tool-call', id: '1', name: 't', input: { to: '<PERSON_1>' } };
        yield { type: 'text', text: 'never read' };
      } finally {
        closed = true;
      }
    }
    const parts: ModelPart[] = [];
    for await (const part of anonymizer.restore(answer())) {
      parts.push(part);
      if (part.type === 'tool-call') break;
    }
    assert.deepEqual(parts, [
      { type: 'text', text: 'Dear ' },
      { type: 'text', text: 'Ada' },
      { type: 'text', text: ', 1 < 2 ' },
      { type: 'text', text: 'and ' },
      { type: 'text', text: '<PERSON_1' },
      { type: 'reasoning', text: 'Ada?' },
      { type: 'tool-call', id: '1', name: 't', input: { to: 'Ada' } },
    ]);
    assert.ok(closed);
  });
});
