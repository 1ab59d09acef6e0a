import type { TestEvent } from 'node:test/reporters';
import { placeInSource, withSourcePlaces } from './source-places.ts';

/** A failed file with its first error; several files when the report does not identify which of them failed. */
export interface Failure {
  files: readonly string[];
  test: string;
  message: string;
}

/** What a run left undone: files that failed, and files that were not reached because their process ended before. */
export class UnfinishedTests {
  readonly failures: Failure[] = [];
  readonly notRun: string[] = [];
}

const isEnd = ({ type }: TestEvent) => type === 'test:pass' || type === 'test:fail';

interface TestError {
  failureType?: string;
  message?: string;
  cause?: { message?: string } | string;
}

const errorOf = ({ data }: TestEvent) => (data as { details?: { error?: TestError } }).details?.error;

/** A test that failed only because one inside it did. */
const isMerelyOuter = (event: TestEvent) => errorOf(event)?.failureType === 'subtestsFailed';

function messageOf(event: TestEvent): string {
  const error = errorOf(event);
  const cause = typeof error?.cause === 'string' ? error.cause : error?.cause?.message;
  return cause || error?.message || 'it failed';
}

/** A failure with the places of the sources in place of those of a bundle. */
function inSources(event: TestEvent): TestEvent {
  if (event.type !== 'test:fail') return event;
  const { file, line, column } = event.data;
  const place = file && line && column ? placeInSource({ file, line, column }) : {};
  const error = event.data.details.error as { stack?: string; cause?: { stack?: string } };
  for (const own of [error, error.cause])
    if (typeof own === 'object' && typeof own.stack === 'string')
      Object.defineProperty(own, 'stack', { value: withSourcePlaces(own.stack) });
  return { ...event, data: { ...event.data, ...place } };
}

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
 * Reports batches as if each file ran separately: drops the tests that wrap files, unless a wrapper itself failed. A
 * file that did not finish or has no tests is a failure. `batchOf` finds the files of a process by its name in the
 * report; `unfinished` collects the failures.
 */
export function flattenFileEvents(
  batches: readonly (readonly string[])[],
  unfinished = new UnfinishedTests(),
  batchOf: (name: string) => readonly string[] | undefined = () => undefined,
) {
  const files: ReadonlySet<string> = new Set(batches.flat());
  const unended = new Set(files);
  /** Corrections to the totals that node reports. */
  const more = { tests: 0, pass: 0, fail: 0 };
  /** Number of tests that ended since the last file ended. Node reports batches, and files in them, sequentially. */
  let ended = 0;
  /** The first test that failed since the last file ended. */
  let first: Omit<Failure, 'files'> | undefined;
  /** The first failure of files whose process then ended. */
  const beforeCrash = new Map<string, Omit<Failure, 'files'>>();

  const fail = (file: string, message: string) => {
    more.tests++;
    more.fail++;
    return failureOf(file, message);
  };

  function ofFile(event: TestEvent, file: string): TestEvent[] {
    if (!isEnd(event)) return [];
    const empty = ended === 0;
    const failure = { files: [file], ...(first ?? { test: 'the file', message: messageOf(event) }) };
    ended = 0;
    first = undefined;
    unended.delete(file);
    if (event.type === 'test:fail') unfinished.failures.push(failure);
    if (event.type === 'test:fail' && !isMerelyOuter(event)) {
      const data = { ...event.data, file, line: 1, column: 1 };
      return [
        { type: 'test:start', data },
        { ...event, data },
      ];
    }
    more.tests--;
    more[event.type === 'test:pass' ? 'pass' : 'fail']--;
    if (!empty) return [];
    if (event.type === 'test:pass') unfinished.failures.push({ ...failure, message: 'It has no tests' });
    return fail(file, 'It has no tests');
  }

  /** A process that failed as a whole: it ended within a file, or could not end. */
  function ofProcess(event: TestEvent, batch: readonly string[]): void {
    const within = batch.find((file) => unended.has(file));
    if (within && first) beforeCrash.set(within, first);
    if (!within) unfinished.failures.push({ files: batch, test: 'the process', message: messageOf(event) });
    ended = 0;
    first = undefined;
  }

  function lost(): TestEvent[] {
    const message = 'It has no result: its process ended before';
    for (const batch of batches) {
      const [within, ...rest] = batch.filter((file) => unended.has(file));
      if (within === undefined) continue;
      unfinished.failures.push({ files: [within], ...(beforeCrash.get(within) ?? { test: 'the process', message }) });
      unfinished.notRun.push(...rest);
    }
    return [...unended].flatMap((file) => fail(file, message));
  }

  function ofTest(event: TestEvent, nesting: number): TestEvent[] {
    if (nesting === 1 && isEnd(event)) ended++;
    if (event.type === 'test:fail' && !isMerelyOuter(event))
      first ??= { test: event.data.name, message: messageOf(event) };
    return [inSources({ ...event, data: { ...event.data, nesting: nesting - 1 } } as TestEvent)];
  }

  function plain(event: TestEvent): TestEvent[] {
    const { nesting, name = '' } = (event.data ?? {}) as { nesting?: number; name?: string };
    if (nesting) return ofTest(event, nesting);
    if (files.has(name)) return ofFile(event, name);
    const batch = event.type === 'test:fail' ? batchOf(name) : undefined;
    if (batch) ofProcess(event, batch);
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
