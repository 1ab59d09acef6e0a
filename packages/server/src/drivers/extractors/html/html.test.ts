import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { pieces, textOf } from '../conformance.ts';
import type { ExtractChoices } from '../driver.ts';
import { htmlExtractor } from './html.ts';

const read = async (html: string, max = 1_000_000) =>
  (await textOf(htmlExtractor.extract, html, 'text/html', max)).text;

const wide = '| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3\\|4 |';
const shown: [what: string, html: string, text: string][] = [
  ['blanks run together', '<p> a \n\t b&nbsp; <b>c</b>d </p>', 'a b cd'],
  ['blocks are lines', 'a<div>b<div>c</div></div>d<br>e', 'a\nb\nc\nd\ne'],
  ['paragraphs are apart', '<p>a<p>b</p>\n\n<p>c', 'a\n\nb\n\nc'],
  ['headings and lists are marked', '<h2>T</h2><ul><li>a<li> <b>b</b></ul>', '## T\n\n- a\n- b'],
  [
    'cells are parted',
    '<table><tr><th>a</th> <th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['wide cells keep the others in their columns', '<table><tr><td colspan=2>a<td>b<tr><td>1<td>2<td>3|4', wide],
  ['a table that arranges the page is none', '<table><tr><td><h1>a</h1><td><p>b</table>c', '# a\n\nb\n\nc'],
  ['nor is one of a single column', '<table><tr><td>a<tr><td>b</table>', 'a\nb'],
  ['preformatted text is kept', '<pre>a\n  b  c\n</pre>d', 'a\n  b  c\n\nd'],
  ['scripts and styles are not text', 'a<script>if (1<2) "</p>"</script><style>b{}</style>c', 'ac'],
  ['nor what is hidden from readers', 'a<noscript><p>x</p></noscript><template>y</template><!-- z --><?p?>b', 'ab'],
  ['a script in capitals ends too', '<SCRIPT SRC="x">1</ScRiPt >a', 'a'],
  ['a closing tag in a script is not its end', '<script>"</scripty>"</script>a', 'a'],
  ['the title is text', '<head><title>A &amp; B</title><meta x="<p>"></head><body>c', 'A & B\n\nc'],
  ['quoted attributes may hold anything', '<a href="x>y" title=\'<p>\' b = "z>">t</a>', 't'],
  ['quotes outside of values mean nothing', '<p "a>b" c>d', 'b" c>d'],
  ['a bare < is text', '1 < 2 <3 a<b>c</b> <', '1 < 2 <3 ac <'],
  [
    'references are characters',
    '&lt;b&gt; &#65;&#x42;&eacute;&hellip; &euro &unknown; &amp;lt; AT&T',
    '<b> ABé… € &unknown; &lt; AT&T',
  ],
  ['impossible characters are marked', '&#0;&#xD800;&#x110000;&#9999999;', '����'],
  ['an unfinished tag is not text', 'a<b', 'a'],
  ['an unfinished comment hides the rest', 'a<!-- b', 'a'],
  ['an unfinished script hides the rest', 'a<script>b', 'a'],
  ['stray closing tags do nothing', '</p></div></script>a</b>', 'a'],
];
test('reads a page as a browser shows it', async () => {
  for (const [what, html, text] of shown) assert.equal(await read(html), text, `${what}: ${html}`);
});

test('hostile pages take time that grows with their length alone', async () => {
  const units = [
    '<',
    '<a',
    '<a "',
    '<a b="',
    '<a b=\'"',
    '<!--',
    '<!',
    '</',
    '</script',
    '<script>',
    '<script></script',
    '&',
    '&#',
    '&a',
    '<a =',
    '<a = ',
    '<pre>',
    '<title>',
    '<p>',
    '  ',
    '<pre>  ',
    '<li>',
    '</td>',
    'a\n',
    '<![CDATA[',
    '<?',
    '=',
    '"',
    '<b></b>',
    '-->',
    '<svg><style>',
  ];
  for (const unit of units) {
    const time = async (length: number) => {
      const html = unit.repeat(Math.ceil(length / unit.length));
      const began = cpuTime();
      await read(html);
      return cpuTime() - began;
    };
    await time(50_000);
    const took = await time(2_000_000);
    // Quadratic, it would be minutes.
    assert.ok(took < 4000, `${JSON.stringify(unit)} took ${Math.round(took)} ms`);
  }
});

test('a large page is read no further than its text is wanted', async () => {
  const { text, warnings } = await textOf(htmlExtractor.extract, '<p>word</p>'.repeat(500_000), 'text/html', 1000);
  assert.ok(text.length <= 1000 && text.startsWith('word\n\nword'));
  assert.equal(warnings.length, 1);
});

const choices: [what: string, html: NonNullable<ExtractChoices['html']>, text: string][] = [
  ['as it is', {}, 'a\n\n# b\n\nc\n\n- d\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |'],
  ['without marks', { markdown: false }, 'a\n\nb\n\nc\n\nd\n\n1\t2\n3\t4'],
  ['without tables', { tables: false }, 'a\n\n# b\n\nc\n\n- d'],
  ['with links', { text_only: false, tables: false }, 'a\n\n# b\n\n[c](/x?a&b)\n\n- d'],
  ['with links and without marks', { text_only: false, tables: false, markdown: false }, 'a\n\nb\n\nc (/x?a&b)\n\nd'],
  ['with images', { images: true, tables: false }, 'a\n\n# b\n\nc ![e "f"]()\n\n- d'],
];
const page =
  '<p>a<h1>b</h1><p><a href="/x?a&amp;b">c</a><img alt="e &quot;f&quot;" src=g.png><ul><li>d</ul>' +
  '<table><tr><td>1<td>2<tr><td>3<td>4</table>';
for (const [what, html, text] of choices)
  test(`a page is read ${what}`, async () => {
    const options = { filename: '', content_type: 'text/html', max_chars: 1000, signal: AbortSignal.timeout(5000) };
    assert.equal((await htmlExtractor.extract(pieces(page), { ...options, html })).text, text);
  });
