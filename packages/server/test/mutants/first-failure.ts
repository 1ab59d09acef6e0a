// Reports each test file that has passed, in a line of JSON, and ends the process at the first failure or after the last file.
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

/** What `child.ts` tells the process that started it. */
export type ChildLine = { passed: string; took_ms: number } | { failed: string; message: string };

/** The descriptor that the parent reads; the tests themselves may write to the usual two. */
const report = 3;
const tell = (line: ChildLine) => writeSync(report, `${JSON.stringify(line)}\n`);

export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const waiting = new Set(process.argv.slice(2));
  for await (const { type, data } of events) {
    // Of the events that tell a result, this one comes at once and not in the order of the file.
    if (type !== 'test:complete' || data.todo !== undefined || data.skip !== undefined) continue;
    const { passed, error, duration_ms } = data.details;
    if (!passed) {
      const cause = error?.cause instanceof Error ? error.cause.message : error?.message;
      tell({ failed: data.name, message: (cause ?? '').split('\n').join(' ').slice(0, 200) });
      process.exit(1);
    }
    if (data.nesting > 0 || !waiting.delete(data.name)) continue;
    tell({ passed: data.name, took_ms: Math.round(duration_ms) });
    if (waiting.size === 0) process.exit(0);
    yield '';
  }
}
