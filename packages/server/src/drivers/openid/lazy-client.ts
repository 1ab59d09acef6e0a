import type { OpenId } from './driver.ts';
import type { makeOpenId } from './openid-client.ts';

/** OpenID Connect. The library is loaded with the first sign-in: it would take part of every start. */
export function makeLazyOpenId(options: Parameters<typeof makeOpenId>[0]): OpenId {
  let loading: Promise<OpenId> | undefined;
  const load = () => {
    loading ??= import('./openid-client.ts').then((library) => library.makeOpenId(options));
    return loading;
  };
  return {
    discover: async (...request) => (await load()).discover(...request),
    authorizationUrl: async (...request) => (await load()).authorizationUrl(...request),
    exchange: async (...request) => (await load()).exchange(...request),
    endSessionUrl: async (...request) => (await load()).endSessionUrl(...request),
  };
}
