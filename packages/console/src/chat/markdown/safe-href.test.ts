import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeHref } from './safe-href.ts';

const of = (href: string) => safeHref(href, 'https://atrium.example');

test('follows web addresses, mail and own paths', () => {
  assert.deepEqual(of('https://a.example/x?y=1#z'), { href: 'https://a.example/x?y=1#z', own: false });
  assert.deepEqual(of('mailto:ines@a.example'), { href: 'mailto:ines@a.example', own: false });
  assert.deepEqual(of('/w/1/chat'), { href: '/w/1/chat', own: true });
  assert.deepEqual(of('https://atrium.example/w/1'), { href: '/w/1', own: true });
});

test('follows nothing that runs or reads', () => {
  for (const href of [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:alert(1)'],
    ...['data:text/html,<script>1</script>', 'vbscript:x', 'file:///etc/passwd', 'blob:https://atrium.example/1'],
    ...['relative/path', '#place', 'store://f1'],
  ])
    assert.equal(of(href), undefined, href);
});

test('takes an address without a protocol for another host, not for a path of ours', () => {
  assert.deepEqual(of('//evil.example/x'), { href: 'https://evil.example/x', own: false });
  assert.deepEqual(of('/\\evil.example/x'), { href: 'https://evil.example/x', own: false });
});
