import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { makeAddressKind } from '../web/address-kind.ts';
import { makeAllowList } from '../web/allow-list.ts';
import { makeGuardedWeb } from '../web/guarded-fetch.ts';
import { OpenIdFailed } from './driver.ts';
import { makeOpenId } from './openid-client.ts';

const [own, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
const now = () => Math.floor(Date.now() / 1000);

/** What the provider answers with in place of its usual answers; tests change it. */
const odd: {
  claims: Record<string, unknown>;
  key: typeof own.privateKey;
  sub: string;
  token?: string;
  metadata: Record<string, unknown>;
} = { claims: {}, key: own.privateKey, sub: 'cy', metadata: {} };
beforeEach(() => Object.assign(odd, { claims: {}, key: own.privateKey, sub: 'cy', token: undefined, metadata: {} }));

const bodyOf = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
};
const received: URLSearchParams[] = [];
/** How often the description was read. */
let described = 0;

async function answer(request: IncomingMessage): Promise<unknown> {
  switch (request.url) {
    case '/.well-known/openid-configuration':
      described++;
      return {
        ...{ issuer, jwks_uri: `${issuer}/keys`, id_token_signing_alg_values_supported: ['RS256'] },
        ...{ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ userinfo_endpoint: `${issuer}/me`, ...odd.metadata },
      };
    case '/keys':
      return { keys: [jwk] };
    case '/me':
      return { sub: odd.sub, groups: ['a'], email: 'of the user info' };
    default: {
      received.push(await bodyOf(request));
      const claims = { iss: issuer, aud: 'atrium', sub: 'cy', nonce: 'n', iat: now(), exp: now() + 300, ...odd.claims };
      const id_token =
        odd.token ?? (await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(odd.key));
      return { access_token: 'access', token_type: 'Bearer', id_token };
    }
  }
}
const server = createServer((request, response) => {
  void answer(request).then((body) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
});
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
after(() => server.close());
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const allow = ['127.0.0.1'];
const openid = makeOpenId({ web: makeGuardedWeb({ allow }), addressKind: makeAddressKind(makeAllowList(allow)) });
const client = { issuer, client_id: 'atrium', client_secret: 'secret' };
const secrets = { state: 's', nonce: 'n', code_verifier: 'v'.repeat(43), redirect_uri: 'http://127.0.0.1:8080/back' };
const exchange = (given = client) => openid.exchange(given, { ...secrets, answer: { state: 's', code: 'c' } });

test('returns the claims of the ID token and of the user info, and those of the ID token win', async () => {
  odd.claims = { email: 'of the token' };
  const { subject, claims, issuer: from } = await exchange();
  assert.deepEqual([subject, from, claims['groups'], claims['email']], ['cy', issuer, ['a'], 'of the token']);
  assert.equal(received.at(-1)?.get('code_verifier'), secrets.code_verifier);
});

test('allows clocks to differ by a minute and no more', async () => {
  for (const claims of [{ exp: now() - 45 }, { iat: now() + 45, nbf: now() + 45 }]) {
    odd.claims = claims;
    assert.equal((await exchange()).subject, 'cy', JSON.stringify(claims));
  }
  for (const claims of [{ exp: now() - 90 }, { nbf: now() + 90 }]) {
    odd.claims = claims;
    await assert.rejects(exchange(), OpenIdFailed, JSON.stringify(claims));
  }
});

test('refuses a subject that can not be stored', async () => {
  for (const sub of ['a\0b', 'a'.repeat(256), '']) {
    odd.claims = { sub };
    await assert.rejects(exchange(), OpenIdFailed, JSON.stringify(sub));
  }
});

test('refuses an ID token that is for another client, of another issuer or sign-in, or not signed by the provider', async () => {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const plain = { iss: issuer, aud: 'atrium', sub: 'cy', nonce: 'n', iat: now(), exp: now() + 300 };
  for (const change of [
    { claims: { aud: 'another' } },
    { claims: { aud: ['atrium', 'another'], azp: 'another' } },
    { claims: { iss: 'https://evil.example' } },
    { claims: { nonce: 'another' } },
    { claims: { nonce: undefined } },
    { claims: { sub: undefined } },
    { key: foreign.privateKey },
    { token: `${text({ alg: 'none' })}.${text(plain)}.` },
    { sub: 'somebody else' },
  ]) {
    Object.assign(odd, { claims: {}, key: own.privateKey, token: undefined, sub: 'cy', ...change });
    await assert.rejects(exchange(), { code: 'refused' }, JSON.stringify(change.claims ?? Object.keys(change)));
  }
});

test('refuses a description that names another issuer or lacks an address, and reads it again next time', async () => {
  for (const metadata of [{ issuer: 'https://evil.example' }, { jwks_uri: undefined }, { token_endpoint: undefined }]) {
    odd.metadata = metadata;
    await assert.rejects(openid.discover(client), { code: 'unavailable' });
  }
  odd.metadata = {};
  assert.equal((await openid.discover(client)).authorization_endpoint, `${issuer}/auth`);
});

test('sends the secret as the provider takes it, and none for a public client', async () => {
  const named = (name: string) => ({ ...client, client_id: 'atrium', client_secret: name });
  odd.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
  await exchange(named('posted'));
  assert.equal(received.at(-1)?.get('client_secret'), 'posted');
  odd.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] };
  await exchange(named('basic'));
  assert.equal(received.at(-1)?.get('client_secret'), null);
  const { subject } = await openid.exchange(
    { issuer, client_id: 'atrium', client_secret: null },
    { ...secrets, answer: { state: 's', code: 'c' } },
  );
  assert.equal(subject, 'cy');
  assert.equal(received.at(-1)?.get('client_id'), 'atrium');
});

test('asks a provider that does not answer once for many sign-ins', async () => {
  const before = described;
  odd.metadata = { issuer: 'https://evil.example' };
  const start = () => openid.authorizationUrl({ ...client, client_id: 'many' }, { ...secrets, scope: 'openid' });
  const results = await Promise.allSettled(Array.from({ length: 20 }, start));
  assert.ok(results.every(({ status }) => status === 'rejected'));
  await assert.rejects(start(), { code: 'unavailable' });
  assert.equal(described - before, 1);
});
