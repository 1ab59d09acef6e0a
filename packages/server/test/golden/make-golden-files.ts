import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, picture } from './bitmap.ts';
import { docx, pptx, xlsx } from './office.ts';
import { lines, pdf } from './pdf.ts';

/** Writes a small file of every format that is read, and a damaged one of each. Run it after a change: node make.ts */
const folder = join(import.meta.dirname, 'files');
const heron = ['THE HERON STANDS', 'IN THE POND'];

const markdown = `# Visitor guide

Visitors may park in the *blue zone*
and nowhere else.

## Rules

- Wear the badge.
- Leave by six.

| Zone | Per day |
|------|---------|
| Blue | 4 € |

\`\`\`
# no heading
\`\`\`

Opening hours
-------------

Nine to six.
`;

const html = `<!doctype html><html lang="en"><head><title>Visitor guide</title><style>p{}</style></head><body>
<nav><a href="/home">Home</a></nav>
<h1>Visitor guide</h1><p>Visitors may park in the <b>blue&nbsp;zone</b>, see <a href="/map?a=1&amp;b=2">the map</a>.
<h2>Rules</h2><ul><li>Wear the badge.<li><p>Leave by six.</p></ul><img src="/zones.png" alt="Map of the zones">
<h2>Prices</h2><table><thead><tr><th>Zone<th>Per day</thead><tr><td>Blue<td>4 &euro;</tr><tr><td>Red<td><p>9 &euro;</p></tr></table>
<pre>a
  b</pre><script>alert("<p>no</p>")</script></body></html>
`;

const csv = 'Item;Count;Note\r\nDesk;3;"oak; solid"\r\nLamp;;"two\r\nlines"\r\nChair;12;5 €\r\n';

const left = [
  'The heron waits at the edge of the',
  'pond until a fish comes near. It is a pa-',
  'tient bird and its strike is very quick.',
];
const right = [
  'In winter the pond is frozen, and the',
  'herons go to the river, where they \x02nd',
  'the water open and \x03owing all year.',
];
const report = pdf([
  {
    texts: [
      // The file has the right column first: the place on the page counts.
      ...lines(right, 320, 700),
      ...lines(['Field notes'], 60, 780, 24),
      ...lines(left, 60, 700),
      ...lines(['Counts'], 60, 560, 16),
      ...['Month', 'May', 'June'].flatMap((text, row) => lines([text], 60, 530 - row * 16)),
      ...['Herons', '14', '9'].flatMap((text, row) => lines([text], 260, 530 - row * 16)),
    ],
  },
  {
    texts: [
      ...lines(['Method'], 60, 780, 16),
      ...lines(['We counted at dawn.', '\x95 from the bridge', '\x95 from the tower'], 60, 740),
      // No gap parts these paragraphs, but the first line of each stands further in.
      ...lines(['The second count was'], 75, 690),
      ...lines(['made from the boat.'], 60, 675.7),
      ...lines(['A third was not made.'], 75, 661.4),
    ],
  },
  { scan: drawn(heron) },
]);

const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();
const backwards = (text: string) => [...text].reverse().join('');
/** Pages in other scripts: fonts that tell their letters, and encodings of East Asia that are only named. */
const scripts = pdf(
  [
    { words: [{ x: 60, y: 700, text: 'Серая цапля ждёт у пруда.' }] },
    { words: [{ x: 60, y: 700, text: 'Ο ερωδιός περιμένει.' }] },
    {
      words: [
        { x: 60, y: 700, text: '苍鹭站在池塘边' },
        { x: 60, y: 684, text: '等待一条鱼。' },
      ],
    },
    // Each word is a piece by itself, the first one on the right.
    {
      words: [
        { x: 460, y: 700, text: backwards('האנפה') },
        { x: 417, y: 700, text: backwards('מחכה') },
        { x: 388, y: 700, text: '14' },
        { x: 335, y: 700, text: backwards('שעות.') },
      ],
    },
    // One piece for the whole line.
    { words: [{ x: 60, y: 700, text: backwards('البلشون ينتظر') }] },
    { codes: { encoding: 'UniGB-UCS2-H', ordering: 'GB1', lines: [utf16('苍鹭站在池塘边'), utf16('等待 3 条鱼。')] } },
    {
      codes: {
        encoding: 'GBK-EUC-H',
        ordering: 'GB1',
        lines: [Buffer.from('b2d4f0d8204865726f6e', 'hex')],
      },
    },
    { codes: { encoding: 'UniCNS-UTF16-H', ordering: 'CNS1', lines: [utf16('蒼鷺等待')] } },
    { codes: { encoding: 'ETen-B5-V', ordering: 'CNS1', lines: [Buffer.from('c64fb3be', 'hex')] } },
    {
      codes: {
        encoding: '90ms-RKSJ-H',
        ordering: 'Japan1',
        lines: [Buffer.from('834183498354834d20b1', 'hex')],
      },
    },
    { codes: { encoding: 'H', ordering: 'Japan1', lines: [Buffer.from('25222531', 'hex')] } },
    { codes: { encoding: 'KSCms-UHC-H', ordering: 'Korea1', lines: [Buffer.from('bfd6b0a1b8ae', 'hex')] } },
  ],
  'Scripts',
);

const locked = pdf(
  [{ texts: lines(['secret'], 60, 700) }],
  'Locked',
  `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<00> <00>] `,
);

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
const attachment = (name: string, type: string, bytes: Buffer) =>
  `--b1\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`;
const mail = (inner: string) =>
  `From: =?utf-8?q?J=C3=BCrgen?= <jurgen@example.com>
To: Ann <ann@example.com>, bob@example.com
Subject: The parking plan
Date: Mon, 05 Jan 2026 09:30:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b1"

--b1
Content-Type: multipart/alternative; boundary="b2"

--b2
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe,

the plan is attached.
--b2
Content-Type: text/html

<p>Gr&uuml;&szlig;e</p>
--b2--
${inner}--b1--
`.replaceAll(/\r?\n/g, '\r\n');

const word = docx(undefined, picture(['A']));
const sheet = xlsx();
const slides = pptx(undefined, picture(['N']));
const png = picture(heron);
const types = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eml: 'message/rfc822',
};
const nested = Buffer.from('Subject: Older plan\r\n\r\nThe first plan was red.\r\n');

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
const files: Record<string, Buffer | string> = {
  'guide.txt': Buffer.from(
    '\ufeffVisitors   may park in the blue zone\r\nand nowhere else.\r\n\r\n\r\nLeave by six: caf\u00e9 closes.\r\n',
    'utf16le',
  ),
  'guide.md': markdown,
  'page.html': html,
  'orders.csv': Buffer.from(csv.replace('€', '\x80'), 'latin1'),
  'orders.tsv': 'Item\tCount\nDesk\t3\nLamp "L"\t\n',
  'order.json': '{"item": "Desk", "id": 12345678901234567890}\n',
  'orders.jsonl': '{"item": "Desk"}\n{"item": "Lamp"}\n',
  'order.xml': '<?xml version="1.0"?>\n<order><item count="3">Desk</item></order>\n',
  'order.yaml': 'item: Desk\ncount: 3\n',
  'report.pdf': report,
  'scripts.pdf': scripts,
  'guide.docx': word,
  'review.pptx': slides,
  'orders.xlsx': sheet,
  'mail.eml': mail(
    attachment('note.txt', 'text/plain', Buffer.from('Zone blue is free.')) +
      attachment('guide.docx', types.docx, docx()) +
      attachment('plan.bin', 'application/octet-stream', Buffer.from([0, 1, 2, 255])) +
      attachment('older.eml', types.eml, nested),
  ),
  'heron.png': png,

  'damaged/binary.txt': Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 7919) % 256)),
  'damaged/quote.csv': 'a,b\n1,"never closed\n2,3\n',
  'damaged/cut.json': '{"item": "Desk',
  'damaged/wrong.jsonl': '{"item": 1}\n{"item":\n',
  'damaged/open.xml': '<order><item></order>',
  'damaged/cut.pdf': Buffer.concat([report.subarray(0, 60), Buffer.from('\n%%EOF')]),
  'damaged/locked.pdf': locked,
  'damaged/cut.docx': half(word),
  'damaged/markup.docx': docx('</w:t>'),
  'damaged/cut.pptx': half(slides),
  'damaged/cut.xlsx': half(sheet),
  'damaged/markup.xlsx': xlsx('<row><c><v>1</row>'),
  'damaged/no.eml': 'just words\r\n',
  'damaged/cut.png': half(png),
  'damaged/unknown.bin': Buffer.from([0, 1, 2, 255]),
};

mkdirSync(join(folder, 'damaged'), { recursive: true });
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
