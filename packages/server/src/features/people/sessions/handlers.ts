import { done } from '@atrium/contract/page.ts';
import { verifySecondFactor } from '@atrium/contract/second-factors/operations.ts';
import {
  acceptInvitation,
  changePassword,
  claimServer,
  endSession,
  getSession,
  getSignInOptions,
  joinWorkspace,
  listSessions,
  lookAtInvitation,
  requestPasswordReset,
  resetPassword,
  signIn,
  signOut,
} from '@atrium/contract/sessions/operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../../../lib/responses/session-cookie.ts';
import { handle, type Route, type RouteInput } from '../../../lib/route.ts';
import type { ProviderSignIns } from '../identities/provider-sign-in.ts';
import type { ResetRequests } from '../mails/reset-requests.ts';
import type { SignIns, StartedSession } from './sign-in.ts';

const agentOf = (input: Pick<RouteInput<undefined, undefined, undefined>, 'raw'>) =>
  input.raw().headers['user-agent'] ?? null;

/** The answer is never stored by browsers or proxies: it comes with a new session, or ends one. */
const answerWith = (body: unknown, cookie?: string) =>
  new RawAnswer(JSON.stringify(body), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(cookie !== undefined && { 'set-cookie': cookie }),
  });

export function sessionRoutes(
  signIns: SignIns,
  providers: Pick<ProviderSignIns, 'offered' | 'endSessionUrl'>,
  { isSecure, resets }: { isSecure: boolean; resets: ResetRequests },
): Route[] {
  const started = ({ token, session }: StartedSession) => {
    const seconds = Math.max(0, Math.round((Date.parse(session.expires_at) - Date.now()) / 1000));
    return answerWith(session, setSessionCookie(token, { isSecure, seconds }));
  };
  return [
    handle(getSignInOptions, async (_scope, input) => {
      const token = readSessionCookie(input.raw().headers.cookie, isSecure);
      const offered = await providers.offered();
      return answerWith({
        claimed: await signIns.isClaimed(),
        methods: offered.length ? ['password' as const, 'oidc' as const] : ['password' as const],
        providers: offered.map(({ id, name }) => ({ id, name, start_url: `/v1/auth/oidc/${id}/start` })),
        password_reset: resets.isAvailable,
        session_ended: (token && (await signIns.endReason(token))) ?? null,
      });
    }),
    handle(claimServer, async (scope, input) => started(await signIns.claim(scope, input.body, agentOf(input)))),
    handle(signIn, async (scope, input) => {
      const result = await signIns.signIn(scope, input.body, agentOf(input));
      return 'second_factor' in result ? answerWith(result) : started(result);
    }),
    handle(verifySecondFactor, async (scope, input) =>
      started(await signIns.verifySecondFactor(scope, input.body, agentOf(input))),
    ),
    handle(signOut, async (scope, { query }) => {
      const end_session_url = await providers.endSessionUrl(scope);
      await signIns.signOut(scope, query.everywhere);
      return answerWith({ ...done, end_session_url }, clearSessionCookie({ isSecure }));
    }),
    handle(getSession, (scope) => signIns.current(scope)),
    handle(listSessions, (scope) => signIns.list(scope)),
    handle(endSession, async (scope, { params }) => {
      await signIns.end(scope, params.session_id);
      return done;
    }),
    handle(changePassword, async (scope, { body }) => {
      await signIns.changePassword(scope, body.current, body.password);
      return done;
    }),
    handle(requestPasswordReset, async (scope, { body }) => {
      await resets.request(scope, body.email);
      return done;
    }),
    handle(resetPassword, async (scope, { body }) => {
      await signIns.resetPassword(scope, body.token, body.password);
      return done;
    }),
    handle(acceptInvitation, async (scope, input) =>
      started(await signIns.acceptInvitation(scope, input.body, agentOf(input))),
    ),
    handle(lookAtInvitation, (_scope, { body }) => signIns.lookAtInvitation(body.token)),
    handle(joinWorkspace, async (scope, { body }) => {
      await signIns.joinWorkspace(scope, body.token);
      return done;
    }),
  ];
}
