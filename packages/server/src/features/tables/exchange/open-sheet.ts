import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { unescapedFormula } from '@atrium/contract/csv/csv-line.ts';
import { invalid } from '@atrium/contract/errors.ts';
import { parse } from 'csv-parse';
import { type DecodeText, NotExtractable } from '../../../drivers/extractors/driver.ts';
import { errorCode } from '../../../lib/error-code.ts';

/** One line of a file: where it stands, and its cells as text; an empty one is null. */
export interface Line {
  line: number;
  cells: (string | null)[];
  /** Of a workbook: which cells are numbers, dates or truth values themselves, so that no format applies. */
  typed?: boolean[];
  /** Of a CSV file: which cells had a ' before a formula. They are texts, also where they look like numbers. */
  escaped?: boolean[];
}

/** The lines of a file, as often as they are asked for. The first holds the names of the columns. */
export type Sheet = () => AsyncIterable<Line>;

const headLength = 65_536;

const validationError = (error: string) => invalid(['body', 'file'], error, null);

const emptyAsNull = (cell: string | null | undefined) => (cell === undefined || cell === '' ? null : cell);

/** The usual delimiter that occurs most often in the first line. */
function delimiterOf(head: string): string {
  const first = head.split(/\r?\n/, 1)[0] ?? '';
  const count = (sign: string) => first.split(sign).length;
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'PK\x03\x04';
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

/** Decodes text from its beginning until there is enough to find the delimiter. */
async function decodedHead(texts: AsyncIterable<string>): Promise<string> {
  let head = '';
  for await (const text of texts) {
    head += text;
    if (head.length >= headLength) break;
  }
  return head;
}

/** A line without the apostrophes that exports put before formulas. */
function unescapeLine(line: Line): Line {
  const texts = line.cells.map((cell) => (cell === null ? undefined : unescapedFormula(cell)));
  if (texts.every((text) => text === undefined)) return line;
  return {
    ...line,
    cells: line.cells.map((cell, index) => texts[index] ?? cell),
    escaped: texts.map((text) => text !== undefined),
  };
}

const csvSheet = (path: string, decode: (bytes: Readable) => AsyncIterable<string>, delimiter: string): Sheet =>
  async function* () {
    const parser = parse({
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: 1_048_576,
    });
    const bytes = createReadStream(path);
    const source = Readable.from(decode(bytes));
    source.on('error', (error) => parser.destroy(error));
    try {
      for await (const { record, info } of source.pipe(parser) as AsyncIterable<{
        record: string[];
        info: { lines: number };
      }>) {
        if (record.some((cell) => cell.includes('\0'))) throw validationError(`line ${info.lines} is not text`);
        yield { line: info.lines, cells: record.map(emptyAsNull) };
      }
    } catch (error) {
      if (error instanceof NotExtractable) throw validationError(error.message);
      const code = String(errorCode(error));
      if (/^CSV_|^INVALID_/.test(code)) throw validationError(troubles[code] ?? 'it can not be read as CSV');
      throw error;
    } finally {
      source.destroy();
      bytes.destroy();
    }
  };

const workerMs = 30_000;

/** A cell as the worker reads it; null when it is empty. */
export type WorkbookCell = { text: string; typed: boolean } | null;

/** A workbook is packed and may unfold to any size: it is read apart, with as much time and room as it may have. */
function readWorkbook(path: string): Promise<WorkbookCell[][]> {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(validationError('the workbook takes too long to read'));
      void worker.terminate();
    }, workerMs);
    worker.once('message', (answer: { rows?: WorkbookCell[][] }) => {
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

/** Opens a file on the disk as CSV or as the first sheet of a workbook: its first bytes tell which. */
export async function openSheet(
  path: string,
  decodeText: DecodeText,
  { encoding, unescape_formulas }: { encoding: string; unescape_formulas: boolean },
): Promise<Sheet> {
  if (!(await isArchive(path))) {
    const decode = (bytes: Readable) => decodeText(bytes, { encoding, signal: new AbortController().signal });
    const bytes = createReadStream(path);
    try {
      const sheet = csvSheet(path, decode, delimiterOf(await decodedHead(decode(bytes))));
      if (!unescape_formulas) return sheet;
      return async function* () {
        for await (const line of sheet()) yield unescapeLine(line);
      };
    } catch (error) {
      throw error instanceof NotExtractable ? validationError(error.message) : error;
    } finally {
      bytes.destroy();
    }
  }
  const rows = await readWorkbook(path);
  return async function* () {
    for (const [index, cells] of rows.entries())
      if (cells.some((cell) => cell !== null))
        yield {
          line: index + 1,
          cells: cells.map((cell) => emptyAsNull(cell?.text)),
          typed: cells.map((cell) => cell?.typed === true),
        };
  };
}
