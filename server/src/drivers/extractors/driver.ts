export interface ExtractOptions {
  filename: string;
  /** What the bytes were found to be. */
  content_type: string;
  /** The longest text that is wanted; what lies beyond is left out, and a warning says so. */
  max_chars: number;
  signal: AbortSignal;
}

export interface Extracted {
  text: string;
  /** What whoever reads the text should know of it, in words for people and models. */
  warnings: string[];
}

/** Makes text of some kinds of files. Fails with NotExtractable alone, whatever the bytes are. */
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

/** There is no text to be had: no extractor for such files, or this one is not what it seems. */
export class NotExtractable extends Error {
  readonly code: 'unsupported_type' | 'unreadable';

  constructor(code: NotExtractable['code'], message: string) {
    super(message);
    this.code = code;
  }
}
