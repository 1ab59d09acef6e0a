import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';

const mailOf = (ATRIUM_SMTP_URL: string, more: Record<string, string> = {}) =>
  loadConfig({
    ...{ ATRIUM_SMTP_URL, ATRIUM_MAIL_FROM: 'Atrium Mail <no-reply@example.com>' },
    ...{ ATRIUM_PUBLIC_URL: 'https://atrium.example/', ...more },
  }).mail;

test('reads mail servers and senders from the environment', () => {
  assert.deepEqual(mailOf('smtp://ada:p%40ss@mail.example'), {
    server: { host: 'mail.example', port: 587, tls: 'starttls', username: 'ada', password: 'p@ss' },
    from: { name: 'Atrium Mail', address: 'no-reply@example.com' },
    public_url: 'https://atrium.example',
  });
  const secure = mailOf('smtps://mail.example', { ATRIUM_MAIL_FROM: 'no-reply@example.com' });
  assert.deepEqual([secure?.server.port, secure?.server.tls, secure?.server.username], [465, 'tls', null]);
  assert.deepEqual(secure?.from, { name: 'Atrium', address: 'no-reply@example.com' });
  const plain = mailOf('smtp://[::1]:2525?tls=none')?.server;
  assert.deepEqual([plain?.host, plain?.port, plain?.tls], ['::1', 2525, 'none']);
});

test('sends no mail unless the server, the sender and the public address are set', () => {
  assert.equal(loadConfig({}).mail, undefined);
  assert.equal(mailOf('smtp://mail.example', { ATRIUM_PUBLIC_URL: '' }), undefined);
  assert.equal(mailOf('smtp://mail.example', { ATRIUM_MAIL_FROM: '' }), undefined);
});

test('refuses addresses of mail servers that it can not read, without showing them', () => {
  for (const url of [
    'mail.example',
    'http://a:hidden@mail.example',
    'smtp://a:hidden@mail.example/x',
    'smtps://a:hidden@x?tls=none',
  ])
    assert.throws(
      () => mailOf(url),
      (error: Error) => /ATRIUM_SMTP_URL must be/.test(error.message) && !/hidden/.test(error.message),
    );
  for (const from of ['nobody', 'A <b>', 'A\nB <a@b.example>'])
    assert.throws(() => mailOf('smtp://mail.example', { ATRIUM_MAIL_FROM: from }), /ATRIUM_MAIL_FROM must be/);
});
