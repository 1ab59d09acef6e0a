import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/database.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { Keyring } from '../../keyring/service.ts';
import * as store from '../store.ts';
import { type ClientAuth, requestToken, type TokenLogin, TokenRefused } from './request-token.ts';

export interface Tokens {
  opened(row: store.ServerRow): Promise<Secrets>;
  /**
   * Returns a token for the server; undefined when it needs none. `refused` is a token that the server rejected: the
   * first of several rejected requests renews it, and the rest get the same new one.
   */
  tokenOf(workspace_id: string, id: string, refused?: string): Promise<string | undefined>;
}

export const mcpSecretsPurpose = (id: string) => `mcp server ${id}`;

/** The sealed values of a server. */
export interface Secrets {
  client_secret: string | null;
  refresh_token: string | null;
  access_token?: string;
  /** How the client sends its secret; in the form unless given. */
  client_auth?: ClientAuth;
}

const notYet = 'nobody has logged in to it yet';
const runOut = 'its login has run out, and somebody has to log in again';

/** Tokens are renewed early, so that no call uses one that has just expired. */
const aheadMs = 60_000;

/**
 * How long an authorization server may take, and the longer time that other nodes leave the request to the first one.
 */
const patience = 10_000;
const claim = 2 * patience;
const lookEvery = 100;

/**
 * Gets and renews the tokens of servers. One node at a time requests a token and marks the row without locking it;
 * other nodes wait and read the new token from the row. Some servers treat a refresh token that is used twice as
 * stolen, and revoke the grant.
 */
export function makeTokens({ db, keyring, web }: { db: Database; keyring: Keyring; web: Web }): Tokens {
  const asking = new Map<string, Promise<string>>();

  const opened = async (row: store.ServerRow): Promise<Secrets> =>
    row.secrets
      ? parseStored<Secrets>(await keyring.open(row.group_id, mcpSecretsPurpose(row.id), row.secrets))
      : { client_secret: null, refresh_token: null };

  const isGood = (row: store.ServerRow) =>
    // The random part spreads renewals of tokens that were issued together.
    row.token_expires_at === null || Date.parse(row.token_expires_at) - Date.now() > aheadMs * (1 + Math.random() / 2);

  /** Builds the token request, or refuses when it can't succeed. */
  function loginOf(row: store.ServerRow, kept: Secrets): TokenLogin {
    const { grant_type, token_url, client_id, scope, url: resource } = row;
    if (!grant_type) throw new TokenRefused('it has no login any more');
    if (!token_url || !client_id) throw new TokenRefused(notYet);
    // A login by a user is renewed with its refresh token, without the user.
    if (grant_type !== 'authorization_code') return { ...kept, grant_type, token_url, client_id, scope, resource };
    if (kept.refresh_token === null) throw new TokenRefused(kept.access_token ? runOut : notYet);
    return { ...kept, grant_type: 'refresh_token', token_url, client_id, scope, resource };
  }

  /** Requests and stores a token. Undefined when the login was changed meanwhile. */
  async function asked(row: store.ServerRow, kept: Secrets, login: TokenLogin, renewal: string) {
    try {
      const token = await requestToken(web, login, AbortSignal.timeout(patience));
      const { access_token, refresh_token, expires_at } = token;
      const next: Secrets = { ...kept, refresh_token: refresh_token ?? kept.refresh_token, access_token };
      const ended = await store.endRenewal(db, row, renewal, {
        secrets: await keyring.seal(row.group_id, mcpSecretsPurpose(row.id), JSON.stringify(next)),
        token_expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
      });
      return ended ? access_token : undefined;
    } catch (error) {
      await store.dropRenewal(db, row, renewal);
      throw error;
    }
  }

  async function renewed(workspace_id: string, id: string, refused: string | undefined): Promise<string> {
    for (const end = Date.now() + claim + patience; Date.now() < end; await sleep(lookEvery)) {
      const row = await store.findServer(db, workspace_id, id);
      if (!row) break;
      const kept = await opened(row);
      if (kept.access_token && kept.access_token !== refused && isGood(row)) return kept.access_token;
      const login = loginOf(row, kept);
      const renewal = newId();
      const token = (await store.claimRenewal(db, row, renewal, claim)) && (await asked(row, kept, login, renewal));
      if (token) return token;
    }
    throw new TokenRefused('nobody could log in to it');
  }

  function once(workspace_id: string, id: string, refused: string | undefined): Promise<string> {
    const key = `${workspace_id} ${id}`;
    const running = asking.get(key) ?? renewed(workspace_id, id, refused).finally(() => asking.delete(key));
    asking.set(key, running);
    return running;
  }

  return {
    opened,

    async tokenOf(workspace_id: string, id: string, refused?: string): Promise<string | undefined> {
      const row = await store.findServer(db, workspace_id, id);
      if (!row?.grant_type) return undefined;
      const { access_token } = await opened(row);
      const other = access_token !== refused && access_token;
      if (other && isGood(row)) return other;
      try {
        return await once(workspace_id, id, refused);
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        await store.markError(db, workspace_id, id, error.message);
        // A token that is about to expire is better than none.
        const left = row.token_expires_at === null ? 0 : Date.parse(row.token_expires_at) - Date.now();
        if (other && left > 0) return other;
        throw error;
      }
    },
  };
}
