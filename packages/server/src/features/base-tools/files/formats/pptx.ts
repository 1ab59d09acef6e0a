import { strToU8, zipSync } from 'fflate';
import { required } from '../../../../lib/required.ts';
import { type Line, linesOf, plainText } from './markdown-lines.ts';

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const spaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  `xmlns:r="${office}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;

interface Slide {
  title: string;
  lines: string[];
}

/** Each heading begins a slide; text before the first heading is on the title slide. */
function slidesOf(title: string, lines: readonly Line[]): Slide[] {
  const slides: Slide[] = [];
  for (const line of lines) {
    if (line.kind === 'heading') slides.push({ title: plainText(line.text), lines: [] });
    else {
      if (slides.length === 0) slides.push({ title, lines: [] });
      const last = required(slides.at(-1));
      if (line.kind === 'table') last.lines.push(...line.rows.map((row) => row.map(plainText).join(' | ')));
      else last.lines.push(plainText(line.text));
    }
  }
  return slides.length ? slides : [{ title, lines: [] }];
}

const group =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

function shape(id: number, kind: 'title' | 'body', texts: readonly string[]): string {
  const [y, height, size] = kind === 'title' ? [365_125, 1_325_563, 3600] : [1_825_625, 4_351_338, 2000];
  const paragraphs = texts.map(
    (text) => `<a:p><a:r><a:rPr lang="en" sz="${size}"/><a:t>${escapeXml(text)}</a:t></a:r></a:p>`,
  );
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${kind} ${id}"/><p:cNvSpPr/><p:nvPr><p:ph type="${kind}"${kind === 'body' ? ' idx="1"' : ''}/></p:nvPr></p:nvSpPr>` +
    `<p:spPr><a:xfrm><a:off x="838200" y="${y}"/><a:ext cx="10515600" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>` +
    `<p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>${paragraphs.join('') || '<a:p/>'}</p:txBody></p:sp>`
  );
}

const tree = (shapes: string) => `<p:cSld><p:spTree>${group}${shapes}</p:spTree></p:cSld>`;
const colors =
  'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"';
const relations = (list: readonly [type: string, target: string][]) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const scheme = [
  'dk1',
  'lt1',
  'dk2',
  'lt2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
  'hlink',
  'folHlink',
];
const tones = [
  '1F2933',
  'FFFFFF',
  '323F4B',
  'F5F7FA',
  '1D4ED8',
  'C2410C',
  '047857',
  '7C3AED',
  'BE123C',
  '0F766E',
  '1D4ED8',
  '7C3AED',
];
const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const line = `<a:ln w="6350">${fill}</a:ln>`;
const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
const font = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>';
const theme =
  `${head}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Plain"><a:themeElements><a:clrScheme name="Plain">` +
  scheme.map((name, index) => `<a:${name}><a:srgbClr val="${tones[index]}"/></a:${name}>`).join('') +
  `</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme>` +
  `<a:fmtScheme name="Plain"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;

/** Renders a presentation of headings and points, with the least that presentation programs need. */
export function renderPptx(title: string, text: string, author: string): Buffer {
  const slides = slidesOf(title, linesOf(text));
  const type = 'application/vnd.openxmlformats-officedocument.presentationml';
  const override = (part: string, kind: string) => `<Override PartName="${part}" ContentType="${kind}"/>`;
  const parts: Record<string, string> = {
    '[Content_Types].xml':
      `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
      override('/ppt/presentation.xml', `${type}.presentation.main+xml`) +
      override('/ppt/slideMasters/slideMaster1.xml', `${type}.slideMaster+xml`) +
      override('/ppt/slideLayouts/slideLayout1.xml', `${type}.slideLayout+xml`) +
      override('/ppt/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml') +
      override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
      slides.map((_, index) => override(`/ppt/slides/slide${index + 1}.xml`, `${type}.slide+xml`)).join('') +
      '</Types>',
    '_rels/.rels': relations([
      [`${office}/officeDocument`, 'ppt/presentation.xml'],
      ['http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties', 'docProps/core.xml'],
    ]),
    'docProps/core.xml': `${head}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(author)}</dc:creator></cp:coreProperties>`,
    'ppt/presentation.xml': `${head}<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 2}"/>`).join('')}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([
      [`${office}/slideMaster`, 'slideMasters/slideMaster1.xml'],
      ...slides.map((_, index): [string, string] => [`${office}/slide`, `slides/slide${index + 1}.xml`]),
      [`${office}/theme`, 'theme/theme1.xml'],
    ]),
    'ppt/theme/theme1.xml': theme,
    'ppt/slideMasters/slideMaster1.xml': `${head}<p:sldMaster ${spaces}>${tree(shape(2, 'title', []) + shape(3, 'body', []))}<p:clrMap ${colors}/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relations([
      [`${office}/slideLayout`, '../slideLayouts/slideLayout1.xml'],
      [`${office}/theme`, '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': `${head}<p:sldLayout ${spaces} type="obj">${tree(shape(2, 'title', []) + shape(3, 'body', []))}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations([
      [`${office}/slideMaster`, '../slideMasters/slideMaster1.xml'],
    ]),
  };
  for (const [index, slide] of slides.entries()) {
    const shapes = shape(2, 'title', [slide.title]) + shape(3, 'body', slide.lines);
    parts[`ppt/slides/slide${index + 1}.xml`] =
      `${head}<p:sld ${spaces}>${tree(shapes)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
    parts[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = relations([
      [`${office}/slideLayout`, '../slideLayouts/slideLayout1.xml'],
    ]);
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]))));
}
