import { strToU8, zipSync } from 'fflate';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

/** A ZIP archive with the same bytes whenever it is made. */
export const archive = (parts: Record<string, string | Uint8Array>, level: 0 | 6 = 6): Buffer => {
  const files = Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]);
  return Buffer.from(zipSync(Object.fromEntries(files), { level, mtime: '2020-01-01' }));
};

type Relations = Record<string, [type: string, target: string]>;

const relations = (list: Relations) =>
  `${head}<Relationships xmlns="${packages}/relationships">${Object.entries(list)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const types = `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>`;
const override = (part: string, type: string) =>
  `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const paragraph = (text: string, properties = '') =>
  `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const heading = (level: number, text: string) => paragraph(text, `<w:pStyle w:val="Heading${level}"/>`);
const point = (text: string) => paragraph(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
const wordTable = (rows: string[][]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;
const wordPicture = (alt: string, id: string) =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="${alt}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="${office}" r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const styles = `${head}<w:styles xmlns:w="${word}">${[1, 2]
  .map(
    (level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  )
  .join('')}</w:styles>`;
const numbering = `${head}<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;

/** `before` goes in front of the document itself, where nothing belongs. */
export function docx(text = 'Visitors may park in the blue zone.', png?: Uint8Array, before = ''): Buffer {
  const body = [
    heading(1, 'Visitor guide'),
    paragraph(text),
    heading(2, 'Rules'),
    point('Wear the badge.'),
    point('Leave by six.'),
    heading(2, 'Prices'),
    wordTable([
      ['Zone', 'Per day'],
      ['Blue', '4 €'],
      ['Red', '9 €'],
    ]),
    ...(png ? [wordPicture('Map of the zones', 'rId9')] : []),
  ].join('');
  return archive({
    '[Content_Types].xml': `${types}${override('/word/document.xml', 'wordprocessingml.document.main')}</Types>`,
    '_rels/.rels': relations({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `${head}${before}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': styles,
    'word/numbering.xml': numbering,
    'word/_rels/document.xml.rels': relations({
      rId1: ['styles', 'styles.xml'],
      rId2: ['numbering', 'numbering.xml'],
      ...(png ? { rId9: ['image', 'media/map.png'] as [string, string] } : {}),
    }),
    ...(png ? { 'word/media/map.png': png } : {}),
  });
}

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const slideNames = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="${drawing}" xmlns:r="${office}"`;
const shape = (place: string, lines: [text: string, depth?: number][]) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:nvPr><p:ph type="${place}"/></p:nvPr></p:nvSpPr><p:txBody>${lines
    .map(([text, depth = 0]) => `<a:p><a:pPr lvl="${depth}"/><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;
const slideTable = (rows: string[][]) =>
  `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows
    .map(
      (row) =>
        `<a:tr>${row.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${cell}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`,
    )
    .join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
const slidePicture = `<p:pic><p:nvPicPr><p:cNvPr id="3" name="p" descr="Chart of the growth"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId2"/></p:blipFill></p:pic>`;
const slide = (shapes: string, root = 'sld') =>
  `${head}<p:${root} ${slideNames}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${root}>`;

export function pptx(text = 'We grew by a third.', png: Uint8Array = new Uint8Array(0)): Buffer {
  return archive({
    '[Content_Types].xml': `${types}${override('/ppt/presentation.xml', 'presentationml.presentation.main')}</Types>`,
    '_rels/.rels': relations({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `${head}<p:presentation ${slideNames}><p:sldIdLst><p:sldId id="256" r:id="rId7"/><p:sldId id="257" r:id="rId3"/></p:sldIdLst></p:presentation>`,
    // The order of the slides is not that of their names.
    'ppt/_rels/presentation.xml.rels': relations({
      rId3: ['slide', 'slides/slide1.xml'],
      rId7: ['slide', 'slides/slide2.xml'],
    }),
    'ppt/slides/slide2.xml': slide(
      shape('ctrTitle', [['Quarterly review']]) + shape('subTitle', [[text]]) + shape('sldNum', [['1']]),
    ),
    'ppt/slides/_rels/slide2.xml.rels': relations({ rId1: ['notesSlide', '../notesSlides/notesSlide1.xml'] }),
    'ppt/notesSlides/notesSlide1.xml': slide(
      shape('body', [['Thank the team first.']]) + shape('sldNum', [['1']]),
      'notes',
    ),
    'ppt/slides/slide1.xml': slide(
      shape('title', [['Numbers']]) +
        shape('body', [['Sales'], ['North', 1], ['Costs']]) +
        slideTable([
          ['Quarter', 'Sales'],
          ['Q1', '120'],
          ['Q2', '160'],
        ]) +
        slidePicture,
    ),
    'ppt/slides/_rels/slide1.xml.rels': relations({ rId2: ['image', '../media/chart.png'] }),
    'ppt/media/chart.png': png,
  });
}

const sheetNames = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
export const sheetXml = (rows: string) => `${head}<worksheet ${sheetNames}><sheetData>${rows}</sheetData></worksheet>`;

const orders = `
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row>
<row r="2"><c r="A2" t="s"><v>4</v></c><c r="B2"><v>3</v></c><c r="C2" s="1"><v>45292</v></c><c r="D2"><f>B2*1.1</f><v>3.3000000000000003</v></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><t>Lamp</t></is></c><c r="C4" s="2"><v>45293.75</v></c><c r="D4" t="str"><f>"n"&amp;"/a"</f><v>n/a</v></c></row>
<row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" t="e"><v>#DIV/0!</v></c></row>`;

/** A workbook of two sheets; `first` takes the place of the first one's rows. */
export function xlsx(first = orders, item = 'Desk'): Buffer {
  const strings = ['Item', 'Count', 'Ordered', 'Total', item];
  return archive({
    '[Content_Types].xml': `${types}${override('/xl/workbook.xml', 'spreadsheetml.sheet.main')}</Types>`,
    '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `${head}<workbook ${sheetNames} xmlns:r="${office}"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/><sheet name="Rates" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      rId1: ['worksheet', 'worksheets/sheet1.xml'],
      rId2: ['worksheet', 'worksheets/sheet2.xml'],
      rId3: ['sharedStrings', 'sharedStrings.xml'],
      rId4: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml': `${head}<sst ${sheetNames}>${strings.map((text) => `<si><r><t>${text}</t></r></si>`).join('')}</sst>`,
    'xl/styles.xml': `${head}<styleSheet ${sheetNames}><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheetXml(first),
    'xl/worksheets/sheet2.xml': sheetXml('<row r="1"><c r="A1"><v>0.19</v></c><c r="B1"><v>12</v></c></row>'),
  });
}
