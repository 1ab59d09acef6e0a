import * as z from 'zod';
import { createdAt } from '../fields.ts';
import { email, newPassword, personName } from '../people/fields.ts';
import { person } from '../people/schema.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

/** Why a session is over before its person signed out. */
export const endReasons = [
  'expired',
  'rights_changed',
  'account_changed',
  'deactivated',
  'password_changed',
  'second_factor_changed',
  'ended_by_person',
  'identity_provider',
] as const;
export type EndReason = (typeof endReasons)[number];

export const signInOptions = z
  .strictObject({
    claimed: z.boolean().describe('Whether the server has its first administrator; if not, `claim` comes first.'),
    methods: z.array(z.enum(['password', 'oidc'])).describe('The ways to sign in.'),
    providers: z
      .array(
        z.strictObject({
          id: z.guid().describe('The id of the identity provider.'),
          name: z.string().describe('Its name.'),
          start_url: z.string().describe('The path that a browser begins the sign-in at.'),
        }),
      )
      .describe('The identity providers that people sign in with, by name.'),
    password_reset: z.boolean().describe('Whether a link to set a new password can be asked for by mail.'),
    session_ended: z
      .enum(endReasons)
      .nullable()
      .describe(
        'Why the session of the cookie that the request carries has ended: `expired` by time; the role or a workspace of the person changed; their mail address; the account was switched off; a new password; a change of the second factor; `ended_by_person` on another device; the identity provider. Null: it has not ended, or no reason is known.',
      ),
  })
  .meta({ id: 'SignInOptions' });

const token = s.str({ min: 1, max: 200, secret: true });
const password = s.str({ min: 1, max: 200, secret: true });

const passwordRule =
  'At least 12 characters, not easy to guess, and without the name of the person, parts of their address or the name of the product.';

export const claim = s
  .object({
    token: token.describe('The token that the program printed at its start.'),
    name: personName.describe('The name of the first administrator.'),
    email: email.describe('The mail address to sign in with.'),
    password: newPassword.describe(passwordRule),
  })
  .meta({ id: 'Claim' });

export const signIn = s
  .object({
    email: email.describe('The mail address of the account.'),
    password: password.describe('Its password.'),
  })
  .meta({ id: 'SignIn' });

export const acceptInvitation = s
  .object({
    token: token.describe('The token of the invitation.'),
    name: personName.describe('The name that others see.'),
    password: newPassword.describe(passwordRule),
  })
  .meta({ id: 'InvitationAccept' });
export const invitationToken = s
  .object({ token: token.describe('The token of the invitation.') })
  .meta({ id: 'InvitationLook' });
export const openInvitation = z
  .strictObject({
    workspace_name: z.string().describe('The workspace that it invites to.'),
    role_name: z.string().describe('The role that its person gets there.'),
    email: z.string().describe('The mail address that it is for.'),
    inviter_name: z.string().nullable().describe('The name of who invited; null when it was a key, or is not known.'),
    expires_at: z.iso.datetime().describe('When it works no more (ISO 8601, UTC).'),
  })
  .meta({ id: 'OpenInvitation' });

export const joinWorkspace = s
  .object({ token: token.describe('The token of the invitation.') })
  .meta({ id: 'InvitationJoin' });

export const passwordChange = s
  .object({
    current: password.describe('The password now.'),
    password: newPassword.describe(`The new one. ${passwordRule}`),
  })
  .meta({ id: 'PasswordChange' });
export const passwordResetRequest = s
  .object({ email: email.describe('The mail address of the account.') })
  .meta({ id: 'PasswordResetRequest' });
export const passwordReset = s
  .object({
    token: token.describe('The token of the link, mailed or made by an administrator.'),
    password: newPassword.describe(`The new password. ${passwordRule}`),
  })
  .meta({ id: 'PasswordReset' });

export const currentSession = z
  .strictObject({
    id: z.guid().describe('The id of the session.'),
    person: person.describe('Who is signed in.'),
    workspaces: z
      .array(
        z.strictObject({
          id: z.guid().describe('The id of the workspace.'),
          name: z.string().describe('Its name.'),
          permissions: z.array(z.enum(allPermissions)).describe('What the person may do there.'),
        }),
      )
      .describe('The workspaces that the person may act in, the usual one first. Others are named in X-Workspace-Id.'),
    must_enrol_second_factor: z
      .boolean()
      .describe(
        'True: the organization requires a second factor; until it is enrolled, this session can do nothing else.',
      ),
    expires_at: z.iso.datetime().describe('When the session ends in any case.'),
  })
  .meta({ id: 'CurrentSession' });

/** The answer of the first of two steps. */
export const secondFactorNeeded = z
  .strictObject({
    second_factor: z
      .strictObject({
        token: z.string().describe('The token to send with the code to `POST /v1/auth/sign-in/second-factor`, once.'),
        expires_at: z.iso.datetime().describe('When it stops working.'),
      })
      .describe('The account has a second factor: no session was started yet.'),
  })
  .meta({ id: 'SecondFactorNeeded' });

export const session = z
  .strictObject({
    id: z.guid().describe('The id of the session.'),
    current: z.boolean().describe('Whether it is the session of this request.'),
    address: z.string().nullable().describe('The network address that it was started from.'),
    user_agent: z.string().nullable().describe('The browser or program that it was started with.'),
    used_at: z.iso.datetime().describe('When it was last used, to the minute.'),
    expires_at: z.iso.datetime().describe('When it ends in any case.'),
    created_at: createdAt,
  })
  .meta({ id: 'Session' });

export const signedOut = z
  .strictObject({
    success: z.literal(true).describe('Always true; failures have an error status.'),
    end_session_url: z
      .string()
      .nullable()
      .describe('Where to send the browser to sign out at the identity provider too. Null: nowhere.'),
  })
  .meta({ id: 'SignedOut' });

export const sessionParams = s.object({ session_id: s.uuid('session').describe('The id of the session.') });
export const signOutQuery = s.query({
  everywhere: s.withDefault(s.bool(), false).describe('True ends all sessions of the person.'),
});

export type Claim = z.output<typeof claim>;
export type SignIn = z.output<typeof signIn>;
export type OpenInvitation = z.output<typeof openInvitation>;
export type CurrentSession = z.output<typeof currentSession>;
export type SecondFactorNeeded = z.output<typeof secondFactorNeeded>;
export type Session = z.output<typeof session>;
