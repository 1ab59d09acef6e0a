import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { ModelPart, ModelRequest } from '../../drivers/models/driver.ts';
import { makeAnonymizer, type PlaceholderStore } from './anonymizer.ts';
import type { PlaceholderEntry } from './placeholders.ts';
import type { Find } from './replace-private-spans.ts';

const names = ['Ada Lovelace', 'Ada\nLovelace', 'Bob', 'Zoë 👩‍🚀'];
/** Finds these names, and numbers after the word "card". */
const find: Find = async (text) => {
  const found = names
    .flatMap((name) =>
      Array.from(text.matchAll(new RegExp(name, 'gu')), ({ index }) => ({
        entity: 'PERSON' as const,
        start: index,
        end: index + name.length,
      })),
    )
    .concat(
      Array.from(text.matchAll(/(?<=card:? )\d+/g), (match) => ({
        entity: 'CREDIT_CARD' as never,
        start: match.index,
        end: match.index + match[0].length,
      })),
    );
  return found.sort((a, b) => a.start - b.start);
};

const request = (text: string, more: Partial<ModelRequest> = {}): ModelRequest =>
  ({
    system: '',
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    tools: [],
    stop_sequences: [],
    ...more,
  }) as ModelRequest;

/** A store in memory; tests can also write to it as another node. */
function shelfOf(entries: PlaceholderEntry[] = []) {
  const shelf = {
    kept: entries,
    version: 0,
    open(): PlaceholderStore {
      return {
        load: async () => ({ entries: shelf.kept, box: `${shelf.version}` }),
        keep: async (all, box) => {
          if (box !== `${shelf.version}`) return undefined;
          shelf.kept = [...all];
          return `${++shelf.version}`;
        },
      };
    },
  };
  return shelf;
}

const entities = ['PERSON', 'CREDIT_CARD'] as const;
const anonymizerOver = (shelf = shelfOf()) => makeAnonymizer({ find, entities, shelf: shelf.open() });
const textOf = (hidden: ModelRequest) => JSON.stringify(hidden.messages);

async function heard(anonymizer: ReturnType<typeof anonymizerOver>, ...parts: ModelPart[]) {
  const seen: ModelPart[] = [];
  const stream = (async function* () {
    yield* parts;
  })();
  for await (const part of anonymizer.restore(stream)) seen.push(part);
  return seen;
}

suite('the anonymizer before a model', () => {
  test('gives the same value the same placeholder in every message and in the next run', async () => {
    const shelf = shelfOf();
    const first = await anonymizerOver(shelf).anonymize(request('Bob met Ada Lovelace, and Bob left'));
    assert.match(textOf(first), /<PERSON_1> met <PERSON_2>, and <PERSON_1> left/);
    const second = await anonymizerOver(shelf).anonymize(request('Ada Lovelace met Bob'));
    assert.match(textOf(second), /<PERSON_2> met <PERSON_1>/);
  });

  test('anonymizes all text in a request that no operator wrote: prompt, results, arguments, numbers, descriptions', async () => {
    const hidden = await anonymizerOver().anonymize(
      request('hello', {
        system: 'You work for Bob',
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'text', text: 'Bob?' },
              {
                type: 'tool-call',
                id: '1',
                name: 'find',
                input: { who: 'Bob', deep: [{ 'Bob at home': 'Zoë 👩‍🚀' }] },
              },
            ],
          },
          {
            role: 'tool',
            results: [
              { id: '1', name: 'find', output: '{"name":"Ada\\nLovelace","card":4111}', is_error: false },
              { id: '2', name: 'find', output: 'plain Bob', is_error: true },
            ],
          },
        ],
        tools: [
          {
            name: 'find',
            description: "Bob's finder",
            input_schema: { properties: { q: { description: 'as Bob says' } } },
          },
        ],
      }),
    );
    const sent = JSON.stringify(hidden);
    for (const raw of ['Bob', 'Ada', 'Lovelace', 'Zoë', '4111']) assert.ok(!sent.includes(raw), `${raw} in ${sent}`);
  });

  test("leaves the operator's own text and the keys of JSON as they are", async () => {
    const operators = {
      system: 'Bob wrote this. The user is Bob, says <PERSON_7>',
      system_covered: [{ start: 28, end: 31 }],
      tools: [
        {
          ...{ name: 'Bob', description: "Bob's finder about Bob", origin: 'operator' as const },
          covered: [{ start: 19, end: 22 }],
          input_schema: { properties: { Bob: { description: 'as Bob says', enum: ['Bob'] } } },
        },
      ],
      stop_sequences: ['Bob:'],
      stop_origin: 'operator' as const,
      json_schema: { properties: { Bob: { description: 'Bob' } } },
      json_schema_origin: 'operator' as const,
    };
    const messages: ModelRequest['messages'] = [
      { role: 'user', parts: [{ type: 'text', text: 'Bob: Bob', covered: [{ start: 5, end: 8 }] }] },
      { role: 'tool', results: [{ id: '1', name: 'Bob', output: '{"Bob":"Bob"}', is_error: false }] },
    ];
    const hidden = await anonymizerOver().anonymize(request('', { ...operators, messages }));
    assert.match(hidden.system, /\n\nBob wrote this\. The user is <PERSON_1>, says <PERSON_7>$/);
    const [tool] = hidden.tools;
    assert.deepEqual([tool?.name, tool?.description], ['Bob', "Bob's finder about <PERSON_1>"]);
    assert.deepEqual(tool?.input_schema, operators.tools[0]?.input_schema);
    assert.deepEqual([hidden.stop_sequences, hidden.json_schema], [['Bob:'], operators.json_schema]);
    assert.match(textOf(hidden), /"text":"Bob: <PERSON_1>"/);
    assert.match(textOf(hidden), /\{\\"Bob\\":\\"<PERSON_1>\\"\}/);
  });

  test("gives no value a placeholder that stands in the operator's text", async () => {
    const anonymizer = anonymizerOver();
    const more = { system: 'Write <PERSON_1> for the client', system_covered: [] };
    const hidden = await anonymizer.anonymize(request('Bob', more));
    assert.match(textOf(hidden), /<PERSON_2>/);
    assert.deepEqual(await heard(anonymizer, { type: 'text', text: '<PERSON_1> and <PERSON_2>' }), [
      { type: 'text', text: '<PERSON_1> and Bob' },
    ]);
  });

  test('finds a known name again only in running text', async () => {
    const find: Find = async (text) =>
      Array.from(text.matchAll(/(?<=my name is )\w+(?: Vance)?/g), ({ 0: name, index }) => ({
        ...{ entity: 'PERSON' as const, start: index, end: index + name.length },
      }));
    const apart = [
      ...['Quuxton', 'XQuux', 'Quux_id', 'old_Quux', 'quuxQuux', 'Quux-Smith', 'lib.Quux', 'Quux.name', 'std::Quux'],
      ...['/home/Quux', 'Quux/x', 'C:\\Quux', 'https://x.test/Quux?a=Quux', 'www.x.test/?Quux', '`run Quux`'],
      ...['```\nnew Quux()\n```', '"Quux": 1', "'Quux' : 1"],
    ];
    const running = ['Quux.', '(Quux)', '"Quux"', '_Quux_', "Quux's", '@Quux', 'Quux: hello', 'Quux - yes', '**Quux**'];
    for (const [texts, again] of [
      [apart, false],
      [running, true],
    ] as const)
      for (const text of texts) {
        const anonymizer = makeAnonymizer({ find, entities, shelf: shelfOf().open() });
        const messages = ['my name is Quux', `See ${text} there`].map((text) => ({
          ...{ role: 'user' as const, parts: [{ type: 'text' as const, text }] },
        }));
        const [, second] = (await anonymizer.anonymize(request('', { messages }))).messages;
        const [part] = (second as { parts: { text: string }[] }).parts;
        assert.equal(part?.text, again ? `See ${text.replace('Quux', '<PERSON_1>')} there` : `See ${text} there`);
      }
    const anonymizer = makeAnonymizer({ find, entities, shelf: shelfOf().open() });
    const results = [{ id: '1', name: 't', output: '{"Quux":{"of":"Quux"}}', is_error: false }];
    const input = { url: 'https://x.test/?q=Quux' };
    const hidden = await anonymizer.anonymize(
      request('', {
        messages: [
          { role: 'user', parts: [{ type: 'text', text: 'my name is Quux' }] },
          { role: 'assistant', parts: [{ type: 'tool-call', id: '1', name: 't', input }] },
          { role: 'tool', results },
        ],
      }),
    );
    assert.match(textOf(hidden), /\{\\"Quux\\":\{\\"of\\":\\"<PERSON_1>\\"/);
    assert.match(textOf(hidden), /\?q=<PERSON_1>"/, 'the model wrote a placeholder there itself');
  });

  test('hides a known value also where it is not detected, before and after', async () => {
    const find: Find = async (text) => {
      const at = text.indexOf('my name is ');
      return at === -1 ? [] : [{ entity: 'PERSON', start: at + 11, end: text.length }];
    };
    const anonymizer = makeAnonymizer({ find, entities, shelf: shelfOf().open() });
    const hidden = await anonymizer.anonymize(
      request('my name is Quux', { system: 'Quux is our client, Quuxton is not' }),
    );
    assert.match(hidden.system, /<PERSON_1> is our client, Quuxton is not$/, 'the prompt has the last word');
  });

  test('leaves no rest of two overlapping values', async () => {
    const shelf = shelfOf([['<PERSON_1>', 'Lovelace and Company']]);
    const hidden = await anonymizerOver(shelf).anonymize(request('Ada Lovelace and Company'));
    assert.match(textOf(hidden), /"<PERSON_2><PERSON_1>"/);
    assert.deepEqual(shelf.kept[1], ['<PERSON_2>', 'Ada ']);
  });

  test('never gives the same number to two concurrent requests of different nodes', async () => {
    const shelf = shelfOf();
    const [one, other] = [anonymizerOver(shelf), anonymizerOver(shelf)];
    await Promise.all([one.anonymize(request('hello')), other.anonymize(request('hello'))]);
    const sent = await Promise.all([one.anonymize(request('Bob')), other.anonymize(request('Ada Lovelace'))]);
    assert.notEqual(...(sent.map(textOf) as [string, string]));
    assert.equal(new Set(shelf.kept.map(([name]) => name)).size, 2);
  });

  test('keeps all placeholders of many concurrent requests', async () => {
    const shelf = shelfOf();
    const anonymizer = anonymizerOver(shelf);
    await anonymizer.anonymize(request('Zoë 👩‍🚀'));
    const sent = await Promise.all(
      ['Bob', 'Ada Lovelace', 'card 4111'].map((text) => anonymizer.anonymize(request(text))),
    );
    const kept = new Map(shelf.kept);
    assert.deepEqual(
      sent.map((hidden) => textOf(hidden).match(/<[A-Z_]+_\d>/)?.[0]).map((name) => kept.get(name as string)),
      ['Bob', 'Ada Lovelace', '4111'],
    );
    assert.equal(kept.size, 4);
    assert.deepEqual(await heard(anonymizer, { type: 'text', text: '<PERSON_2> <PERSON_3>' }), [
      { type: 'text', text: 'Bob Ada Lovelace' },
    ]);
  });

  test('keeps placeholders that were assigned before the detection failed', async () => {
    let broken = true;
    const shelf = shelfOf();
    const failing: Find = async (text, wanted) => {
      if (broken && text === 'more') throw new Error('The tagger is away');
      return find(text, wanted);
    };
    const anonymizer = makeAnonymizer({ find: failing, entities, shelf: shelf.open() });
    const more = request('more', { system: 'You work for Bob' });
    await assert.rejects(anonymizer.anonymize(more));
    broken = false;
    await anonymizer.anonymize(more);
    assert.deepEqual(shelf.kept, [['<PERSON_1>', 'Bob']]);
  });

  test('returns a placeholder that the user typed unchanged', async () => {
    const anonymizer = anonymizerOver();
    const hidden = await anonymizer.anonymize(request('Bob wrote <PERSON_1>'));
    assert.match(textOf(hidden), /<PERSON_2> wrote <PERSON_1>|<PERSON_1> wrote <PERSON_2>/);
    const said = (hidden.messages[0] as { parts: { text: string }[] }).parts[0]?.text as string;
    assert.deepEqual(await heard(anonymizer, { type: 'text', text: said }), [
      { type: 'text', text: 'Bob wrote <PERSON_1>' },
    ]);
  });

  test('passes the values to a tool, also when its call comes in the middle of the text', async () => {
    const anonymizer = anonymizerOver();
    await anonymizer.anonymize(request('Bob'));
    assert.deepEqual(
      await heard(
        anonymizer,
        { type: 'text', text: 'Asking <PERS' },
        { type: 'warning', message: 'w' },
        { type: 'text', text: 'ON_1>, <PER' },
        { type: 'tool-call', id: '1', name: 'ask', input: { who: '<PERSON_1>' } },
      ),
      [
        { type: 'text', text: 'Asking ' },
        { type: 'warning', message: 'w' },
        { type: 'text', text: 'Bob, ' },
        { type: 'text', text: '<PER' },
        { type: 'tool-call', id: '1', name: 'ask', input: { who: 'Bob' } },
      ],
    );
  });

  test('returns any text unchanged and sends none of its values', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...names, '<PERSON_1>', '<person_2>', '<CREDIT_CARD_1>', 'card 4111', '<', '>', ' '),
      fc.constantFrom(
        '%3CPERSON_1%3E',
        '%3cperson_2%3e',
        '\\u0042ob',
        'Ada\\nLovelace',
        '\\',
        '\\\\n',
        'Ada%20Lovelace',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 10 }), async (pieces) => {
        const text = pieces.join(' ');
        const anonymizer = anonymizerOver();
        const hidden = await anonymizer.anonymize(request(text));
        const said = (hidden.messages[0] as { parts: { text: string }[] }).parts[0]?.text as string;
        const left = await find(said, entities);
        assert.deepEqual(left, [], said);
        const parts = Array.from(said, (character): ModelPart => ({ type: 'text', text: character }));
        const back = await heard(anonymizer, ...parts, { type: 'finish', reason: 'stop', usage: {} as never });
        assert.equal(back.map((part) => ('text' in part ? part.text : '')).join(''), text);
      }),
      { numRuns: 500 },
    );
  });
});
