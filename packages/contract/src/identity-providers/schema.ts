import * as z from 'zod';
import { createdAt, etag, updatedAt } from '../fields.ts';
import * as s from '../schema/schema.ts';
import { code as secondFactorCodeText } from '../second-factors/schema.ts';

const texts = {
  name: 'The name on the sign-in page; unique in the organization.',
  issuer: 'The issuer, exactly as the provider names itself; `/.well-known/openid-configuration` is read below it.',
  client_id: 'The id of Atrium at the provider.',
  scope: 'What is asked for, with spaces between; `openid` is needed.',
  enabled: 'Whether people can sign in with it. Switching it off ends the sessions that were started with it.',
  create_accounts: 'Whether a person without an account gets one at the first sign-in.',
  allowed_domains: 'Accounts are created only for mail addresses of these domains. Empty: of any.',
  email_verified_required:
    'Whether an account is created only if the provider says that the mail address is verified (`email_verified`). False takes addresses of which it says nothing; one that it calls not verified is always refused.',
  mappings:
    'The memberships that claims give, set anew at every sign-in. The first entry that fits decides in each workspace. Memberships made by hand stay as they are.',
  default_membership: 'The membership of accounts that this provider creates, in a workspace where no claim gives one.',
};

const answeredMembership = {
  group_id: z.guid().describe('The workspace.'),
  role_id: z.guid().describe('The role in it.'),
};

export const identityProvider = z
  .strictObject({
    id: z.guid().describe('The id of the identity provider.'),
    name: z.string().describe(texts.name),
    issuer: z.string().describe(texts.issuer),
    client_id: z.string().describe(texts.client_id),
    client_secret: z.literal('********').nullable().describe('Masked; null for a public client.'),
    scope: z.string().describe(texts.scope),
    enabled: z.boolean().describe(texts.enabled),
    create_accounts: z.boolean().describe(texts.create_accounts),
    allowed_domains: z.array(z.string()).describe(texts.allowed_domains),
    email_verified_required: z.boolean().describe(texts.email_verified_required),
    mappings: z
      .array(
        z.strictObject({
          claim: z.string().describe('The name of the claim.'),
          value: z.string().describe('The value that it is or contains.'),
          ...answeredMembership,
        }),
      )
      .describe(texts.mappings),
    default_membership: z.strictObject(answeredMembership).nullable().describe(texts.default_membership),
    redirect_uri: z.string().describe('The redirect address to register at the provider.'),
    post_logout_redirect_uri: z.string().describe('The address after a log-out, to register at the provider.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'IdentityProvider' });

const membership = {
  group_id: s.uuid('workspace').describe('The workspace.'),
  role_id: s.uuid('role').describe('A workspace role; the caller must hold all of it.'),
};
const mapping = s.object({
  claim: s
    .str({ min: 1, max: 200 })
    .describe('The name of the claim, such as `groups`; dots lead into objects (`realm_access.roles`).'),
  value: s.str({ min: 1, max: 500 }).describe('The value that the claim is, or that its list contains.'),
  ...membership,
});
const fields = {
  name: s.str({ min: 1, max: 100 }),
  issuer: s.str({ max: 500, pattern: /^https?:\/\/[^\s@?#\\]+$/ }),
  client_id: s.str({ min: 1, max: 500 }),
  client_secret: s.str({ min: 1, max: 2000, secret: true }),
  scope: s.str({ max: 500, pattern: /^(?:[!#-[\]-~]+ )*openid(?: [!#-[\]-~]+)*$/ }),
  allowed_domains: s.list(s.str({ max: 253, pattern: /^[^\s@]+$/ }), { max: 100 }),
  mappings: s.list(mapping, { max: 500 }),
};
const secretText = 'The secret of Atrium at the provider; stored sealed and never answered. None: a public client.';

export const identityProviderCreate = s
  .object({
    name: fields.name.describe(texts.name),
    issuer: fields.issuer.describe(texts.issuer),
    client_id: fields.client_id.describe(texts.client_id),
    client_secret: s.optional(fields.client_secret).describe(secretText),
    scope: s.withDefault(fields.scope, 'openid email profile').describe(texts.scope),
    enabled: s.withDefault(s.bool(), true).describe(texts.enabled),
    create_accounts: s.withDefault(s.bool(), false).describe(texts.create_accounts),
    allowed_domains: s.withDefault(fields.allowed_domains, []).describe(texts.allowed_domains),
    email_verified_required: s.withDefault(s.bool(), true).describe(texts.email_verified_required),
    mappings: s.withDefault(fields.mappings, []).describe(texts.mappings),
    default_membership: s.optional(s.object(membership)).describe(texts.default_membership),
  })
  .meta({ id: 'IdentityProviderCreate' });

export const identityProviderPatch = s
  .object({
    name: s.optional(fields.name).describe(texts.name),
    issuer: s
      .optional(fields.issuer)
      .describe(`${texts.issuer} Another issuer needs the secret again; people are strangers to it until they link.`),
    client_id: s.optional(fields.client_id).describe(texts.client_id),
    client_secret: s.optional(fields.client_secret).describe(`${secretText} The mask of an answer leaves it as it is.`),
    scope: s.optional(fields.scope).describe(texts.scope),
    enabled: s.optional(s.bool()).describe(texts.enabled),
    create_accounts: s.optional(s.bool()).describe(texts.create_accounts),
    allowed_domains: s.optional(fields.allowed_domains).describe(texts.allowed_domains),
    email_verified_required: s.optional(s.bool()).describe(texts.email_verified_required),
    mappings: s
      .optional(fields.mappings)
      .describe(`${texts.mappings} Memberships that no entry gives any more end at once, and their people's sessions.`),
    default_membership: s.optional(s.object(membership)).describe(texts.default_membership),
    remove_default_membership: s
      .withDefault(s.bool(), false)
      .describe('True: accounts that this provider creates get no membership besides those of claims.'),
  })
  .meta({ id: 'IdentityProviderPatch' });

export const identityProviderParams = s.object({
  identity_provider_id: s.uuid('identity_provider').describe('The id of the identity provider.'),
});

export const identityProviderTest = z
  .strictObject({
    success: z.boolean().describe('Whether the provider was found and fits.'),
    message: z.string().describe('The result in words.'),
    authorization_endpoint: z.string().nullable().describe('Where people sign in; null when it was not found.'),
    end_session_endpoint: z.string().nullable().describe('Where people sign out; null where the provider has none.'),
  })
  .meta({ id: 'IdentityProviderTest' });

const return_to = s
  .str({ max: 2000, pattern: /^\/(?![/\\])[!-[\]-~]*$/ })
  .describe('The path of this server that the browser goes to in the end, such as `/agents`.');
export const startSignInQuery = s.query({ return_to: s.withDefault(return_to, '/') });
const parameter = (text: string) => s.optional(s.str({ max: 4000 })).describe(text);
export const finishSignInQuery = s.query({
  state: parameter('The value that the sign-in was started with.'),
  code: parameter('The code that the provider issued.'),
  iss: parameter('The provider that answers.'),
  error: parameter('Why the provider refuses.'),
  error_description: parameter('The same in words; it is not shown.'),
});

export const identity = z
  .strictObject({
    id: z.guid().describe('The id of the identity.'),
    identity_provider_id: z.guid().describe('The identity provider.'),
    provider_name: z.string().describe('Its name.'),
    issuer: z.string().describe('The issuer that vouches for the person.'),
    subject: z.string().describe('Who the person is there.'),
    email: z.string().nullable().describe('The mail address there at the last sign-in, for display.'),
    last_sign_in_at: z.iso.datetime().nullable().describe('When the person last signed in with it. Null: not yet.'),
    created_at: createdAt,
  })
  .meta({ id: 'Identity' });

export const identityLink = s
  .object({
    identity_provider_id: s.uuid('identity_provider').describe('The identity provider to sign in at.'),
    password: s
      .optional(s.str({ min: 1, max: 200, secret: true }))
      .describe('The password of the account; needed where it has one.'),
    code: s.optional(secondFactorCodeText).describe('A code of the second factor; needed where the account has one.'),
    return_to: s.withDefault(return_to, '/'),
  })
  .meta({ id: 'IdentityLink' });
export const identityLinkStarted = z
  .strictObject({ authorization_url: z.string().describe('The address to send this browser to, within ten minutes.') })
  .meta({ id: 'IdentityLinkStarted' });
export const identityParams = s.object({ identity_id: s.uuid('identity').describe('The id of the identity.') });

export type IdentityProvider = z.output<typeof identityProvider>;
export type IdentityProviderCreate = z.output<typeof identityProviderCreate>;
export type IdentityProviderPatch = z.output<typeof identityProviderPatch>;
export type IdentityProviderTest = z.output<typeof identityProviderTest>;
export type FinishSignInQuery = z.output<typeof finishSignInQuery>;
export type IdentityLink = z.output<typeof identityLink>;
export type Identity = z.output<typeof identity>;
