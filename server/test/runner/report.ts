import type { TestEvent } from 'node:test/reporters';

const isEnd = ({ type }: TestEvent) => type === 'test:pass' || type === 'test:fail';

/** A test that failed only because one inside it did. */
const isMerelyOuter = ({ data }: TestEvent) =>
  (data as { details?: { error?: { failureType?: string } } }).details?.error?.failureType === 'subtestsFailed';

/** A failure that no test tells of. */
function failureOf(file: string, message: string): TestEvent[] {
  const cause = Object.assign(new Error(message), { stack: message });
  const error = Object.assign(new Error(message, { cause }), {
    code: 'ERR_TEST_FAILURE',
    failureType: 'testCodeFailure',
  });
  const place = { name: file, nesting: 0, file, line: 1, column: 1, testNumber: 0, testId: 0, parentId: 0, tags: [] };
  const failed = { ...place, details: { duration_ms: 0, error, type: 'test' } };
  return [{ type: 'test:start', data: place } as TestEvent, { type: 'test:fail', data: failed } as TestEvent];
}

/**
 * The report of batches as that of their files run one by one: without the tests that stand for files, unless one failed
 * by itself. A file that did not come to its end, or had nothing to test, is a failure.
 */
export function asPlainFiles(batches: readonly (readonly string[])[]) {
  const files: ReadonlySet<string> = new Set(batches.flat());
  const unended = new Set(files);
  /** What node's own figures have too many or too few. */
  const more = { tests: 0, pass: 0, fail: 0 };
  /** How many tests ended since the last file did: batches are reported one after the other, and so are their files. */
  let ended = 0;

  const fail = (file: string, message: string) => {
    more.tests++;
    more.fail++;
    return failureOf(file, message);
  };

  function ofFile(event: TestEvent, file: string): TestEvent[] {
    if (!isEnd(event)) return [];
    const empty = ended === 0;
    ended = 0;
    unended.delete(file);
    if (event.type === 'test:fail' && !isMerelyOuter(event)) {
      const data = { ...event.data, file, line: 1, column: 1 };
      return [
        { type: 'test:start', data },
        { ...event, data },
      ];
    }
    more.tests--;
    more[event.type === 'test:pass' ? 'pass' : 'fail']--;
    return empty ? fail(file, 'It has no tests') : [];
  }

  const lost = () => [...unended].flatMap((file) => fail(file, 'It has no result: its process ended before'));

  function plain(event: TestEvent): TestEvent[] {
    const { nesting, name } = (event.data ?? {}) as { nesting?: number; name?: string };
    if (nesting) {
      if (nesting === 1 && isEnd(event)) ended++;
      return [{ ...event, data: { ...event.data, nesting: nesting - 1 } } as TestEvent];
    }
    if (name !== undefined && files.has(name)) return ofFile(event, name);
    if (event.type === 'test:summary' && event.data.file === undefined)
      return [{ ...event, data: { ...event.data, success: event.data.success && more.fail <= 0 } }];
    if (event.type !== 'test:diagnostic') return [event];
    const [, figure = '', number] = /^(tests|pass|fail) (\d+)$/.exec(event.data.message) ?? [];
    if (number === undefined) return [event];
    const before = figure === 'tests' ? lost() : [];
    const message = `${figure} ${Number(number) + more[figure as keyof typeof more]}`;
    return [...before, { ...event, data: { ...event.data, message } }];
  }

  return async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
    for await (const event of events) yield* plain(event);
  };
}
