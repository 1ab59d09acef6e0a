import * as openid from 'openid-client';
import { LruCache } from '../../lib/lru-cache.ts';
import type { AddressKind } from '../web/address-kind.ts';
import { type Web, WebRefused } from '../web/driver.ts';
import { type OpenId, type OpenIdClient, OpenIdFailed } from './driver.ts';
import { makeOpenIdFetch } from './guarded-fetch.ts';

/** Seconds that the clocks of provider and server may differ. */
const clockTolerance = 60;
/** How long a provider's description is used before it is read again; its keys are read anew when one is not known. */
const keepFor = 10 * 60_000;
/** Anybody can start a sign-in: a provider that does not answer is not asked by each of them. */
const failureKeptFor = 5000;

/** Secrets are sent as the provider prefers; without a preference, as every provider must take them. */
function authenticationFor(client_secret: string | null, methods: readonly string[] | undefined): openid.ClientAuth {
  if (client_secret === null) return openid.None();
  const usesPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return usesPost ? openid.ClientSecretPost(client_secret) : openid.ClientSecretBasic(client_secret);
}

/** The refusal of our own guard behind an error of the library. */
function refusalIn(error: unknown): WebRefused | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (cause instanceof WebRefused) return cause;
  return undefined;
}

/** A longer one, or one with control characters, is against OpenID Connect and can't be stored. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const subjectPattern = /^[^\0-\x1f]{1,255}$/;

/** OpenID Connect by `openid-client`. `addressKind` says which addresses the operator has listed. */
export function makeOpenId({ web, addressKind }: { web: Web; addressKind(url: string): AddressKind }): OpenId {
  const fetch = makeOpenIdFetch(web);
  const known = new LruCache<string, { found: Promise<openid.Configuration>; until: number }>({ max: 200 });

  async function read({ issuer, client_id, client_secret }: OpenIdClient): Promise<openid.Configuration> {
    const isPlain = issuer.startsWith('http:');
    if (isPlain && addressKind(issuer) !== 'allowed')
      throw new OpenIdFailed('unavailable', 'its address has no TLS, and the operator does not list its host');
    try {
      const found = await openid.discovery(new URL(issuer), client_id, undefined, openid.None(), {
        ...{ timeout: 10, [openid.customFetch]: fetch },
        execute: isPlain ? [openid.allowInsecureRequests] : [],
      });
      const server = found.serverMetadata();
      if (!server.authorization_endpoint || !server.token_endpoint || !server.jwks_uri)
        throw new OpenIdFailed('unavailable', 'its description has no authorization, token or key address');
      const config = new openid.Configuration(
        { ...server },
        client_id,
        { [openid.clockTolerance]: clockTolerance },
        authenticationFor(client_secret, server.token_endpoint_auth_methods_supported),
      );
      config.timeout = 10;
      config[openid.customFetch] = fetch;
      if (isPlain) openid.allowInsecureRequests(config);
      // Signatures of ID tokens are checked with the provider's keys although the connection is trusted.
      openid.enableNonRepudiationChecks(config);
      return config;
    } catch (error) {
      if (error instanceof OpenIdFailed) throw error;
      const why = refusalIn(error)?.message ?? 'its description can not be read, or names another issuer';
      throw new OpenIdFailed('unavailable', why, error);
    }
  }

  const nameOf = ({ issuer, client_id, client_secret }: OpenIdClient) =>
    JSON.stringify([issuer, client_id, client_secret]);

  function configure(client: OpenIdClient): Promise<openid.Configuration> {
    const name = nameOf(client);
    const cached = known.get(name);
    if (cached && Date.now() < cached.until) return cached.found;
    const entry = { found: read(client), until: Date.now() + keepFor };
    known.set(name, entry);
    entry.found.catch(() => {
      entry.until = Date.now() + failureKeptFor;
    });
    return entry.found;
  }

  return {
    async discover(client) {
      const server = (await read(client)).serverMetadata();
      return {
        authorization_endpoint: server.authorization_endpoint ?? '',
        end_session_endpoint: server.end_session_endpoint ?? null,
      };
    },

    async authorizationUrl(client, { state, nonce, code_verifier, redirect_uri, scope }) {
      const config = await configure(client);
      const url = openid.buildAuthorizationUrl(config, {
        ...{ redirect_uri, scope, state, nonce, code_challenge_method: 'S256' },
        code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
      });
      if (!/^https?:$/.test(url.protocol))
        throw new OpenIdFailed('unavailable', 'its authorization address is no web address');
      return url.href;
    },

    async exchange(client, { state, nonce, code_verifier, redirect_uri, answer }) {
      const config = await configure(client);
      const url = new URL(redirect_uri);
      for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
      try {
        const tokens = await openid.authorizationCodeGrant(config, url, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier, idTokenExpected: true },
        });
        const own = tokens.claims();
        if (!own || !tokens.id_token) throw new OpenIdFailed('refused', 'it sent no ID token');
        if (!subjectPattern.test(own.sub)) throw new OpenIdFailed('refused', 'its subject is not 1 to 255 characters');
        const more = config.serverMetadata().userinfo_endpoint
          ? await openid.fetchUserInfo(config, tokens.access_token, own.sub)
          : {};
        return { issuer: own.iss, subject: own.sub, claims: { ...more, ...own }, id_token: tokens.id_token };
      } catch (error) {
        if (error instanceof OpenIdFailed) throw error;
        const refusal = refusalIn(error);
        if (refusal) throw new OpenIdFailed('unavailable', refusal.message, error);
        throw new OpenIdFailed('refused', 'its answer was not accepted', error);
      }
    },

    async endSessionUrl(client, { id_token, redirect_uri }) {
      const config = await configure(client);
      if (!config.serverMetadata().end_session_endpoint) return null;
      return openid.buildEndSessionUrl(config, {
        post_logout_redirect_uri: redirect_uri,
        ...(id_token !== null && { id_token_hint: id_token }),
      }).href;
    },
  };
}
