import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** A column of a result, as PostgreSQL describes it. `table` is 0 for a computed column. */
export interface RecordedColumn {
  name: string;
  type: number;
  table: number;
  column: number;
}

/** The columns that statements returned, one list for each text, by the places (`file:line:column`) that led to them. */
export type RecordedRows = Record<string, RecordedColumn[][]>;

const frame = /\(?(?:file:\/\/)?(\/[^():]+:\d+:\d+)\)?$/;

/** So many calls with the same text are traced: a pool hands its statements on to a client, whose caller is the pool. */
const tracedCalls = 3;

/** The places of the calls that led here, the nearest first. */
function currentPlaces(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack
    .split('\n')
    .flatMap((line) => frame.exec(line)?.[1] ?? [])
    .join(' ');
}

type Query = (...sent: unknown[]) => unknown;
type Answered = (error: unknown, result: unknown) => void;

/** Records the result columns of every statement of this process, and writes them to a file of the folder at its end. */
export function recordRows(folder: string): void {
  const recorded: RecordedRows = {};
  // Reading a stack takes longer than most statements, so each text is traced a few times.
  const traced = new Map<unknown, number>();
  const trace = (sent: unknown) => {
    const text = typeof sent === 'object' && sent !== null && 'text' in sent ? sent.text : sent;
    const calls = traced.get(text) ?? 0;
    if (calls === tracedCalls) return undefined;
    traced.set(text, calls + 1);
    return currentPlaces();
  };
  const record = (site: string, result: unknown) => {
    const { fields } = result as { fields?: pg.FieldDef[] };
    if (!fields?.length) return;
    const columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      ...{ name, type: dataTypeID, table: tableID, column: columnID },
    }));
    recorded[site] = [...(recorded[site] ?? []), columns];
  };
  for (const { prototype } of [pg.Pool, pg.Client] as { prototype: { query: Query } }[]) {
    const { query } = prototype;
    prototype.query = function (this: unknown, ...sent: unknown[]) {
      const site = trace(sent[0]);
      if (site === undefined) return query.apply(this, sent);
      // The caller handles a failure; it has no columns to record.
      const answered = sent.at(-1);
      if (typeof answered === 'function') {
        const recording: Answered = (error, result) => {
          if (!error) record(site, result);
          answered(error, result);
        };
        return query.apply(this, [...sent.slice(0, -1), recording]);
      }
      const answer = query.apply(this, sent);
      if (answer instanceof Promise)
        answer.then(
          (result) => record(site, result),
          () => {},
        );
      return answer;
    };
  }
  process.on('exit', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(recorded));
  });
}
