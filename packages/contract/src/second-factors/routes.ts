/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const secondFactorRoutes = {
  'secondFactors.get': 'GET /v1/auth/second-factor',
  'secondFactors.enrol': 'POST /v1/auth/second-factor',
  'secondFactors.confirm': 'POST /v1/auth/second-factor/confirm',
  'secondFactors.renewRecoveryCodes': 'POST /v1/auth/second-factor/recovery-codes',
  'secondFactors.disable': 'POST /v1/auth/second-factor/disable',
  'secondFactors.verify': 'POST /v1/auth/sign-in/second-factor',
  'secondFactors.remove': 'DELETE /v1/admin/users/{person_id}/second-factor',
  'signInPolicy.get': 'GET /v1/admin/sign-in-policy',
  'signInPolicy.update': 'PATCH /v1/admin/sign-in-policy',
} as const;
