import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Computed, Sheet } from '../../../../drivers/formulas/driver.ts';

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Characters that spreadsheet programs refuse in the name of a sheet. */
export const sheetName = (name: string, index: number) =>
  name
    .replaceAll(/[\\/*?:[\]]/g, ' ')
    .trim()
    .slice(0, 31) || `Sheet${index + 1}`;

/** Who wrote it, where office programs look for it. */
const core = (title: string, author: string, now: Date) =>
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
  `<dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(author)}</dc:creator>` +
  `<cp:lastModifiedBy>${escapeXml(author)}</cp:lastModifiedBy>` +
  `<dcterms:created xsi:type="dcterms:W3CDTF">${now.toISOString().slice(0, 19)}Z</dcterms:created></cp:coreProperties>`;

const coreType =
  '<Override ContentType="application/vnd.openxmlformats-package.core-properties+xml" PartName="/docProps/core.xml"/>';
const coreRelation =
  '<Relationship Id="rId-core" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>';

/** Writes the computed values beside the formulas, for readers that compute nothing. */
function withValues(xml: string, values: ReadonlyMap<string, Computed['value']>): string {
  return xml.replaceAll(/<c r="([A-Z]+\d+)"([^>]*)><f>=?([^<]*)<\/f><\/c>/g, (_, cell, attributes, formula) => {
    const value = values.get(cell);
    const start = `<c r="${cell}"${attributes}`;
    if (value === undefined) return `${start}><f>${formula}</f></c>`;
    if (typeof value === 'number') return `${start}><f>${formula}</f><v>${value}</v></c>`;
    if (typeof value === 'boolean') return `${start} t="b"><f>${formula}</f><v>${value ? 1 : 0}</v></c>`;
    const type = value.startsWith('#') ? 'e' : 'str';
    return `${start} t="${type}"><f>${formula}</f><v>${escapeXml(value)}</v></c>`;
  });
}

/** Renders a workbook. Texts that begin with `=` are formulas; the first row of a sheet names its columns. */
export async function renderXlsx(
  title: string,
  sheets: readonly Sheet[],
  author: string,
  computed: readonly Computed[],
): Promise<Buffer> {
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const bytes = await writeXlsxFile(
    sheets.map(({ name, rows }) => ({
      sheet: name,
      data: rows.map((row, at) =>
        row.map((value) => {
          if (typeof value === 'string' && /^=./.test(value)) return { type: 'Formula' as const, value };
          if (value === null) return null;
          return { value, ...(at === 0 && { fontWeight: 'bold' as const }) };
        }),
      ),
    })),
  ).toBuffer();
  const parts = unzipSync(bytes);
  const change = (path: string, work: (xml: string) => string) => {
    const part = parts[path];
    if (part) parts[path] = strToU8(work(strFromU8(part)));
  };
  for (const [index, { name }] of sheets.entries()) {
    const values = new Map(computed.flatMap(({ sheet, cell, value }) => (sheet === name ? [[cell, value]] : [])));
    change(`xl/worksheets/sheet${index + 1}.xml`, (xml) => withValues(xml, values));
  }
  parts['docProps/core.xml'] = strToU8(core(title, author, new Date()));
  change('[Content_Types].xml', (xml) => xml.replace('</Types>', `${coreType}</Types>`));
  change('_rels/.rels', (xml) => xml.replace('</Relationships>', `${coreRelation}</Relationships>`));
  return Buffer.from(zipSync(parts));
}
