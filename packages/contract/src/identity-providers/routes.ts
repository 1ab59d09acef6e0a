/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const identityProviderRoutes = {
  'identityProviders.list': 'GET /v1/admin/identity-providers',
  'identityProviders.create': 'POST /v1/admin/identity-providers',
  'identityProviders.get': 'GET /v1/admin/identity-providers/{identity_provider_id}',
  'identityProviders.update': 'PATCH /v1/admin/identity-providers/{identity_provider_id}',
  'identityProviders.remove': 'DELETE /v1/admin/identity-providers/{identity_provider_id}',
  'identityProviders.test': 'POST /v1/admin/identity-providers/{identity_provider_id}/test',
  'identities.startSignIn': 'GET /v1/auth/oidc/{identity_provider_id}/start',
  'identities.finishSignIn': 'GET /v1/auth/oidc/{identity_provider_id}/callback',
  'identities.list': 'GET /v1/auth/identities',
  'identities.link': 'POST /v1/auth/identities',
  'identities.unlink': 'DELETE /v1/auth/identities/{identity_id}',
} as const;
