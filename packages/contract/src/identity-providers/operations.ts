import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { identityProviderRoutes } from './routes.ts';
import {
  finishSignInQuery,
  identity,
  identityLink,
  identityLinkStarted,
  identityParams,
  identityProvider,
  identityProviderCreate,
  identityProviderParams,
  identityProviderPatch,
  identityProviderTest,
  startSignInQuery,
} from './schema.ts';

const tag = 'People';
const signIn = 'Sign-in';
const permission = 'org:admin';
const taken = conflicts('identity_provider_taken', 'The organization has a provider of this name or issuer.');

export const listIdentityProviders = operation({
  id: 'identityProviders.list',
  route: identityProviderRoutes['identityProviders.list'],
  summary: 'List the identity providers',
  description:
    'Returns the providers that people of the organization sign in with, by name, in one list, without pages.',
  tag,
  permission,
  answer: z.array(identityProvider),
});

export const createIdentityProvider = operation({
  id: 'identityProviders.create',
  route: identityProviderRoutes['identityProviders.create'],
  summary: 'Add an identity provider',
  description:
    'Adds an OpenID Connect provider. Register `redirect_uri` of the answer there. Private addresses, and addresses without TLS, are taken only where the operator lists the host in `ATRIUM_WEB_ALLOW`. A caller can map claims only to roles whose permissions it holds itself; no claim makes an administrator of the organization.',
  tag,
  permission,
  body: identityProviderCreate,
  example: {
    name: 'Example login',
    issuer: 'https://login.example.com',
    client_id: 'atrium',
    client_secret: 'example',
    create_accounts: true,
    allowed_domains: ['example.com'],
    mappings: [
      {
        claim: 'groups',
        value: 'editors',
        group_id: '0190a000-0000-7000-8000-000000000001',
        role_id: '0190a000-0000-7000-8000-000000000002',
      },
    ],
    default_membership: {
      group_id: '0190a000-0000-7000-8000-000000000001',
      role_id: '0190a000-0000-7000-8000-000000000002',
    },
  },
  answer: identityProvider,
  errors: [taken],
});

export const getIdentityProvider = operation({
  id: 'identityProviders.get',
  route: identityProviderRoutes['identityProviders.get'],
  summary: 'Get an identity provider',
  description: 'Returns one provider. Its secret is masked.',
  tag,
  permission,
  params: identityProviderParams,
  answer: identityProvider,
});

export const updateIdentityProvider = operation({
  id: 'identityProviders.update',
  route: identityProviderRoutes['identityProviders.update'],
  summary: 'Change an identity provider',
  description:
    'Changes the given fields. Another issuer needs the secret again. Memberships that no entry gives any more end at once with the sessions of their people; new entries hold from the next sign-in of each person.',
  tag,
  permission,
  params: identityProviderParams,
  body: identityProviderPatch,
  example: {
    mappings: [
      {
        claim: 'groups',
        value: 'editors',
        group_id: '0190a000-0000-7000-8000-000000000001',
        role_id: '0190a000-0000-7000-8000-000000000002',
      },
    ],
    default_membership: {
      group_id: '0190a000-0000-7000-8000-000000000001',
      role_id: '0190a000-0000-7000-8000-000000000002',
    },
  },
  answer: identityProvider,
  errors: [taken],
});

export const removeIdentityProvider = operation({
  id: 'identityProviders.remove',
  route: identityProviderRoutes['identityProviders.remove'],
  summary: 'Delete an identity provider',
  description:
    'Deletes the provider, the identities of people there, the memberships that its claims gave, and ends the sessions that were started with it. Accounts stay.',
  tag,
  permission,
  params: identityProviderParams,
  answer: success,
});

export const testIdentityProvider = operation({
  id: 'identityProviders.test',
  route: identityProviderRoutes['identityProviders.test'],
  summary: 'Test the discovery of an identity provider',
  description: "Reads the provider's own description anew and says whether people can be sent there.",
  tag,
  permission,
  params: identityProviderParams,
  answer: identityProviderTest,
});

const loginErrors = [
  { status: 503 as const, code: 'provider_unavailable', description: 'The provider can not be reached now.' },
];

export const startSignIn = operation({
  id: 'identities.startSignIn',
  route: identityProviderRoutes['identities.startSignIn'],
  summary: 'Start to sign in at an identity provider',
  description:
    'For browsers: redirects (302) to the provider (authorization code with PKCE, state and nonce) and sets a cookie that binds the sign-in to this browser for ten minutes. Errors are pages where the browser asks for HTML.',
  tag: signIn,
  permission: 'open',
  params: identityProviderParams,
  query: startSignInQuery,
  answer: z.string(),
  content_type: 'text/plain',
  error_page: true,
  errors: loginErrors,
});

export const finishSignIn = operation({
  id: 'identities.finishSignIn',
  route: identityProviderRoutes['identities.finishSignIn'],
  audit: true,
  summary: 'Finish to sign in at an identity provider',
  description:
    'The redirect address of the provider, for browsers. Starts a session, or links the identity, and redirects (303) to `return_to`. Accounts are found by issuer and subject alone; an account with the same mail address is not linked by itself. Works once, in the browser that started it. Where the organization asks for the second factor here too, no session is started and the path has `#second_factor_token=…`, for `POST /v1/auth/sign-in/second-factor`. Errors are pages where the browser asks for HTML; they lead to sign-in with the reason.',
  tag: signIn,
  permission: 'open',
  params: identityProviderParams,
  query: finishSignInQuery,
  answer: z.string(),
  content_type: 'text/plain',
  error_page: true,
  errors: [
    ...loginErrors,
    conflicts('login_over', 'The sign-in is not known, took too long, is over, or was started in another browser.'),
    conflicts('sign_in_first', 'The mail address has an account: sign in to it, then link this identity.'),
    conflicts('identity_taken', 'The identity belongs to another account.'),
    { status: 403, code: 'sign_in_refused', description: 'The provider, or the account, does not let the person in.' },
    { status: 403, code: 'account_refused', description: 'The provider does not create an account for this person.' },
  ],
});

export const listIdentities = operation({
  id: 'identities.list',
  route: identityProviderRoutes['identities.list'],
  summary: 'List the own identities',
  description: 'Returns who the person is at identity providers, in one list, without pages.',
  tag: signIn,
  permission: 'session',
  answer: z.array(identity),
});

export const linkIdentity = operation({
  id: 'identities.link',
  route: identityProviderRoutes['identities.link'],
  summary: 'Link an identity to the own account',
  description:
    'Starts a sign-in at the provider whose identity is then linked to the account of this session. Only this browser, in this session, can finish it. The password, and a code of the second factor, are asked for where the account has them.',
  tag: signIn,
  permission: 'session',
  body: identityLink,
  example: { identity_provider_id: '0190a000-0000-7000-8000-000000000001', password: 'a long password' },
  idempotency: 'none',
  answer: identityLinkStarted,
  errors: [
    ...loginErrors,
    refused('password_refused', 'The password is wrong or missing.'),
    refused('code_refused', 'The code is wrong, missing, was used before, or is too old.'),
  ],
});

export const unlinkIdentity = operation({
  id: 'identities.unlink',
  route: identityProviderRoutes['identities.unlink'],
  summary: 'Unlink an identity from the own account',
  description:
    'The person can not sign in with it any more; the memberships that claims of this provider gave end, and the sessions of the person. The last way to sign in stays: 409 `last_sign_in_method`.',
  tag: signIn,
  permission: 'session',
  params: identityParams,
  answer: success,
  errors: [conflicts('last_sign_in_method', 'The account has no password and no other identity.')],
});

export const identityProviderOperations = [
  ...[listIdentityProviders, createIdentityProvider, getIdentityProvider, updateIdentityProvider],
  ...[removeIdentityProvider, testIdentityProvider],
  ...[startSignIn, finishSignIn, listIdentities, linkIdentity, unlinkIdentity],
];
