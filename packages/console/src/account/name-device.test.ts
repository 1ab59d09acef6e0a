import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameDevice } from './name-device.ts';

test('names the browser and system of a session, and nothing for other programs', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';
  assert.deepEqual(nameDevice(`${mac} Chrome/130.0 Safari/537.36 Edg/130.0`), { browser: 'Edge', system: 'macOS' });
  assert.deepEqual(nameDevice('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'), {
    ...{ browser: 'Firefox', system: 'Linux' },
  });
  assert.equal(nameDevice('curl/8.0'), undefined);
  assert.equal(nameDevice(null), undefined);
});
