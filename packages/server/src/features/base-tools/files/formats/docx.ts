import { linesOf, runsOf } from './markdown-lines.ts';

/** Renders a Word document. The package is loaded for the first one. */
export async function renderDocx(title: string, text: string, author: string): Promise<Buffer> {
  const { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } = await import(
    'docx'
  );
  const levels = [
    HeadingLevel.HEADING_1,
    HeadingLevel.HEADING_2,
    HeadingLevel.HEADING_3,
    HeadingLevel.HEADING_4,
    HeadingLevel.HEADING_5,
    HeadingLevel.HEADING_6,
  ];
  const runs = (line: string) =>
    runsOf(line).map(({ text: said, bold, italic }) => new TextRun({ text: said, bold, italics: italic }));
  const children = linesOf(text).map((line) => {
    if (line.kind === 'table')
      return new Table({
        width: { size: 100, type: WidthType.PERCENTAGE },
        rows: line.rows.map(
          (cells) =>
            new TableRow({
              children: cells.map((cell) => new TableCell({ children: [new Paragraph({ children: runs(cell) })] })),
            }),
        ),
      });
    if (line.kind === 'heading')
      return new Paragraph({
        heading: levels[line.level - 1] ?? HeadingLevel.HEADING_1,
        children: runs(line.text),
      });
    if (line.kind === 'point' && line.numbered)
      return new Paragraph({ numbering: { reference: 'numbers', level: 0 }, children: runs(line.text) });
    return new Paragraph({ ...(line.kind === 'point' && { bullet: { level: 0 } }), children: runs(line.text) });
  });
  const document = new Document({
    title,
    creator: author,
    lastModifiedBy: author,
    numbering: {
      config: [{ reference: 'numbers', levels: [{ level: 0, format: 'decimal', text: '%1.' }] }],
    },
    sections: [{ children }],
  });
  return Packer.toBuffer(document);
}
