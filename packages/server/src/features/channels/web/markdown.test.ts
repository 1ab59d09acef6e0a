import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { cpuTime } from '../../../../test/support/cpu-time.ts';

const { document } = parseHTML('<!doctype html><html><body></body></html>');
Object.assign(globalThis, { document });
const file = join(import.meta.dirname, '../../../../assets/chat/markdown.js');
const { markdown } = (await import(pathToFileURL(file).href)) as { markdown(text: string): unknown };

/** What the page shows of a text, as HTML. */
function shown(text: string): string {
  const box = document.createElement('div');
  box.append(markdown(text) as never);
  return box.innerHTML;
}

test('the page shows paragraphs, lists, code, tables, quotes and links', () => {
  assert.equal(shown('One\ntwo\n\nthree'), '<p>One<br>two</p><p>three</p>');
  assert.equal(shown('# A\n- **b**\n- *c*'), '<h3>A</h3><ul><li><strong>b</strong></li><li><em>c</em></li></ul>');
  assert.equal(shown('3. x\n4. y'), '<ol start="3"><li>x</li><li>y</li></ol>');
  assert.match(shown('```js\na < b\n```\nafter'), /<pre tabindex="0"><code>a &lt; b<\/code><\/pre><p>after<\/p>/);
  assert.match(shown('| a | b |\n|---|---|\n| 1 | `2` |'), /<th>a<\/th>.*<td><code>2<\/code><\/td>/);
  assert.equal(shown('> said'), '<blockquote><p>said</p></blockquote>');
  const link = '<a rel="noopener noreferrer" target="_blank" href="https://x.example/?a=1">';
  assert.equal(shown('[x](https://x.example/?a=1)'), `<p>${link}x</a></p>`);
  assert.equal(shown('see https://x.example/?a=1.'), `<p>see ${link}https://x.example/?a=1</a>.</p>`);
  assert.equal(shown('“https://x.example/?a=1”'), `<p>“${link}https://x.example/?a=1</a>”</p>`);
});

test('lists stand within lists, keep their numbers over blank lines, and make room for code', () => {
  const inner = '<ul><li>b<ol start="1"><li>c</li></ol></li><li>d</li></ul>';
  assert.equal(shown('1. a\n   - b\n     1. c\n   - d\n2. e'), `<ol start="1"><li>a${inner}</li><li>e</li></ol>`);
  assert.equal(shown('1. a\n\n\t- b\n\n2. c'), '<ol start="1"><li>a<ul><li>b</li></ul></li><li>c</li></ol>');
  assert.equal(shown('- a\n  more\n1. b'), '<ul><li>a more</li></ul><ol start="1"><li>b</li></ol>');
  assert.equal(shown('  - a\n- b'), '<ul><li>a</li></ul><ul><li>b</li></ul>');
  const code = '<pre tabindex="0"><code>x\n  y</code></pre>';
  assert.equal(
    shown('1. a\n   ```sh\n   x\n     y\n   ```\n2. b'),
    `<ol start="1"><li>a</li></ol>${code}<ol start="2"><li>b</li></ol>`,
  );
  assert.equal(shown('a\n\n---\n\nb\n* * *'), '<p>a</p><hr><p>b</p><hr>');
});

test('a block of code that is still being written is shown as far as it has come', () => {
  assert.match(shown('Here:\n```\nhalf'), /<pre tabindex="0"><code>half<\/code><\/pre>/);
});

test('nothing that is said becomes an element that we do not make, or a link to a script', () => {
  const pieces = [
    '<script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '](',
    '**',
    '`',
    '```',
    '|',
    '\n',
    '- ',
    '> ',
    'https://',
    '"',
  ];
  const wild = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 30 }).map((all) => all.join('')),
  );
  const ours = new Set(
    'p br h3 h4 h5 h6 ul ol li strong em s code pre a blockquote hr div table thead tbody tr th td'.split(' '),
  );
  fc.assert(
    fc.property(wild, (text) => {
      const box = document.createElement('div');
      box.append(markdown(text) as never);
      for (const element of box.querySelectorAll('*')) {
        assert.ok(ours.has(element.localName), element.localName);
        const href = element.getAttribute('href');
        if (href !== null) assert.match(href, /^(?:https?:\/\/|mailto:)/);
      }
    }),
    { numRuns: 500 },
  );
});

test('a text that was made to take long does not', () => {
  const began = cpuTime();
  for (const piece of ['**', '*a', '[a](', '`', '~~a', '> ', '| - ', 'https://'])
    markdown(piece.repeat(20_000 / piece.length));
  assert.ok(cpuTime() - began < 5000, `${cpuTime() - began} ms`);
});
