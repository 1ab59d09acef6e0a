import { zlibSync } from 'fflate';

/** Text at a place of the page, in points from its lower left corner. */
export interface Placed {
  x: number;
  y: number;
  size: number;
  text: string;
}

const packed = (content: string | Uint8Array) =>
  Buffer.from(zlibSync(Buffer.from(content as string, 'latin1'))).toString('latin1');

const escaped = (text: string) => text.replaceAll(/[\\()]/g, '\\$&');

const stream = (content: Buffer | string, extra = '') => {
  const bytes = Buffer.from(content as string, 'latin1');
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${extra}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};

export interface PdfPage {
  /** One line of any Unicode text, in a font with numbered glyphs and a ToUnicode table. */
  unicode?: string;
  texts?: Placed[];
  /** The same for pieces at places of their own, their letters as they stand from left to right. */
  words?: Omit<Placed, 'size'>[];
  /** Lines of character codes in an encoding that the file names but does not embed. */
  codes?: { encoding: string; ordering: string; lines: Buffer[] };
  /** A picture in grey that fills the page, as scanners make them. */
  scan?: { width: number; height: number; data: Uint8Array };
}

/** Ligatures as TeX writes them: a font whose characters 2 and 3 are fi and fl. */
const encoding = '<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [2 /fi /fl] >>';

/** A small PDF, written by hand. Blank pages have neither text nor picture. */
export function pdf(pages: PdfPage[], title = 'Field notes', trailer = ''): Buffer {
  const objects: Buffer[] = [];
  const add = (object: string | Buffer) => objects.push(Buffer.from(object as string, 'latin1'));
  const first = 5;
  const font = first + pages.length * 3;
  const kids = pages.map((_, index) => `${first + index * 3} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding ${encoding} >>`);
  add(`<< /Title (${escaped(title)}) >>`);
  const told = pages.flatMap(({ unicode = '', words = [] }) => [unicode, ...words.map(({ text }) => text)]).join('');
  const letters = [...new Set(told)].slice(0, 100);
  const code = (letter: string) => (letters.indexOf(letter) + 1).toString(16).padStart(4, '0');
  const named = font + (told ? 3 : 0);
  const coded = pages.flatMap(({ codes }) => codes ?? []);
  for (const [index, { texts = [], words = [], codes, scan, unicode }] of pages.entries()) {
    const own = first + index * 3;
    const image = scan ? `/XObject << /Im ${own + 2} 0 R >>` : '';
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${own + 1} 0 R /Resources << /Font << /F 3 0 R ${told ? `/U ${font} 0 R` : ''}${codes ? ` /C ${named + 2 * coded.indexOf(codes)} 0 R` : ''} >> ${image} >> >>`,
    );
    const shown = texts.map(({ x, y, size, text }) => `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`);
    if (unicode) shown.push(`BT /U 1 Tf 1 0 0 1 10 400 Tm <${[...unicode].map(code).join('')}> Tj ET`);
    for (const { x, y, text } of words)
      shown.push(`BT /U 12 Tf 1 0 0 1 ${x} ${y} Tm <${[...text].map(code).join('')}> Tj ET`);
    for (const [line, bytes] of (codes?.lines ?? []).entries())
      shown.push(`BT /C 12 Tf 1 0 0 1 60 ${700 - line * 16} Tm <${bytes.toString('hex')}> Tj ET`);
    if (scan) shown.push('q 595 0 0 842 0 0 cm /Im Do Q');
    add(stream(packed(shown.join('\n')), '/Filter /FlateDecode '));
    const { width = 1, height = 1, data = new Uint8Array(1) } = scan ?? {};
    add(
      stream(
        packed(data),
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode `,
      ),
    );
  }
  if (told) {
    const utf16 = (letter: string) => Buffer.from(letter, 'utf16le').swap16().toString('hex');
    const pairs = letters.map((letter) => `<${code(letter)}> <${utf16(letter)}>`).join('\n');
    add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [${font + 1} 0 R] /ToUnicode ${font + 2} 0 R >>`,
    );
    add(
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>',
    );
    add(
      stream(
        `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${letters.length} beginbfchar\n${pairs}\nendbfchar endcmap end`,
      ),
    );
  }
  for (const [index, { encoding: name, ordering }] of coded.entries()) {
    const own = named + 2 * index;
    add(`<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${name} /DescendantFonts [${own + 1} 0 R] >>`);
    add(
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /W [1 95 500 231 [500] 814 [500] 8094 [500] 13648 [500]] >>`,
    );
  }
  const chunks = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const places: number[] = [];
  let length = (chunks[0] as Buffer).length;
  for (const [index, object] of objects.entries()) {
    places.push(length);
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    chunks.push(whole);
    length += whole.length;
  }
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
  chunks.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${end}`));
  return Buffer.concat(chunks);
}

/** Places lines of text below each other. */
export const lines = (texts: string[], x: number, y: number, size = 11): Placed[] =>
  texts.map((text, index) => ({ x, y: y - index * size * 1.3, size, text }));
