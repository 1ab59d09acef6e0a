import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeNext } from './safe-next.ts';

test('keeps paths of this server', () => {
  for (const path of ['/', '/w/1/chat/2?message=3#end', '/account']) assert.equal(safeNext(path), path);
});

test('refuses every way to name another host, and pages that need no session', () => {
  for (const path of [
    ...['//evil.example', '/\\evil.example', '/\t/evil.example', '/\n/evil.example', 'https://evil.example'],
    ...['javascript:alert(1)', 'evil.example', '', '\\\\evil.example', ' //evil.example', '/.\\evil.example'],
    ...['/sign-in?next=/sign-in', '/welcome', '/reset', null, undefined, ['/'], 3],
  ])
    assert.equal(safeNext(path), undefined, String(path));
});
