import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { ExtractChoices } from '../../../drivers/extractors/driver.ts';
import { required } from '../../../lib/required.ts';
import type { ChunkRule } from '../../chunking/service.ts';

/** How many rows are read as text unless the settings ask for all. */
const firstRows = 1000;

export type Format = 'pdf' | 'text' | 'html' | 'csv' | 'xlsx' | 'image' | 'other';

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** For bytes of unknown type: text in an old encoding is not recognised as text. */
const byEnding: Record<string, Format> = { csv: 'csv', tsv: 'csv', txt: 'text', md: 'text', html: 'html', htm: 'html' };

export function formatOf(content_type: string, filename: string): Format {
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
export function extractChoicesFor(settings: KbSettings, format: Format): ExtractChoices {
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
      encoding: settings.csv_encoding,
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
  const rows =
    (format === 'csv' && settings.csv_row_as_document) || (format === 'xlsx' && settings.xlsx_row_as_document);
  return { size: settings.default_chunk_size, overlap: settings.default_chunk_overlap, rows };
}
