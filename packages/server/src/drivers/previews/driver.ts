/** A picture of a file: of a page of a PDF, of an image, or of the beginning of an Office document. */
export interface Preview {
  /** WebP. */
  data: Uint8Array;
  width: number;
  height: number;
  /** The pages of a PDF; 1 for other files. */
  pages: number;
}

/** Why there is no picture of a page beyond the last. */
export const saysPages = (pages: number) => (pages === 1 ? 'it has one page' : `it has ${pages} pages`);

export interface PreviewRequest {
  /** The type detected from the bytes. */
  content_type: string;
  filename: string;
  /** Counted from 1. */
  page: number;
  /** In pixels; a smaller image is not made larger. */
  width: number;
  signal: AbortSignal;
}

/** Draws previews. Fails with NotExtractable of the extractors, for any bytes. */
export interface Previews {
  (content: AsyncIterable<Uint8Array>, request: PreviewRequest): Promise<Preview>;
  /** Whether such files have previews. */
  takes(content_type: string): boolean;
}
