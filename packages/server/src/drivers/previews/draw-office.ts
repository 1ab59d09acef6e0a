import { type Canvas, createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import type { Block, Extracted } from '../extractors/driver.ts';
import { readers } from '../extractors/isolated/readers.ts';
import { openArchive } from '../extractors/office/open-archive.ts';
import { drawImage, encodePreview } from './draw-image.ts';
import type { DrawOptions } from './draw-preview.ts';
import type { Preview } from './driver.ts';

const pictures = ['docProps/thumbnail.jpeg', 'docProps/thumbnail.jpg', 'docProps/thumbnail.png'];
/** The beginning that fits on one page. */
const mostChars = 4000;

/** A page in the units of a sheet of paper: 600 wide, with a margin. */
const [paperWidth, paperHeight, slideHeight, margin] = [600, 848, 338, 48];

interface Pen {
  context: SKRSContext2D;
  bottom: number;
  y: number;
}

/** Draws words up to the end of the line; where the machine has no fonts, bars of their length. */
function drawLine({ context, y }: Pen, text: string, x: number, size: number): void {
  if (GlobalFonts.families.length > 0) context.fillText(text, x, y + size);
  else context.fillRect(x, y + size * 0.3, Math.min(text.length * size * 0.5, paperWidth - margin - x), size * 0.6);
}

const widthOf = ({ context }: Pen, text: string, size: number) =>
  GlobalFonts.families.length > 0 ? context.measureText(text).width : text.length * size * 0.5;

function drawParagraph(pen: Pen, text: string, { size, bold, x }: { size: number; bold: boolean; x: number }): void {
  pen.context.font = `${bold ? 'bold ' : ''}${size}px sans-serif`;
  for (const line of text.split('\n')) {
    let row = '';
    for (const word of line.split(/\s+/)) {
      const longer = row === '' ? word : `${row} ${word}`;
      if (row !== '' && widthOf(pen, longer, size) > paperWidth - margin - x) {
        drawLine(pen, row, x, size);
        pen.y += size * 1.4;
        row = word;
      } else row = longer;
      if (pen.y > pen.bottom) return;
    }
    drawLine(pen, row, x, size);
    pen.y += size * 1.4;
  }
}

function drawTable(pen: Pen, text: string): void {
  const rows = text.split('\n').filter((line) => !/^\|(?: --- \|)+$/.test(line));
  for (const row of rows) {
    if (pen.y > pen.bottom) return;
    const cells = row.startsWith('|') ? row.slice(1, -1).split(' | ') : row.split('\t');
    const width = (paperWidth - 2 * margin) / Math.max(1, Math.min(8, cells.length));
    pen.context.font = '10px sans-serif';
    for (const [at, cell] of cells.slice(0, 8).entries()) {
      pen.context.strokeStyle = '#ccc';
      pen.context.strokeRect(margin + at * width, pen.y, width, 16);
      drawLine(pen, cell.trim().slice(0, Math.floor(width / 6)), margin + at * width + 3, 10);
    }
    pen.y += 16;
  }
  pen.y += 8;
}

const isTable = ({ kind }: Block) => kind === 'table' || kind === 'row';

/** Draws the beginning of a text as one page, in the order and with the headings of its blocks. */
function drawText({ text, blocks }: Extracted, height: number, width: number): Canvas {
  const scale = width / paperWidth;
  const canvas = createCanvas(width, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, paperWidth, height);
  context.fillStyle = '#222';
  const pen: Pen = { context, y: margin, bottom: height - margin };
  const first = blocks.filter(({ page }) => page === null || page === 1);
  for (const block of first) {
    if (pen.y > pen.bottom) break;
    const said = text.slice(block.start, block.end);
    if (isTable(block)) drawTable(pen, said);
    else if (block.kind === 'heading')
      drawParagraph(pen, said.replace(/^#+ /, ''), { size: 26 - 2 * (block.level ?? 1), bold: true, x: margin });
    else drawParagraph(pen, said, { size: 12, bold: false, x: block.kind === 'list_item' ? margin + 12 : margin });
    pen.y += 6;
  }
  return canvas;
}

/** Draws the picture that an Office document brings of itself, or else the beginning of its text. */
export async function drawOffice(bytes: Buffer, { width, content_type, filename }: DrawOptions): Promise<Preview> {
  const archive = openArchive(bytes);
  for (const name of pictures) {
    const picture = archive.has(name) ? archive.read(name) : undefined;
    // A picture that can't be drawn is as none.
    const drawn = picture && (await drawImage(picture, width).catch(() => undefined));
    if (drawn) return drawn;
  }
  const signal = new AbortController().signal;
  const extracted = await readers()(
    (async function* () {
      yield bytes;
    })(),
    { content_type, filename, max_chars: mostChars, signal },
  );
  const height = content_type.includes('presentation') ? slideHeight : paperHeight;
  return encodePreview(drawText(extracted, height, width), 1);
}
