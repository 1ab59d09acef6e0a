import {
  createIdentityProvider,
  finishSignIn,
  getIdentityProvider,
  linkIdentity,
  listIdentities,
  listIdentityProviders,
  removeIdentityProvider,
  startSignIn,
  testIdentityProvider,
  unlinkIdentity,
  updateIdentityProvider,
} from '@atrium/contract/identity-providers/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { readSessionCookie, setSessionCookie } from '../../../lib/responses/session-cookie.ts';
import { handle, type Route } from '../../../lib/route.ts';
import { clearLoginCookie, readLoginCookie, setLoginCookie } from './login-cookie.ts';
import { loginSeconds, type ProviderSignIns } from './provider-sign-in.ts';
import type { IdentityProviders } from './providers.ts';

/** Sends the browser on. Such an answer is never stored: it sets cookies. */
const redirect = (status: 302 | 303, location: string, cookies: string[]) =>
  new RawAnswer(
    '',
    { ...{ location, 'cache-control': 'no-store', 'content-type': 'text/plain' }, 'set-cookie': cookies },
    status,
  );

export function identityRoutes(
  providers: IdentityProviders,
  signIns: ProviderSignIns,
  { isSecure }: { isSecure: boolean },
): Route[] {
  return [
    handle(listIdentityProviders, (scope) => providers.list(scope)),
    handle(createIdentityProvider, (scope, { body }) => providers.create(scope, body)),
    handle(getIdentityProvider, (scope, { params }) => providers.get(scope, params.identity_provider_id)),
    handle(updateIdentityProvider, (scope, { params, body }) =>
      providers.update(scope, params.identity_provider_id, body),
    ),
    handle(removeIdentityProvider, async (scope, { params }) => {
      await providers.remove(scope, params.identity_provider_id);
      return done;
    }),
    handle(testIdentityProvider, (scope, { params }) => providers.test(scope, params.identity_provider_id)),

    handle(startSignIn, async (scope, { params, query }) => {
      const { browser, address } = await signIns.start(scope, params.identity_provider_id, query.return_to);
      return redirect(302, address, [setLoginCookie(browser, { isSecure, seconds: loginSeconds })]);
    }),
    handle(finishSignIn, async (scope, { params, query, raw }) => {
      const { cookie, 'user-agent': user_agent = null } = raw().headers;
      const state = query.state ?? '';
      const { return_to, session, second_factor_token } = await signIns.finish(
        scope,
        params.identity_provider_id,
        query,
        {
          browser: readLoginCookie(cookie, state, { isSecure }),
          session_token: readSessionCookie(cookie, isSecure),
          user_agent,
        },
      );
      const seconds = session ? Math.max(0, Math.round((Date.parse(session.expires_at) - Date.now()) / 1000)) : 0;
      // In the fragment, which browsers send to no server.
      const location =
        second_factor_token === undefined
          ? return_to
          : `${return_to.replace(/#.*$/, '')}#second_factor_token=${second_factor_token}`;
      return redirect(303, location, [
        clearLoginCookie(state, { isSecure }),
        ...(session ? [setSessionCookie(session.token, { isSecure, seconds })] : []),
      ]);
    }),
    handle(listIdentities, (scope) => signIns.list(scope)),
    handle(linkIdentity, async (scope, { body }) => {
      const { browser, address } = await signIns.startLink(scope, body);
      return new RawAnswer(JSON.stringify({ authorization_url: address }), {
        ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
        'set-cookie': setLoginCookie(browser, { isSecure, seconds: loginSeconds }),
      });
    }),
    handle(unlinkIdentity, async (scope, { params }) => {
      await signIns.unlink(scope, params.identity_id);
      return done;
    }),
  ];
}
