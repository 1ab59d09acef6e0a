/** A line of a document. Documents are written in simple Markdown: headings, points, tables, paragraphs. */
export type Line =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'point'; numbered: boolean; text: string }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'paragraph'; text: string };

export interface Run {
  text: string;
  bold: boolean;
  italic: boolean;
}

const cellsOf = (line: string) =>
  line
    .replace(/^\s*\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line);
const isRule = (line: string) => /^\s*\|[\s:|-]+\|\s*$/.test(line);

/** Splits a text into lines that every format can show. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let paragraph: string[] = [];
  const close = () => {
    if (paragraph.length) lines.push({ kind: 'paragraph', text: paragraph.join(' ') });
    paragraph = [];
  };
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const heading = /^(#{1,6})\s+(.+)$/.exec(line);
    const point = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+(.+)$/.exec(line);
    if (heading || point || isRow(line) || !line.trim()) close();
    if (heading) lines.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' });
    else if (point) lines.push({ kind: 'point', numbered: point[1] !== undefined, text: point[2] ?? '' });
    else if (isRow(line)) {
      const last = lines.at(-1);
      if (isRule(line)) continue;
      if (last?.kind === 'table') last.rows.push(cellsOf(line));
      else lines.push({ kind: 'table', rows: [cellsOf(line)] });
    } else if (line.trim()) paragraph.push(line.trim());
  }
  close();
  return lines;
}

/** The bold and italic parts of a line. */
export function runsOf(text: string): Run[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).flatMap((piece): Run[] => {
    if (!piece) return [];
    const bold = piece.startsWith('**') && piece.length > 4;
    const italic = !bold && piece.length > 2 && piece.startsWith('*') && piece.endsWith('*');
    return [{ text: bold ? piece.slice(2, -2) : italic ? piece.slice(1, -1) : piece, bold, italic }];
  });
}

/** The text without markup. */
export const plainText = (text: string) =>
  runsOf(text)
    .map((run) => run.text)
    .join('');
