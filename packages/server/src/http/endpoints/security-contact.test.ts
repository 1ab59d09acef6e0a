import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { loadConfig } from '../../config.ts';

const read = async (changes: object) => {
  const { app } = await testApp(changes);
  return app.server.inject({ url: '/.well-known/security.txt' });
};

test('answers security.txt with the contact and its expiry without a key, and 404 without or after them', async () => {
  const expires = '2999-12-31T00:00:00Z';
  const contacts = ['mailto:security@example.com', 'https://example.com/report'];
  const found = await read({ security_contact: { contacts, expires }, public_url: 'https://atrium.example.com' });
  assert.deepEqual([found.statusCode, found.headers['content-type']], [200, 'text/plain; charset=utf-8']);
  assert.equal(
    found.body,
    [
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      `Expires: ${expires}`,
      'Canonical: https://atrium.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  assert.equal((await read({})).statusCode, 404);
  assert.equal((await read({ security_contact: { contacts, expires: '2020-01-01T00:00:00Z' } })).statusCode, 404);
});

test('refuses to start with a contact that is no address, a time that is none, or one without the other', () => {
  const [contact, expires] = ['mailto:security@example.com', '2027-12-31T00:00:00Z'];
  const both = { ATRIUM_SECURITY_CONTACT: `${contact}, https://example.com`, ATRIUM_SECURITY_EXPIRES: expires };
  assert.deepEqual(loadConfig(both).security_contact, { contacts: [contact, 'https://example.com'], expires });
  assert.equal(loadConfig({}).security_contact, undefined);
  for (const wrong of ['security@example.com', 'http://example.com', 'mailto:a@b\nExpires: never', ','])
    assert.throws(() => loadConfig({ ...both, ATRIUM_SECURITY_CONTACT: wrong }), /ATRIUM_SECURITY_CONTACT must/, wrong);
  assert.throws(() => loadConfig({ ...both, ATRIUM_SECURITY_EXPIRES: 'soon' }), /ATRIUM_SECURITY_EXPIRES must/);
  assert.throws(() => loadConfig({ ATRIUM_SECURITY_CONTACT: contact }), /belong together/);
  assert.throws(() => loadConfig({ ATRIUM_SECURITY_EXPIRES: expires }), /belong together/);
});
