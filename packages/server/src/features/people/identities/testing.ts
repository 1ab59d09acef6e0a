import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import Provider, { type Configuration } from 'oidc-provider';
import type { Answer, TestApp } from '../../../../test/support/test-app.ts';

/** The claims of an account at a provider, as a test sets them. */
export type Claims = Record<string, unknown>;

const home = 'http://127.0.0.1:8080';

/** A real OpenID Connect provider on loopback, added to the server by its API. */
export async function startProvider(
  { call }: Pick<TestApp, 'call'>,
  fields: Record<string, unknown> = {},
  more: Configuration = {},
) {
  const accounts = new Map<string, Claims>();
  let handler: ReturnType<Provider['callback']> | undefined;
  const server = createServer((request, response) => void handler?.(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const stop = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  after(() => server.listening && stop());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = await call('POST', '/v1/admin/identity-providers', {
    ...{ name: randomUUID(), issuer, client_id: 'atrium', client_secret: 'a secret of the client' },
    ...{ scope: 'openid email profile groups', ...fields },
  });
  assert.equal(made.status, 200, made.text);
  // Its warnings about development settings are of no use in a report of tests.
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: 'atrium', client_secret: 'a secret of the client' },
        redirect_uris: [made.json.redirect_uri],
        post_logout_redirect_uris: [made.json.post_logout_redirect_uri],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups', 'realm'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
    cookies: { keys: ['keys of a test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
    ...more,
  });
  handler = provider.callback();
  Object.assign(console, { info, warn });
  return { id: made.json.id as string, issuer, accounts, stop, provider: made.json };
}
export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

/** A browser: it keeps cookies, follows redirects at a provider and fills in its pages. */
export function aBrowser({ app }: Pick<TestApp, 'app'>) {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const cookies = (origin: string) => [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  const keep = (origin: string, lines: readonly string[]) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jarOf(origin).delete(name);
      else jarOf(origin).set(name, value);
    }
  };

  /** Opens a page of the server, as a navigation does. */
  async function open(url: string, headers: Record<string, string> = {}) {
    const { pathname, search } = new URL(url, home);
    const answer = await app.server.inject({ url: pathname + search, headers: { cookie: cookies(home), ...headers } });
    keep(home, [answer.headers['set-cookie'] ?? []].flat());
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const location = String(answer.headers.location ?? '');
    return { status: answer.statusCode, location, json: isJson ? answer.json() : undefined, text: answer.payload };
  }

  /** Signs in at the provider; answers the address of the server that the provider sends the browser to. */
  async function goThrough(address: string, login: string): Promise<string> {
    let [url, form]: [string, string | undefined] = [address, undefined];
    for (let hops = 0; hops < 15; hops++) {
      const { origin } = new URL(url);
      const answer = await fetch(url, {
        ...{ method: form === undefined ? 'GET' : 'POST', redirect: 'manual' as const },
        headers: {
          cookie: cookies(origin),
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { body: form }),
      });
      keep(origin, answer.headers.getSetCookie());
      const text = await answer.text();
      form = undefined;
      const location = answer.headers.get('location');
      if (location?.startsWith(home)) return location;
      if (location) {
        url = new URL(location, url).href;
        continue;
      }
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      assert.ok(action && prompt, `${answer.status} ${text}`);
      url = new URL(action, url).href;
      form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }).toString();
    }
    throw new Error('The provider sends the browser on for ever');
  }

  return {
    open,
    goThrough,
    cookies: () => cookies(home),
    /** Takes the cookies of an answer that a script of the page got. */
    keep: ({ headers }: Pick<Answer, 'headers'>) => keep(home, [headers['set-cookie'] ?? []].flat().map(String)),
    forget: (origin: string) => jars.delete(origin),
    /** A whole sign-in; answers what the server says when the browser comes back. */
    async signIn({ id, issuer }: Pick<TestProvider, 'id' | 'issuer'>, login: string, return_to = '/done') {
      jars.delete(issuer);
      const started = await open(`/v1/auth/oidc/${id}/start?return_to=${encodeURIComponent(return_to)}`);
      assert.equal(started.status, 302, started.text);
      return open(await goThrough(started.location, login));
    },
  };
}
