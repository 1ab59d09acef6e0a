import type { Readable } from 'node:stream';
import { AppError } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import type { KbSettings, SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import {
  type Extract,
  type ExtractChoices,
  type Extracted,
  NotExtractable,
} from '../../../drivers/extractors/driver.ts';
import { explainRefusal, type Web, WebRefused } from '../../../drivers/web/driver.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ChunkRule } from '../../chunking/service.ts';
import type { Files } from '../../files/service.ts';

interface Source {
  /** The caller reads it to the end or destroys it. */
  content: Readable;
  filename: string;
  content_type: string;
  size: number;
}

const mostBytes = 100 * 1024 * 1024;

/** A source that can't be read; users see the message. */
class SourceMissing extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

async function fromWeb(web: Web, url: string, name: string, signal: AbortSignal): Promise<Source> {
  try {
    const answer = await web.fetch(url, { max_bytes: mostBytes, timeout_ms: 60_000, signal });
    if (answer.status >= 400) {
      answer.body.destroy();
      throw new SourceMissing('not_fetched', `The address answered ${answer.status}`);
    }
    const content_type = answer.headers['content-type'] ?? '';
    return { content: answer.body, filename: name, content_type, size: Number(answer.headers['content-length'] ?? 0) };
  } catch (error) {
    if (error instanceof WebRefused)
      throw new SourceMissing(error.code, `The address could not be fetched: ${explainRefusal(error, 'members')}`);
    throw error;
  }
}

/** Opens the bytes of a document: its file, or else its web address. */
async function openSource(
  { files, web }: { files: Files; web: Web },
  scope: Scope,
  document: { name: string; file_id: string | null; source_url: string | null },
  file: File | undefined,
): Promise<Source> {
  if (document.file_id === null) {
    if (document.source_url === null) throw new SourceMissing('no_source', 'There is no file to train from');
    return fromWeb(web, document.source_url, document.name, scope.signal);
  }
  const deleted = () => new SourceMissing('file_gone', 'Its file was deleted');
  if (!file) throw deleted();
  try {
    const content = await files.bytes(scope, file);
    return { content, filename: file.filename, content_type: file.content_type, size: file.size };
  } catch (error) {
    throw error instanceof AppError && error.kind === 'not_found' ? deleted() : error;
  }
}

/** Longer texts are cut off, in characters. */
const longestText = 20_000_000;
/** How many rows are read as text unless the settings ask for all. */
const firstRows = 1000;

export type Format = 'pdf' | 'text' | 'html' | 'csv' | 'xlsx' | 'image' | 'other';

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** For bytes of unknown type: text in an old encoding is not recognised as text. */
const byEnding: Record<string, Format> = { csv: 'csv', tsv: 'csv', txt: 'text', md: 'text', html: 'html', htm: 'html' };

function formatOf(content_type: string, filename: string): Format {
  const type = required(content_type.split(';', 1)[0]);
  if (type === 'application/octet-stream' || type === '')
    return byEnding[/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? 'other';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/csv' || type === 'text/tab-separated-values') return 'csv';
  if (type === sheet) return 'xlsx';
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('text/') ? 'text' : 'other';
}

/** The options of the extractors by the settings of a knowledge base. */
export function extractChoicesFor(set: SparseKbSettings, format: Format): ExtractChoices {
  const settings = effective(set);
  const rowAsDocument = format === 'xlsx' ? settings.xlsx_row_as_document : settings.csv_row_as_document;
  const most = settings.tabular_max_rows;
  return {
    images: settings.pdf_extract_images || settings.mm_embedding_model.length > 0,
    detect_language: true,
    text: { preserve_formatting: settings.text_preserve_formatting },
    html: {
      text_only: settings.html_extract_text_only,
      tables: settings.html_include_tables,
      images: settings.html_include_images,
      markdown: settings.html_ingest_as_markdown,
    },
    ocr: {
      enabled: settings.pdf_ocr_enabled,
      confidence: settings.pdf_ocr_confidence,
      language: settings.pdf_ocr_language,
    },
    image_ocr: { enabled: settings.image_ocr_enabled, confidence: settings.image_ocr_confidence, language: 'auto' },
    csv: {
      delimiter: settings.csv_auto_detect_delimiter ? 'auto' : settings.csv_delimiter,
      // The default says what answers show; an encoding holds for all files only when it was set.
      encoding: set.csv_encoding ?? 'auto',
    },
    tabular: {
      layout: rowAsDocument ? 'records' : 'table',
      headers: format === 'xlsx' ? settings.xlsx_include_headers : settings.csv_include_headers,
      max_text_rows: settings.tabular_ingest_all_rows ? most : Math.min(firstRows, most),
      max_rows: most,
      all_rows: !settings.tabular_ingest_all_rows,
    },
  };
}

/** How the text of a format is cut into passages. */
export function chunkRuleFor(settings: KbSettings, format: Format): ChunkRule {
  if (format === 'pdf') return { size: settings.pdf_chunk_size, overlap: settings.pdf_chunk_overlap };
  if (format === 'text')
    return {
      size: settings.text_chunk_size,
      overlap: settings.text_chunk_overlap,
      whole: !settings.text_chunking_enabled,
    };
  const rule = { size: settings.default_chunk_size, overlap: settings.default_chunk_overlap };
  if (format === 'csv')
    return { ...rule, rows: settings.csv_row_as_document, table_headers: settings.csv_include_headers };
  if (format === 'xlsx')
    return { ...rule, rows: settings.xlsx_row_as_document, table_headers: settings.xlsx_include_headers };
  return rule;
}

/** Opens a document and reads its text by the settings of its knowledge base. */
export async function readDocument(
  deps: { files: Files; web: Web; extract: Extract },
  scope: Scope,
  document: { name: string; file_id: string | null; source_url: string | null },
  file: File | undefined,
  settings: SparseKbSettings,
  progress: (pages: number, of: number) => void,
): Promise<{ source: Source; format: Format; extracted: Extracted }> {
  const source = await openSource(deps, scope, document, file);
  const { content, filename, content_type } = source;
  const format = formatOf(content_type, filename);
  const choices = extractChoicesFor(settings, format);
  const options = { ...choices, filename, content_type, max_chars: longestText, signal: scope.signal, progress };
  const extracted = await deps.extract(content, options).finally(() => content.destroy());
  return { source, format, extracted };
}

/** Why a document has no text, for the user; undefined for an internal error. */
export function reasonOf(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof SourceMissing) return { code: error.code, message: error.message };
  if (error instanceof WebRefused) return { code: error.code, message: explainRefusal(error, 'members') };
  if (error instanceof NotExtractable) return { code: error.code, message: `It could not be read: ${error.message}` };
  return undefined;
}
