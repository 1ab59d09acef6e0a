import { xlsx } from '../../packages/server/test/golden/office.ts';
import { lines, pdf } from '../../packages/server/test/golden/pdf.ts';

/** A document as it is uploaded, and its words as they are compared with quotes. */
export interface EvalDocument {
  name: string;
  content: string | Buffer;
  text: string;
}

export interface EvalTable {
  name: string;
  columns: { name: string; type: string }[];
  rows: Record<string, unknown>[];
}

export interface EvalQuestion {
  ask: string;
  /** Texts that a right answer has in it. Left out: the documents have no answer. */
  expect?: readonly string[];
  /** Texts that a right answer does not have in it. */
  exclude?: readonly string[];
  /** Questions that are asked before it in the same conversation. */
  after?: readonly string[];
}

export interface AnswerSet {
  name: string;
  agent: string;
  documents: readonly EvalDocument[];
  tables: readonly EvalTable[];
  questions: readonly EvalQuestion[];
}

/** A Markdown, plain text, HTML or CSV document. */
export const textDocument = (name: string, content: string): EvalDocument => ({ name, content, text: content });

/** A PDF with one page for each list of lines. */
export const pdfDocument = (name: string, title: string, pages: readonly (readonly string[])[]): EvalDocument => ({
  name,
  content: pdf(
    pages.map((page) => ({ texts: lines([...page], 60, 780) })),
    title,
  ),
  text: pages.flat().join('\n'),
});

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A workbook whose first sheet has these rows. */
export const sheetDocument = (name: string, rows: readonly (readonly string[])[]): EvalDocument => ({
  name,
  content: xlsx(
    rows
      .map((row, at) => {
        const cells = row.map(
          (cell, column) =>
            `<c r="${String.fromCharCode(65 + column)}${at + 1}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`,
        );
        return `<row r="${at + 1}">${cells.join('')}</row>`;
      })
      .join(''),
  ),
  text: rows.map((row) => row.join('\n')).join('\n'),
});
