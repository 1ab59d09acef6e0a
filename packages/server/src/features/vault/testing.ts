import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

interface Token {
  ttl: number;
  renewable: boolean;
  namespace: string;
}

/** Answers as HashiCorp Vault's HTTP API does, for the few paths that matter here. */
export async function startFakeVault() {
  const tokens = new Map<string, Token>();
  const roles = new Map<string, { secret_id: string; ttl: number; renewable: boolean }>();
  /** By namespace, mount and path. */
  const secrets = new Map<string, Record<string, unknown>>();
  const requests: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  let made = 0;

  const answer = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const denied = (response: ServerResponse) => answer(response, 403, { errors: ['permission denied'] });
  const issue = (token: Omit<Token, 'namespace'>, namespace: string) => {
    const id = `hvs.issued-${++made}`;
    tokens.set(id, { ...token, namespace });
    return id;
  };

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/^\/v1\//, '');
    const sent = await text(request);
    requests.push({ method: request.method ?? '', path, headers: request.headers });
    const namespace = String(request.headers['x-vault-namespace'] ?? '');
    const login = /^auth\/(.+)\/login$/.exec(path);
    if (login && request.method === 'POST') {
      const { role_id, secret_id } = JSON.parse(sent) as { role_id: string; secret_id: string };
      const role = roles.get(`${login[1]} ${role_id}`);
      if (!role || role.secret_id !== secret_id)
        return void answer(response, 400, { errors: [`invalid role or secret ID: ${secret_id}`] });
      const client_token = issue({ ttl: role.ttl, renewable: role.renewable }, namespace);
      return void answer(response, 200, {
        auth: { client_token, lease_duration: role.ttl, renewable: role.renewable, policies: ['default'] },
      });
    }
    const id = String(request.headers['x-vault-token'] ?? '');
    const token = tokens.get(id);
    if (!token || token.namespace !== namespace) return void denied(response);
    if (path === 'auth/token/lookup-self')
      return void answer(response, 200, { data: { ttl: token.ttl, renewable: token.renewable } });
    if (path === 'auth/token/renew-self' && request.method === 'POST') {
      if (!token.renewable) return void answer(response, 400, { errors: ['lease is not renewable'] });
      const auth = { client_token: id, lease_duration: token.ttl, renewable: true };
      return void answer(response, 200, { auth });
    }
    const data = secrets.get(`${namespace} ${path}`);
    if (!data) return void answer(response, 404, { errors: [] });
    answer(response, 200, { data: { data, metadata: { version: 1, deletion_time: '', destroyed: false } } });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked: (path: RegExp) => requests.filter((request) => path.test(request.path)).length,
    addToken: (id: string, { ttl = 0, renewable = false, namespace = '' } = {}) =>
      void tokens.set(id, { ttl, renewable, namespace }),
    /** Ends every token, as a restart of a vault in development does. */
    endTokens: () => tokens.clear(),
    addRole: (role_id: string, secret_id: string, { mount = 'approle', ttl = 3600, renewable = true } = {}) =>
      void roles.set(`${mount} ${role_id}`, { secret_id, ttl, renewable }),
    /** `path` with the mount before it. */
    put: (path: string, data: Record<string, unknown>, namespace = '') => {
      const [mount, ...rest] = path.split('/');
      secrets.set(`${namespace} ${mount}/data/${rest.join('/')}`, data);
    },
  };
}
