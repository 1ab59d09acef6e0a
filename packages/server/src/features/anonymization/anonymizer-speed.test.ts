// Runs alone in its process, since it measures how long the thread works without a pause.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ModelMessage, ModelRequest } from '../../drivers/models/driver.ts';
import { makeWordTagger } from '../../drivers/taggers/words.ts';
import { makeFindPii } from '../pii/service.ts';
import { makeAnonymizer } from './anonymizer.ts';
import { makeDetectionCache } from './detection-cache.ts';
import { makeTemporaryPlaceholderStore } from './placeholder-store.ts';
import type { Find } from './replace-private-spans.ts';

const entities = ['PERSON', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD'] as const;
const finder = makeFindPii({ tagger: makeWordTagger() });
// The word lists are loaded once per process.
await finder('Emma Johnson', entities);

const address = (n: number) => `u${n}x${n * 7}@example.com`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const rows = (count: number) =>
  JSON.stringify(numbers(count).map((id) => ({ id, name: 'row', email: address(id), a: 'x', b: 'y', c: id })));
const result = (output: string): ModelMessage => ({
  role: 'tool',
  results: [{ id: '1', name: 't', output, is_error: false }],
});
const plain = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const request = (...messages: ModelMessage[]) =>
  ({ system: '', messages, tools: [], stop_sequences: [] }) as unknown as ModelRequest;

/** The milliseconds of CPU time of this thread; waiting on a busy machine does not count. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures the total work, and the longest stretch of work without a pause. */
async function timed(work: () => Promise<unknown>) {
  const started = worked();
  let [since, stall, over] = [started, 0, false];
  const look = () => {
    const now = worked();
    [since, stall] = [now, Math.max(stall, now - since)];
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await work();
  const ms = worked() - started;
  over = true;
  // The stretch that ends now counts too.
  await new Promise(setImmediate);
  return { ms, stall };
}

suite('hiding much takes little', () => {
  // The limits are several times the measured values; before the fix it took ten seconds in one stretch.
  for (const [what, message] of [
    ['a table of 1,100 rows', result(rows(1100))],
    ['a text with 8,000 addresses', plain(numbers(8000).map(address).join('\n'))],
  ] as const)
    test(`${what}: quick, in short stretches, and nearly nothing when it is said again`, async (t) => {
      let finds = 0;
      const find: Find = (text, wanted) => {
        finds++;
        return finder(text, wanted);
      };
      const remember = makeDetectionCache();
      const anonymizer = makeAnonymizer({ find, entities, shelf: makeTemporaryPlaceholderStore(), remember });
      const first = await timed(() => anonymizer.anonymize(request(message)));
      const found = finds;
      const again = await timed(() => anonymizer.anonymize(request(message, plain('and?'))));
      assert.ok(first.ms < 5000, `first ${first.ms} ms`);
      assert.ok(first.stall < 500, `stall ${first.stall} ms`);
      assert.ok(again.ms < 500, `again ${again.ms} ms`);
      assert.equal(finds, found + 1, 'only what is new is looked through');
      const next = makeAnonymizer({ find, entities, shelf: makeTemporaryPlaceholderStore(), remember });
      await next.anonymize(request(message));
      assert.equal(finds, found + 1, 'the next run knows what was found');
      t.diagnostic(JSON.stringify({ first, again }));
    });

  test('is quick for hundreds of values that begin alike and differ in length', async () => {
    const values = numbers(400).map((n) => `www.a.de/${'w'.repeat(n)}`);
    const anonymizer = makeAnonymizer({ find: finder, entities: ['URL'], shelf: makeTemporaryPlaceholderStore() });
    const { ms } = await timed(() =>
      anonymizer.anonymize(request(plain(`${values.join(' ')} ${'www.'.repeat(6000)}`))),
    );
    assert.ok(ms < 5000, `${ms} ms`);
  });
});
