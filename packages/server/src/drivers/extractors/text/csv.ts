import { Readable } from 'node:stream';
import { makeDocument } from '../document-writer.ts';
import { type Extracted, type ExtractOptions, type Extractor, NotExtractable } from '../driver.ts';
import { makeRowWriter, mostColumns } from '../row-writer.ts';
import { decodeStream } from './decode-stream.ts';
import { delimiterOf } from './detect-delimiter.ts';
import { asWritten } from './plain.ts';
import { bytesFor, isBinary, readText } from './read-text.ts';
import { wholeRows } from './whole-rows.ts';

/** The rows as they were written. */
async function written(
  content: AsyncIterable<Uint8Array>,
  options: ExtractOptions,
  quoted: boolean,
): Promise<Extracted> {
  const { max_chars, signal } = options;
  const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
  const table = (shown: string) => asWritten(shown, [{ kind: 'table', start: 0, end: shown.length }], String);
  if (!cut && text.length <= max_chars) return table(text);
  const { text: shown, warning } = wholeRows(text, max_chars, quoted);
  return { ...table(shown), warnings: [warning] };
}

/** Replaces the error of the parser, which describes the options of the parser, with one that describes the file. */
function told(error: unknown): NotExtractable {
  const { code, lines } = error as { code?: string; lines?: number };
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new NotExtractable('unreadable', 'a quote in it is never closed');
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new NotExtractable('unreadable', `it has no end of a row after line ${lines}`);
  return new NotExtractable('unreadable', `its rows can not be told apart from line ${lines ?? 1} on`);
}

async function parsed(content: AsyncIterable<Uint8Array>, options: ExtractOptions, tabs: boolean): Promise<Extracted> {
  const { max_chars, signal, csv = {}, tabular = {} } = options;
  const texts = decodeStream(content, { encoding: csv.encoding ?? 'auto', signal });
  const { value: head = '' } = await texts.next();
  if (isBinary(head)) throw new NotExtractable('unreadable', 'it is not text');
  const asked = csv.delimiter || 'auto';
  const { parse } = await import('csv-parse');
  const input = Readable.from(
    (async function* () {
      yield head;
      yield* texts;
    })(),
  );
  const document = makeDocument(max_chars);
  const writer = makeRowWriter(document, tabular, { name: null, max_chars });
  try {
    const parser = parse({
      bom: true,
      delimiter: asked !== 'auto' ? asked : tabs ? '\t' : delimiterOf(head),
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 1_000_000,
      ...(tabs ? { quote: null } : {}),
    });
    input.once('error', (error) => parser.destroy(error));
    for await (const row of input.pipe(parser)) {
      signal.throwIfAborted();
      if (!writer.row((row as string[]).slice(0, mostColumns).map((cell) => cell.replaceAll('\r\n', '\n')))) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw (error as { code?: unknown }).code === undefined || error instanceof NotExtractable ? error : told(error);
  } finally {
    input.destroy();
  }
  writer.end();
  return document.end();
}

const rowExtractor = (types: string[], tabs: boolean): Extractor => ({
  types,
  extract: (content, options) =>
    // As it is written is enough where nothing is asked of its rows.
    options.tabular ? parsed(content, options, tabs) : written(content, options, !tabs),
});

export const csvExtractor = rowExtractor(['text/csv'], false);
export const tsvExtractor = rowExtractor(['text/tab-separated-values'], true);
