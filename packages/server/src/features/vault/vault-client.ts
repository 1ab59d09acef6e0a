import { text } from 'node:stream/consumers';
import { explainRefusal, type Web, WebRefused } from '../../drivers/web/driver.ts';
import { required } from '../../lib/required.ts';

/** The address of a vault and the login of Atrium there. */
export interface VaultAccess {
  address: string;
  namespace: string | null;
  mount: string;
  auth_method: 'token' | 'approle';
  auth_mount: string;
  role_id: string | null;
  token: string | null;
  secret_id: string | null;
}

/** Why a vault refused, in our own words: the vault's answer may hold secrets. */
export class VaultError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

/** A token, and for how many seconds it is good; zero: without end. */
export interface Lease {
  token: string;
  seconds: number;
  renewable: boolean;
}

interface Auth {
  client_token?: unknown;
  lease_duration?: unknown;
  renewable?: unknown;
}
interface Answer {
  auth?: Auth | null;
  data?: { data?: Record<string, unknown> | null; ttl?: unknown; renewable?: unknown } | null;
}

const reasons: Record<number, string> = {
  400: 'the vault did not take the request; its role or secret id may be wrong',
  403: 'the vault refused permission; the token may have ended, or its policy does not cover this path',
  404: 'there is nothing at this path of the vault',
  429: 'the vault is on standby or has had too many requests',
  503: 'the vault is sealed or not available',
};

const inPath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const secondsOf = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

export interface VaultClient {
  login(access: VaultAccess, signal?: AbortSignal): Promise<Lease>;
  renew(access: VaultAccess, token: string): Promise<Lease>;
  read(access: VaultAccess, token: string, path: string): Promise<Record<string, unknown>>;
}

/** HashiCorp Vault's HTTP API, as far as it is needed: logging in, keeping a token alive, reading key/value version 2. */
export function makeVaultClient(web: Web): VaultClient {
  async function ask(
    access: VaultAccess,
    path: string,
    { token, body, signal }: { token?: string; body?: object; signal?: AbortSignal | undefined },
  ): Promise<Answer> {
    const headers = {
      'x-vault-request': 'true',
      ...(token !== undefined && { 'x-vault-token': token }),
      ...(access.namespace !== null && { 'x-vault-namespace': access.namespace }),
      ...(body && { 'content-type': 'application/json' }),
    };
    try {
      const answer = await web.fetch(`${access.address.replace(/\/+$/, '')}/v1/${path}`, {
        ...(body && { method: 'POST' as const, body: JSON.stringify(body) }),
        ...(signal && { signal }),
        headers,
        max_bytes: 1024 * 1024,
        timeout_ms: 10_000,
      });
      const said = await text(answer.body);
      if (answer.status !== 200)
        throw new VaultError(reasons[answer.status] ?? `the vault answered ${answer.status}`, answer.status);
      return JSON.parse(said) as Answer;
    } catch (error) {
      if (error instanceof VaultError || signal?.aborted) throw error;
      if (error instanceof WebRefused)
        throw new VaultError(`the vault could not be reached: ${explainRefusal(error, 'members')}`);
      throw new VaultError('the vault answered something that can not be read');
    }
  }

  function leaseOf(auth: Auth | null | undefined, token?: string): Lease {
    const given = auth?.client_token ?? token;
    if (typeof given !== 'string') throw new VaultError('the vault answered something that can not be read');
    return { token: given, seconds: secondsOf(auth?.lease_duration), renewable: auth?.renewable === true };
  }

  return {
    async login(access, signal) {
      if (access.auth_method === 'approle') {
        const body = { role_id: access.role_id, secret_id: access.secret_id ?? '' };
        const { auth } = await ask(access, `auth/${inPath(access.auth_mount)}/login`, { body, signal });
        return leaseOf(auth);
      }
      const token = access.token ?? '';
      const { data } = await ask(access, 'auth/token/lookup-self', { token, signal });
      return { token, seconds: secondsOf(data?.ttl), renewable: data?.renewable === true };
    },

    renew: async (access, token) =>
      leaseOf((await ask(access, 'auth/token/renew-self', { token, body: {} })).auth, token),

    async read(access, token, path) {
      const { data } = await ask(access, `${inPath(access.mount)}/data/${inPath(path)}`, { token });
      if (!data?.data) throw new VaultError(required(reasons[404]), 404);
      return data.data;
    },
  };
}
