import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ModelMessage, ModelPart, ModelRequest } from '../../drivers/models/driver.ts';
import { makeWordTagger } from '../../drivers/taggers/words.ts';
import { makeFindPii } from '../pii/service.ts';
import { makeAnonymizer } from './anonymizer.ts';
import { makeTemporaryPlaceholderStore } from './placeholder-store.ts';

const find = makeFindPii({ tagger: makeWordTagger() });
const entities = ['PERSON', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD'] as const;
const testAnonymizer = () => makeAnonymizer({ find, entities, shelf: makeTemporaryPlaceholderStore() });

const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const result = (output: string): ModelMessage => ({
  role: 'tool',
  results: [{ id: '1', name: 't', output, is_error: false }],
});
const request = (messages: ModelMessage[], more: Partial<ModelRequest> = {}) =>
  ({ system: '', messages, tools: [], stop_sequences: [], ...more }) as unknown as ModelRequest;
const outputOf = ({ messages }: ModelRequest) =>
  (messages.at(-1) as { results: { output: string }[] }).results[0]?.output;
const textOf = ({ messages }: ModelRequest) => (messages.at(-1) as { parts: { text: string }[] }).parts[0]?.text;

suite('values in disguise are hidden', () => {
  test('keeps a value hidden when the address that a tool got comes back', async () => {
    const anonymizer = testAnonymizer();
    const asked = user('Look up Emma Johnson, emma.johnson@example.com');
    await anonymizer.anonymize(request([asked]));
    const said = (async function* (): AsyncGenerator<ModelPart> {
      const url = 'https://x.test/?q=%3CPERSON_1%3E&e=%3CEMAIL_ADDRESS_1%3E';
      yield { type: 'tool-call', id: 'c', name: 'web', input: { url } };
    })();
    const [call] = await Array.fromAsync(anonymizer.restore(said));
    const { input } = call as { input: { url: string } };
    assert.equal(input.url, 'https://x.test/?q=Emma%20Johnson&e=emma.johnson%40example.com');
    const hidden = await anonymizer.anonymize(
      request([
        asked,
        { role: 'assistant', parts: [call as never] },
        result(`Fetched ${input.url} and /Emma+Johnson?of=%20Emma%20Johnson`),
      ]),
    );
    const sent = JSON.stringify(hidden);
    assert.doesNotMatch(sent, /emma|johnson/i);
    assert.match(sent, /"url":"https:\/\/x\.test\/\?q=%3CPERSON_1%3E&e=%3CEMAIL_ADDRESS_1%3E"/);
    assert.match(sent, /\/%3CPERSON_1%3E\?of=%20%3CPERSON_1%3E/);
  });

  test('returns an encoded placeholder that the user typed unchanged', async () => {
    const anonymizer = testAnonymizer();
    const typed = 'emma@example.com wrote %3CEMAIL_ADDRESS_1%3E and %3cemail_address_1%3e';
    const text = textOf(await anonymizer.anonymize(request([user(typed)]))) as string;
    const said = (async function* (): AsyncGenerator<ModelPart> {
      yield { type: 'text', text };
    })();
    assert.deepEqual(await Array.fromAsync(anonymizer.restore(said)), [{ type: 'text', text: typed }]);
  });

  test('anonymizes JSON in place: long numbers, repeated names and layout stay', async () => {
    for (const [output, hidden] of [
      ['{"card": 6212341111111111116}', '{"card": "<CREDIT_CARD_1>"}'],
      ['{"e":"emma@example.com","e":"none"}', '{"e":"<EMAIL_ADDRESS_1>","e":"none"}'],
      ['{"n": 9007199254740993001, "e": "emma@example.com" }', '{"n": 9007199254740993001, "e": "<EMAIL_ADDRESS_1>" }'],
      ['["a\\"b", {"Contact":"Emma Johnson"}, -1.5e3]', '["a\\"b", {"Contact":"<PERSON_1>"}, -1.5e3]'],
    ] as const)
      assert.equal(outputOf(await testAnonymizer().anonymize(request([result(output)]))), hidden);
  });

  test('recognises the same value in JSON with escapes and in plain text', async () => {
    const hidden = await testAnonymizer().anonymize(
      request([user('emma@example.com'), result('{"e":"emma\\u0040example.com"}')]),
    );
    assert.equal(outputOf(hidden), '{"e":"<EMAIL_ADDRESS_1>"}');
  });

  for (const text of [
    'File "a.json":\n\n{"name":"Emma\\u0020Johnson","email":"emma\\u0040example.com"}\n{"card":"4111\\u00201111\\u00201111\\u00201111"}',
    '{"note":"Contact:\\nEmma Johnson\\nPhone:\\t+49 30 901820"}',
    '{"inner":"{\\"note\\":\\"Contact:\\\\nEmma Johnson\\"}"}',
  ])
    test(`escapes in a text of the user hide nothing: ${text}`, async () => {
      const anonymizer = testAnonymizer();
      const hidden = textOf(await anonymizer.anonymize(request([user(text)]))) as string;
      assert.doesNotMatch(hidden, /emma|johnson|1111|901820/i);
      const said = (async function* (): AsyncGenerator<ModelPart> {
        yield { type: 'text', text: hidden };
      })();
      assert.deepEqual(await Array.fromAsync(anonymizer.restore(said)), [{ type: 'text', text }]);
    });

  test('finds values after a backslash that is no escape', async () => {
    const hidden = await testAnonymizer().anonymize(
      request([user('emma@example.com is in C:\\new\\emma@example.com')]),
    );
    assert.equal(textOf(hidden), '<EMAIL_ADDRESS_1> is in C:\\new\\<EMAIL_ADDRESS_1>');
  });

  test('hides a known number or address also beside letters, but not a name', async () => {
    const first = user('card 4111111111111111, Emma Johnson');
    const hidden = await testAnonymizer().anonymize(request([first, user('ref4111111111111111x, xEmma Johnsonx')]));
    assert.equal(textOf(hidden)?.split(',')[0], 'ref<CREDIT_CARD_1>x');
    assert.doesNotMatch(textOf(hidden) as string, /<PERSON_1>/);
  });
});

suite('what a request holds beside messages is hidden', () => {
  const address = 'emma.johnson@example.com';

  test('anonymizes choices, defaults and examples of a tool, but no structural keywords', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email', enum: [address], default: address, examples: ['+49 30 901820'] },
        grace: { type: ['string', 'null'], const: address, pattern: '^a' },
        [address]: { $ref: '#/$defs/one', title: `of ${address}` },
        type: { anyOf: [{ type: 'integer', minimum: 3 }, { description: address }] },
      },
      required: ['to', address],
      $defs: { one: { type: 'string' } },
    };
    const tools = [{ name: 'send', description: 'd', input_schema: schema }];
    const hidden = await testAnonymizer().anonymize(
      request([user('hello')], { tools, json_schema: { enum: [address] } }),
    );
    assert.doesNotMatch(JSON.stringify(hidden), /emma|901820/);
    assert.deepEqual(hidden.json_schema, { enum: ['<EMAIL_ADDRESS_1>'] });
    assert.deepEqual(
      JSON.parse(
        JSON.stringify(hidden.tools[0]?.input_schema)
          .replaceAll('<EMAIL_ADDRESS_1>', address)
          .replaceAll('<PHONE_NUMBER_1>', '+49 30 901820'),
      ),
      schema,
    );
  });

  test('drops a stop sequence with a value and keeps others', async () => {
    const hidden = await testAnonymizer().anonymize(request([user('hello')], { stop_sequences: ['END', address] }));
    assert.deepEqual(hidden.stop_sequences, ['END']);
  });
});
