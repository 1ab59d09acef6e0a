import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { invalid } from '@atrium/contract/errors.ts';
import { parse } from 'csv-parse';

/** One line of a file: where it stands, and its cells as text; an empty one is null. */
export interface Line {
  line: number;
  cells: (string | null)[];
}

/** The lines of a file, as often as they are asked for. The first holds the names of the columns. */
export type Sheet = () => AsyncIterable<Line>;

const validationError = (error: string) => invalid(['body', 'file'], error, null);

const emptyAsNull = (cell: string | null | undefined) => (cell === undefined || cell === '' ? null : cell);

/** The usual delimiter that occurs most often in the first line. */
function delimiterOf(head: string): string {
  const first = head.split(/\r?\n/, 1)[0] ?? '';
  const count = (sign: string) => first.split(sign).length;
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const troubles: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: 'a line is longer than a megabyte',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quote is closed in the middle of a cell',
  INVALID_OPENING_QUOTE: 'a quote is opened in the middle of a cell',
};

const csvSheet = (path: string, delimiter: string): Sheet =>
  async function* () {
    const parser = parse({
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: 1_048_576,
    });
    const source = createReadStream(path);
    source.on('error', (error) => parser.destroy(error));
    try {
      for await (const { record, info } of source.pipe(parser) as AsyncIterable<{
        record: string[];
        info: { lines: number };
      }>) {
        if (record.some((cell) => cell.includes('\0') || cell.includes('\ufffd')))
          throw validationError(`line ${info.lines} is not text in UTF-8`);
        yield { line: info.lines, cells: record.map(emptyAsNull) };
      }
    } catch (error) {
      const { code } = error as { code?: string };
      if (code && /^CSV_|^INVALID_/.test(code)) throw validationError(troubles[code] ?? 'it can not be read as CSV');
      throw error;
    } finally {
      source.destroy();
    }
  };

const workerMs = 30_000;

/** A workbook is packed and may unfold to any size: it is read apart, with as much time and room as it may have. */
function readWorkbook(path: string): Promise<(string | null)[][]> {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(validationError('the workbook takes too long to read'));
      void worker.terminate();
    }, workerMs);
    worker.once('message', (answer: { rows?: (string | null)[][] }) => {
      clearTimeout(timer);
      if (answer.rows) resolve(answer.rows);
      else reject(validationError('it can not be read as a workbook'));
    });
    worker.once('error', () => {
      clearTimeout(timer);
      reject(validationError('the workbook is too large to read'));
    });
  });
}

/** A file that was put on the disk, as CSV or as the first sheet of a workbook: its first bytes tell which. */
export async function openSheet(path: string): Promise<Sheet> {
  const head = await headOf(path);
  if (head.subarray(0, 4).toString('latin1') !== 'PK\x03\x04')
    return csvSheet(path, delimiterOf(head.toString('utf8')));
  const rows = await readWorkbook(path);
  return async function* () {
    for (const [index, cells] of rows.entries())
      if (cells.some((cell) => cell !== null)) yield { line: index + 1, cells: cells.map(emptyAsNull) };
  };
}
