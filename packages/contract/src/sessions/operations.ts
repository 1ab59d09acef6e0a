import * as z from 'zod';
import { operation } from '../operation.ts';
import { noSuch } from '../operation-errors.ts';
import { success } from '../page.ts';
import { sessionsRoutes } from './routes.ts';
import {
  acceptInvitation as acceptInvitationBody,
  claim as claimBody,
  currentSession,
  invitationToken,
  joinWorkspace as joinWorkspaceBody,
  openInvitation,
  passwordChange,
  passwordReset,
  passwordResetRequest,
  secondFactorNeeded,
  session,
  sessionParams,
  signedOut,
  signIn as signInBody,
  signInOptions,
  signOutQuery,
} from './schema.ts';

const tag = 'Sign-in';
const cookie =
  'Sets the session cookie, which scripts of a page cannot read. Requests with the cookie that change something need the Origin of this server.';

export const getSignInOptions = operation({
  id: 'sessions.options',
  route: sessionsRoutes['sessions.options'],
  summary: 'Get the ways to sign in',
  description:
    'Says whether the server has its first administrator, and how people sign in; to a browser whose session has ended also why. For a sign-in page.',
  tag,
  permission: 'open',
  answer: signInOptions,
});

export const claimServer = operation({
  id: 'sessions.claim',
  route: sessionsRoutes['sessions.claim'],
  summary: 'Make the first administrator',
  description: `Makes the account of the first administrator with the token that the program prints at its start, and signs in. The token works once; without people, each start prints a new one. ${cookie}`,
  tag,
  permission: 'open',
  body: claimBody,
  example: { token: 'atc_printed', name: 'Ada Byron', email: 'ada@example.com', password: 'a long password' },
  idempotency: 'none',
  answer: currentSession,
});

export const signIn = operation({
  id: 'sessions.signIn',
  route: sessionsRoutes['sessions.signIn'],
  summary: 'Sign in with mail address and password',
  description: `Starts a session. A wrong password, an unknown address and a deactivated account have one answer, 401 \`sign_in_refused\`. After five wrong passwords for one account from one network, further tries from there wait, longer each time (429 with Retry-After); other accounts and other networks do not. For an account with a second factor the answer has a token in place of the session; \`POST /v1/auth/sign-in/second-factor\` takes it with the code. ${cookie}`,
  tag,
  permission: 'open',
  body: signInBody,
  example: { email: 'ada@example.com', password: 'a long password' },
  idempotency: 'none',
  answer: z.union([currentSession, secondFactorNeeded]),
});

export const signOut = operation({
  id: 'sessions.signOut',
  route: sessionsRoutes['sessions.signOut'],
  summary: 'Sign out',
  description:
    'Ends the session of the request, or with `everywhere` all sessions of the person, and their streams. For a session that was started at an identity provider, the answer also says where the browser signs out there.',
  tag,
  permission: 'session',
  before_second_factor: true,
  query: signOutQuery,
  idempotency: 'none',
  answer: signedOut,
});

export const getSession = operation({
  id: 'sessions.get',
  route: sessionsRoutes['sessions.get'],
  summary: 'Get the current session',
  description: 'Returns who is signed in, and what the person may do in each of their workspaces.',
  tag,
  permission: 'session',
  before_second_factor: true,
  answer: currentSession,
});

export const listSessions = operation({
  id: 'sessions.list',
  route: sessionsRoutes['sessions.list'],
  summary: 'List the own sessions',
  description: 'Returns the sessions of the person that have not ended, newest first, in one list, without pages.',
  tag,
  permission: 'session',
  answer: z.array(session),
});

export const endSession = operation({
  id: 'sessions.end',
  route: sessionsRoutes['sessions.end'],
  summary: 'End one of the own sessions',
  description: 'Ends a session of the person on another device, or the one of the request.',
  tag,
  permission: 'session',
  params: sessionParams,
  answer: success,
});

export const changePassword = operation({
  id: 'sessions.changePassword',
  route: sessionsRoutes['sessions.changePassword'],
  summary: 'Change the own password',
  description:
    'Sets a new password and ends all other sessions of the person, who is told by mail. The current password must be given. A password that is easy to guess is 422.',
  tag,
  permission: 'session',
  body: passwordChange,
  example: { current: 'a long password', password: 'a longer password' },
  idempotency: 'none',
  answer: success,
});

export const requestPasswordReset = operation({
  id: 'sessions.requestPasswordReset',
  route: sessionsRoutes['sessions.requestPasswordReset'],
  summary: 'Ask for a link to set a new password',
  description:
    'Mails a link, valid for one hour and one use, to the address if it has an active account with a password or one that a directory made. The answer and its time are the same for every address. After five requests for one address from one network, further ones from there wait (429 with Retry-After); within five minutes one mail is sent. Where the server sends no mail: 503 `mail_not_set`.',
  tag,
  permission: 'open',
  body: passwordResetRequest,
  example: { email: 'ada@example.com' },
  idempotency: 'none',
  errors: [{ status: 503, code: 'mail_not_set', description: 'The server sends no mail.' }],
  answer: success,
});

export const resetPassword = operation({
  id: 'sessions.resetPassword',
  route: sessionsRoutes['sessions.resetPassword'],
  summary: 'Set a password with a link',
  description:
    'Sets a new password with the token of a link that was mailed or that an administrator made, and ends all sessions of the person. The token works once.',
  tag,
  permission: 'open',
  body: passwordReset,
  example: { token: 'atl_given', password: 'a longer password' },
  idempotency: 'none',
  answer: success,
});

export const lookAtInvitation = operation({
  id: 'sessions.lookAtInvitation',
  route: sessionsRoutes['sessions.lookAtInvitation'],
  summary: 'Read an invitation before it is accepted',
  description:
    'Says who invites which address to which workspace, to whom has the token of the invitation. It stays open.',
  tag,
  permission: 'open',
  audit: { none: 'it reads, and changes nothing' },
  body: invitationToken,
  example: { token: 'atl_given' },
  idempotency: 'none',
  errors: [noSuch('invitation')],
  answer: openInvitation,
});

export const acceptInvitation = operation({
  id: 'sessions.acceptInvitation',
  route: sessionsRoutes['sessions.acceptInvitation'],
  summary: 'Accept an invitation with a new account',
  description: `Makes the account for the mail address of the invitation, adds it to the workspace and signs in. Where that address has an account, the answer is 409 \`sign_in_first\`: its owner signs in and joins with \`POST /v1/auth/invitations/join\`. ${cookie}`,
  tag,
  permission: 'open',
  body: acceptInvitationBody,
  example: { token: 'atl_given', name: 'Ada Byron', password: 'a long password' },
  idempotency: 'none',
  answer: currentSession,
});

export const joinWorkspace = operation({
  id: 'sessions.joinWorkspace',
  route: sessionsRoutes['sessions.joinWorkspace'],
  summary: 'Accept an invitation as the person signed in',
  description:
    'Adds the person to the workspace of the invitation. The invitation must be for the mail address of the person; another one is answered with 404.',
  tag,
  permission: 'session',
  body: joinWorkspaceBody,
  example: { token: 'atl_given' },
  idempotency: 'none',
  answer: success,
});

export const sessionsOperations = [
  ...[getSignInOptions, claimServer, signIn, signOut, getSession, listSessions, endSession],
  ...[changePassword, requestPasswordReset, resetPassword],
  ...[lookAtInvitation, acceptInvitation, joinWorkspace],
];
