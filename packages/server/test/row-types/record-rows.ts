import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A column of a result, as PostgreSQL describes it. `table` is 0 for a computed column. */
export interface RecordedColumn {
  name: string;
  type: number;
  table: number;
  column: number;
}

/** The columns that statements of a place of the program (`file:line:column`) returned, one list for each text. */
export type RecordedRows = Record<string, RecordedColumn[][]>;

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const frame = /\(?(?:file:\/\/)?(\/[^():]+):(\d+):(\d+)\)?$/;

/** What stands between a statement of the program and the driver. */
const between = /\/db\/(database|statements\/send-statement)\.ts$/;

function currentStack(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.split('\n');
}

/** The place that called `db.row` or `db.rows`: the first one outside of the database module. */
function callSite(): string | undefined {
  for (const line of currentStack()) {
    const [, file, row, column] = frame.exec(line) ?? [];
    if (!file?.startsWith(source) || between.test(file)) continue;
    return `${file.slice(source.length)}:${row}:${column}`;
  }
  return undefined;
}

type Query = (...sent: unknown[]) => unknown;
type Answered = (error: unknown, result: unknown) => void;

/** Records the result columns of every statement of this process, and writes them to a file of the folder at its end. */
export function recordRows(folder: string): void {
  const recorded: RecordedRows = {};
  // Reading a stack takes longer than most statements, so each text is traced once.
  const traced = new Set<unknown>();
  const traceOnce = (sent: unknown) => {
    const text = typeof sent === 'object' && sent !== null && 'text' in sent ? sent.text : sent;
    if (traced.has(text)) return undefined;
    const site = callSite();
    // A pool hands its statements on to a client, whose caller is the pool.
    if (site !== undefined) traced.add(text);
    return site;
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
      const site = traceOnce(sent[0]);
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
