import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOpen, removeUrlCredentials } from '../../../lib/secrets/mask-credentials.ts';
import { withoutSecrets } from './strip-secrets.ts';

test('an address loses its credentials and keeps the rest to the letter', () => {
  const cases: [string, string][] = [
    ['https://host/path?q=1#top', 'https://host/path?q=1#top'],
    ['https://user:pass@host:8080/a@b', 'https://host:8080/a@b'],
    ['https://token@host', 'https://host'],
    ['https://u:p@ss@host/', 'https://host/'],
    ['postgres://u:p@db/x', 'postgres://db/x'],
    ['https://{{user}}:{{secret.pass}}@host/', 'https://{{user}}:{{secret.pass}}@host/'],
    ['https://host/?API-KEY=x', 'https://host/'],
    ['https://host/?api%5Fkey=x&a=%20b', 'https://host/?a=%20b'],
    ['https://host/?key=x&sig=y&code=z&accessToken=t&monkey=1', 'https://host/?monkey=1'],
    ['https://host/?token={{secret.T}}&token=', 'https://host/?token={{secret.T}}&token='],
    ['https://host/#access_token=x&state=1', 'https://host/#state=1'],
    ['/relative?password=x', '/relative'],
    ['', ''],
  ];
  for (const [url, open] of cases) assert.equal(removeUrlCredentials(url), open, url);
});

test('only a template alone, with at most a scheme before it, is no secret', () => {
  for (const value of ['', '{{x}}', '{{ secret.A_b-c }}', 'Bearer {{secret.X}}', 'basic {{x}}'])
    assert.equal(isOpen(value), true, value);
  for (const value of ['x', '{{x}}y', 'y{{x}}', '{{}}', '{{a b}}', 'Bearer x', '{{x}} {{y}}', '{x}', 'Bearer'])
    assert.equal(isOpen(value), false, value);
});

test('keeps texts for people and models', () => {
  const doc = { type: 'doc', content: [{ token: 'a word' }] };
  const settings = {
    persona: [{ text: 'https://u:p@host', definition: doc }],
    skills: [{ name: 'x', instructions: 'Ask for the password: abc' }],
    actions: [
      {
        name: 'a',
        url: '/x',
        body: null,
        input_schema: { properties: { token: { type: 'string' }, headers: { type: 'object' } }, required: ['token'] },
      },
    ],
  };
  assert.deepEqual(withoutSecrets(settings, []), { settings, places: [] });
});

test('leaving secrets out twice leaves nothing more out', () => {
  const url = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string());
  fc.assert(
    fc.property(url, (text) => removeUrlCredentials(removeUrlCredentials(text)) === removeUrlCredentials(text)),
  );
});
