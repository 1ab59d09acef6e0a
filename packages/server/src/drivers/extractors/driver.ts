export { type FilePage, hasPages, listPages } from './outline/list-pages.ts';
export { makeOutline } from './outline/make-outline.ts';
export type { FileOutline, TableOutline } from './outline/outline.ts';
export { isCut, shortenText } from './shorten-text.ts';

/** What a file's kind lets one choose. Each has a default that suits a message to a model. */
export interface ExtractChoices {
  /** Keep images as bytes (PDF, DOCX, PPTX, e-mail); they are dropped otherwise. */
  images?: boolean;
  /** Find out which language the text is written in. */
  detect_language?: boolean;
  text?: {
    /** False: runs of white space become one blank; paragraphs stay apart. */
    preserve_formatting?: boolean;
  };
  html?: {
    /** Words alone: addresses of links are left out. */
    text_only?: boolean;
    tables?: boolean;
    /** Keeps the alternative text of images, and their address if addresses are kept. */
    images?: boolean;
    /** Headings, lists and tables with the marks of Markdown; bare lines and tabs otherwise. */
    markdown?: boolean;
  };
  /** Text in images: of PDF pages that have no other text, and of image files where `image_ocr` does not say otherwise. */
  ocr?: {
    enabled?: boolean;
    /** 0 to 1: words that are less certain are left out. */
    confidence?: number;
    /** A code of three letters (eng), or auto: the installed language that fits the first image best. */
    language?: string;
    /** The most pages to read; a warning names the rest. */
    max_pages?: number;
  };
  /** Of image files, also of those that came with an e-mail. */
  image_ocr?: Omit<NonNullable<ExtractChoices['ocr']>, 'max_pages'>;
  csv?: {
    /** One character, or auto. */
    delimiter?: string;
    /** A usual name (utf-8, latin1, cp1252), or auto to detect it. Any other encoding than this is an error. */
    encoding?: string;
  };
  tabular?: {
    /** `table`: rows as they stand. `records`: each row a block of its own, a line for each of its cells. */
    layout?: 'table' | 'records';
    /** Whether the names of the columns are in the text: as the first line, or in records as `name: value`. */
    headers?: boolean;
    /** Rows in the text of a table, and rows of the file in all; a warning says when there were more. */
    max_text_rows?: number;
    max_rows?: number;
    /** Rows beyond those in the text are read too, for `tables`. */
    all_rows?: boolean;
  };
}

export interface ExtractOptions extends ExtractChoices {
  filename: string;
  /** The type detected from the bytes. */
  content_type: string;
  /** The longest text; the rest is left out with a warning. */
  max_chars: number;
  signal: AbortSignal;
  /** A folder with further languages for OCR, as npm packages or `<code>.traineddata` files. */
  ocr_data?: string;
  /** Called now and then while a long file is read. */
  progress?: (pages: number, of: number) => void;
}

export interface Block {
  kind: 'heading' | 'paragraph' | 'list_item' | 'table' | 'row' | 'code' | 'image';
  /** Where it stands in the text. */
  start: number;
  end: number;
  /** The headings it stands under, the outermost first. */
  headings: readonly string[];
  /** Of a heading: 1 to 6. */
  level: number | null;
  /** Of a PDF the page, of a presentation the slide, counted from 1. */
  page: number | null;
  /** Of a table, or a row of one: which of `tables`. */
  table: number | null;
}

export interface Table {
  /** The name of a sheet. */
  name: string | null;
  page: number | null;
  /** The first is the header where the file has one. Rows may differ in length. */
  rows: string[][];
  /** The file was not said to have column names, and its first row holds values. */
  first_row_is_data?: true;
}

export interface Image {
  name: string;
  content_type: string;
  data: Uint8Array;
  alt: string;
  page: number | null;
  /** Where in the text it stood. */
  at: number;
}

/** What a file says, and how it is built. */
export interface Extracted {
  text: string;
  /** Warnings for readers of the text, people and models. */
  warnings: string[];
  title: string | null;
  /** Two letters (en), where it was asked for and the text is long enough to tell. */
  language: string | null;
  /** Pages or slides of the whole file. */
  pages: number | null;
  blocks: Block[];
  tables: Table[];
  images: Image[];
}

/** Extracts the text of some kinds of files. Fails only with NotExtractable, for any bytes. */
export interface Extractor {
  /** Content types, `text/*` for all of a kind. */
  types: readonly string[];
  extract(content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted>;
}

export interface Extract {
  (content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted>;
  /** Whether there is an extractor for such a file. */
  takes(file: Pick<ExtractOptions, 'content_type' | 'filename'>): boolean;
}

/** What the installed readers know, to check settings before a file comes. */
export interface ReaderSupport {
  /** The name of the decoder for an encoding, by any of its usual names. */
  findEncoding(name: string): string | undefined;
  /** Whether there is data to read a language in images. */
  readsLanguage(code: string): boolean;
}

/** The text of a file piece by piece; `encoding` is a usual name or `auto`. Fails with NotExtractable. */
export type DecodeText = (
  content: AsyncIterable<Uint8Array>,
  options: { encoding: string; signal: AbortSignal },
) => AsyncIterable<string>;

/** A web page as the crawler needs it. */
export interface PageLinks {
  title: string | null;
  /** The base URL of its links, if the page declares one. */
  base: string | null;
  /** As they are written; none when the page asks not to follow them. */
  links: string[];
  /** False: it asks not to be kept. */
  index: boolean;
  /** Changes when what a reader sees does. */
  hash: string;
}

export type PageReader = (content: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<PageLinks>;

type Reason = 'unsupported_type' | 'unreadable' | 'encrypted' | 'too_large' | 'too_slow' | 'no_page';

/** There is no text to be had: no extractor for such files, or this one is not what it seems. */
export class NotExtractable extends Error {
  readonly code: Reason;

  constructor(code: Reason, message: string) {
    super(message);
    this.code = code;
  }
}
