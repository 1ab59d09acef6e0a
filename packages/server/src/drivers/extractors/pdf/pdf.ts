import { extractImages } from 'unpdf';
import { makeDocument } from '../document-writer.ts';
import { type Extracted, type ExtractOptions, NotExtractable } from '../driver.ts';
import { encodePng } from '../image/encode-png.ts';
import { makeOcr } from '../image/ocr.ts';
import { wholeOf } from '../read-all-bytes.ts';
import { openPdf, type Pdf } from './open-pdf.ts';
import { type Line, sortByReadingOrder } from './reading-order.ts';
import { runsOf, type TextItem } from './text-runs.ts';
import { sizesOf, writePage } from './write-page.ts';

interface Page {
  number: number;
  lines: Line[];
  /** The text that OCR recognized on a page without other text. */
  seen: string;
  images: Buffer[];
}

const mostImages = 200;
const mostImageBytes = 64 * 1024 * 1024;

/** The pictures of a page; one that can't be made out is as none. */
async function picturesOf(pdf: Pdf, number: number): Promise<Buffer[]> {
  const found = await extractImages(pdf, number).catch(() => []);
  return found.map(encodePng);
}

const list = (numbers: number[]) =>
  numbers.length > 20 ? `${numbers.slice(0, 20).join(', ')} and ${numbers.length - 20} more` : numbers.join(', ');

/** PDF files page by page, in the order a reader would read them. */
export async function extractPdf(content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted> {
  const { max_chars, signal } = options;
  const pdf = await openPdf(await wholeOf(content, signal));
  const document = makeDocument(max_chars);
  const ocr = options.ocr?.enabled ? makeOcr(options.ocr, options.ocr_data) : undefined;
  const pages: Page[] = [];
  const [broken, empty]: [number[], number[]] = [[], []];
  let [chars, images, imageBytes, looked] = [0, 0, 0, 0];

  async function read(number: number): Promise<Page> {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = sortByReadingOrder(runsOf(items.filter((item) => 'str' in item) as TextItem[]));
    const bare = lines.length === 0;
    const wanted = options.images && images < mostImages && imageBytes < mostImageBytes;
    const looks = bare && ocr && looked < (options.ocr?.max_pages ?? Number.POSITIVE_INFINITY);
    const pictures = wanted || looks ? await picturesOf(pdf, number) : [];
    let seen = '';
    if (looks) looked++;
    if (looks)
      for (const picture of pictures) {
        const { text, warnings } = await ocr.read(picture);
        seen += seen && text ? `\n\n${text}` : text;
        for (const warning of warnings) document.warn(warning);
      }
    if (bare && !seen) empty.push(number);
    page.cleanup();
    images += wanted ? pictures.length : 0;
    imageBytes += wanted ? pictures.reduce((sum, { length }) => sum + length, 0) : 0;
    return { number, lines, seen, images: wanted ? pictures : [] };
  }

  try {
    for (let number = 1; number <= pdf.numPages && chars <= max_chars; number++) {
      signal.throwIfAborted();
      const page = await read(number).catch((error: unknown) => {
        if (error instanceof NotExtractable) throw error;
        broken.push(number);
        return undefined;
      });
      if (!page) continue;
      pages.push(page);
      options.progress?.(number, pdf.numPages);
      chars += page.seen.length + page.lines.flat().reduce((sum, { text }) => sum + text.length + 1, 0);
    }
    if (broken.length === pdf.numPages) throw new NotExtractable('unreadable', 'none of its pages can be read');
    const { info } = (await pdf.getMetadata().catch(() => ({ info: {} }))) as { info: { Title?: unknown } };
    if (typeof info.Title === 'string') document.title(info.Title);
  } finally {
    await ocr?.end();
    await pdf.cleanup().catch(() => {});
  }

  const sizes = sizesOf(pages.map(({ lines }) => lines));
  for (const page of pages) {
    document.turnTo(page.number);
    writePage(document, page.lines, sizes);
    for (const paragraph of page.seen.split('\n\n')) document.add('paragraph', paragraph);
    for (const [index, data] of page.images.entries())
      document.image({
        ...{ name: `page-${page.number}-${index + 1}.png`, content_type: 'image/png', alt: '' },
        data: new Uint8Array(data),
      });
  }
  if (pages.length + broken.length < pdf.numPages) document.cut();
  if (broken.length) document.warn(`Page ${list(broken)} could not be read.`);
  if (empty.length)
    document.warn(
      `Page ${list(empty)} has no text${ocr ? '' : ': it may be scanned, and OCR is off'}${
        ocr && looked === options.ocr?.max_pages ? `: only ${looked} scanned pages are read` : ''
      }.`,
    );
  return document.end(pdf.numPages);
}
