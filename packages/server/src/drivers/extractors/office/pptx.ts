import { posix } from 'node:path';
import { type DocumentWriter, makeDocument } from '../document-writer.ts';
import { type Extracted, type ExtractOptions, NotExtractable } from '../driver.ts';
import { wholeOf } from '../read-all-bytes.ts';
import { type Archive, openArchive } from './open-archive.ts';
import { mainPart, relationshipsOf } from './relationships.ts';
import { all, type Element, first, parseXml } from './xml.ts';

/** The date, the footer and the number stand on every slide and say nothing of it. */
const furniture = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);
const imageTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
};
const mostImages = 200;

function lineOf(paragraph: Element): string {
  let line = '';
  for (const piece of all(paragraph, 't', 'br')) line += piece.name === 'br' ? '\n' : piece.children.join('');
  return line.trim();
}

const placeholder = (shape: Element) => first(first(shape, 'nvPr'), 'ph')?.attributes;

function writeShape(document: DocumentWriter, shape: Element): void {
  const place = placeholder(shape);
  if (place && furniture.has(place['type'] ?? '')) return;
  const body = first(shape, 'txBody');
  if (!body) return;
  const paragraphs = [...all(body, 'p')];
  if (/^(?:title|ctrTitle)$/.test(place?.['type'] ?? '')) {
    const title = paragraphs.map(lineOf).join(' ').trim();
    document.heading(1, title);
    document.title(title);
    return;
  }
  // Paragraphs in the body of a slide are list items; their bullets are defined in the layout.
  const points = place !== undefined && paragraphs.length > 1;
  for (const [index, paragraph] of paragraphs.entries()) {
    const depth = Number(first(paragraph, 'pPr')?.attributes['lvl'] ?? 0) || 0;
    const mark = points ? `${'  '.repeat(Math.min(depth, 8))}- ` : '';
    document.add(points ? 'list_item' : 'paragraph', lineOf(paragraph), { mark, gap: index && points ? 1 : 2 });
  }
}

function writeTable(document: DocumentWriter, table: Element): void {
  const cell = (one: Element) => [...all(one, 'p')].map(lineOf).join(' ');
  document.table([...all(table, 'tr')].map((row) => [...all(row, 'tc')].map(cell)));
}

interface Slide {
  archive: Archive;
  part: string;
  images: boolean;
}

function writePicture(document: DocumentWriter, picture: Element, { archive, part, images }: Slide): void {
  const about = first(picture, 'cNvPr')?.attributes;
  const alt = about?.['descr']?.trim() ?? '';
  document.add('image', alt, { mark: 'Image: ' });
  if (!images) return;
  const id = first(picture, 'blip')?.attributes['r:embed'] ?? '';
  const target = relationshipsOf(archive, part).get(id)?.target ?? '';
  const content_type = imageTypes[posix.extname(target).slice(1).toLowerCase()];
  const data = content_type && archive.read(target);
  if (data) document.image({ name: posix.basename(target), content_type, data: new Uint8Array(data), alt });
}

function writeSlide(document: DocumentWriter, slide: Slide): void {
  const tree = parseXml(slide.archive.read(slide.part) ?? Buffer.alloc(0));
  let images = 0;
  for (const shape of all(tree, 'sp', 'graphicFrame', 'pic')) {
    if (shape.name === 'sp') writeShape(document, shape);
    else if (shape.name === 'pic')
      writePicture(document, shape, { ...slide, images: slide.images && images++ < mostImages });
    else for (const table of all(shape, 'tbl')) writeTable(document, table);
  }
}

function writeNotes(document: DocumentWriter, { archive, part }: Slide): void {
  const notes = [...relationshipsOf(archive, part).values()].find(({ type }) => type === 'notesSlide');
  const bytes = notes && archive.read(notes.target);
  if (!bytes) return;
  const shapes = [...all(parseXml(bytes), 'sp')].filter((shape) => !furniture.has(placeholder(shape)?.['type'] ?? ''));
  const lines = shapes.flatMap((shape) => [...all(shape, 'p')].map(lineOf)).filter(Boolean);
  document.add('paragraph', lines.join('\n'), { mark: 'Notes: ' });
}

/** Presentations, slide by slide in the order they are shown, with their notes. */
export async function extractPptx(content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted> {
  const archive = openArchive(await wholeOf(content, options.signal));
  const main = mainPart(archive, 'ppt/presentation.xml');
  const bytes = main && archive.read(main);
  if (!bytes) throw new NotExtractable('unreadable', 'there is no presentation in it');
  const related = relationshipsOf(archive, main);
  const parts = [...all(parseXml(bytes), 'sldId')].flatMap(
    ({ attributes }) => related.get(attributes['r:id'] ?? '')?.target ?? [],
  );
  const document = makeDocument(options.max_chars);
  for (const [index, part] of parts.entries()) {
    if (document.full()) break;
    if (!archive.has(part)) {
      document.warn(`Slide ${index + 1} is missing.`);
      continue;
    }
    document.turnTo(index + 1, true);
    const slide = { archive, part, images: options.images ?? false };
    writeSlide(document, slide);
    writeNotes(document, slide);
  }
  return document.end(parts.length);
}
