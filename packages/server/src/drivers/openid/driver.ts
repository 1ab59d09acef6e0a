/** How Atrium is registered at an OpenID Connect provider. */
export interface OpenIdClient {
  issuer: string;
  client_id: string;
  /** Null: a public client. */
  client_secret: string | null;
}

/** The values of one sign-in that must come back unchanged. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  code_verifier: string;
}

/** Who the provider says that the person is. */
export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  /** Of the ID token and of the user info endpoint; the ID token's win. */
  claims: Readonly<Record<string, unknown>>;
  id_token: string;
}

export interface DiscoveredProvider {
  authorization_endpoint: string;
  end_session_endpoint: string | null;
}

/** The OpenID Connect protocol: the authorization code flow with PKCE. Fails with OpenIdFailed. */
export interface OpenId {
  /** Reads the provider's description, not from the cache. */
  discover(client: OpenIdClient): Promise<DiscoveredProvider>;
  authorizationUrl(
    client: OpenIdClient,
    request: SignInSecrets & { redirect_uri: string; scope: string },
  ): Promise<string>;
  /** Exchanges the code of an answer; `answer` are the query parameters that the browser came back with. */
  exchange(
    client: OpenIdClient,
    request: SignInSecrets & { redirect_uri: string; answer: Readonly<Record<string, string>> },
  ): Promise<VerifiedIdentity>;
  /** Where a browser signs out at the provider; null where the provider has no such address. */
  endSessionUrl(
    client: OpenIdClient,
    request: { id_token: string | null; redirect_uri: string },
  ): Promise<string | null>;
}

/** `unavailable`: the provider can not be reached or does not fit; `refused`: its answer is not to be trusted. */
export class OpenIdFailed extends Error {
  readonly code: 'unavailable' | 'refused';

  constructor(code: OpenIdFailed['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
