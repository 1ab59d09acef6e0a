import { linesOf, plainText } from './markdown-lines.ts';

const sizes = [22, 18, 15, 13, 12, 11];
const body = 11;

/** Replaces dashes and spaces by the plain characters that look the same. */
const plainer = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[\u2010\u2011\u2212]/g, '-')
    .replaceAll(/[\u2000-\u200a\u202f]/g, ' ');

/** Characters that the standard fonts of PDF can't show. */
const unknown =
  /[^\n\r\t\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/u;

/** The first character of a text that our PDFs can't show; undefined when there is none. */
export const findUnprintableCharacter = (text: string): string | undefined => unknown.exec(plainer(text))?.[0];

/** Renders a PDF. The package is loaded for the first one. */
export async function renderPdf(title: string, text: string, author: string): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({ margin: 56, info: { Title: title, Author: author, Creator: author } });
  const chunks: Buffer[] = [];
  const { promise: whole, resolve, reject } = Promise.withResolvers<Buffer>();
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.on('error', reject);
  let number = 0;
  for (const line of linesOf(plainer(text))) {
    if (line.kind !== 'point') number = 0;
    if (line.kind === 'table') {
      pdf.font('Helvetica').fontSize(10);
      pdf.table({ data: line.rows.map((row) => row.map(plainText)) });
      pdf.moveDown();
    } else if (line.kind === 'heading') {
      pdf.font('Helvetica-Bold').fontSize(sizes[line.level - 1] ?? body);
      pdf.text(plainText(line.text)).moveDown(0.4);
    } else if (line.kind === 'point') {
      number++;
      pdf.font('Helvetica').fontSize(body);
      pdf.text(`${line.numbered ? `${number}.` : '•'} ${plainText(line.text)}`, { indent: 12 }).moveDown(0.2);
    } else pdf.font('Helvetica').fontSize(body).text(plainText(line.text)).moveDown(0.6);
  }
  pdf.end();
  return whole;
}
