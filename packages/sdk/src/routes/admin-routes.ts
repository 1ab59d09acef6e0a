/** Workspaces, people, keys, sign-in and the system. */
export const adminRoutes = {
  audit: [
    '/v1/admin/audit',
    {
      list: 'GET',
      export: 'GET /',
      verify: 'GET /',
    },
  ],
  evaluationMarks: [
    '/v1/evaluations/{}/runs/{}/results/{}/mark',
    {
      set: 'PUT',
      delete: 'DELETE',
    },
  ],
  publishGates: [
    '/v1/agents/{}/publish-gate',
    {
      get: 'GET',
      set: 'PUT',
      remove: 'DELETE',
    },
  ],
  identityProviders: [
    '/v1/admin/identity-providers',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      remove: 'DELETE /{}',
      test: 'POST /{}/',
    },
  ],
  identities: [
    '/v1/auth/identities',
    {
      startSignIn: 'GET /v1/auth/oidc/{}/start',
      finishSignIn: 'GET /v1/auth/oidc/{}/callback',
      list: 'GET',
      link: 'POST',
      unlink: 'DELETE /{}',
    },
  ],
  keys: [
    '/v1/admin/groups/{}/api-keys',
    {
      getOwn: 'GET /v1/admin/me',
      list: 'GET',
      listAll: 'GET /v1/admin/api-keys',
      create: 'POST',
      update: 'PATCH /{}',
      revoke: 'DELETE /{}',
      rotate: 'POST /{}/',
    },
  ],
  serviceAccounts: [
    '/v1/admin/groups/{}/service-accounts',
    {
      list: 'GET',
      create: 'POST',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
    },
  ],
  people: [
    '/v1/admin/users',
    {
      list: 'GET',
      get: 'GET /{}',
      update: 'PATCH /{}',
      updateOwn: 'PATCH /v1/auth/account',
      makeResetLink: 'POST /{}/password-reset',
    },
  ],
  members: [
    '/v1/admin/groups/{}/members',
    {
      list: 'GET',
      set: 'PUT /{}',
      remove: 'DELETE /{}',
    },
  ],
  invitations: [
    '/v1/admin/groups/{}/invitations',
    {
      list: 'GET',
      create: 'POST',
      revoke: 'DELETE /{}',
    },
  ],
  userGroups: [
    '/v1/admin/user-groups',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      listMembers: 'GET /{}/members',
      addMember: 'PUT /{}/members/{}',
      removeMember: 'DELETE /{}/members/{}',
    },
  ],
  memberGroups: [
    '/v1/admin/groups/{}/member-groups',
    {
      list: 'GET',
      set: 'PUT /{}',
      remove: 'DELETE /{}',
    },
  ],
  personalData: [
    '/v1/admin/users',
    {
      erase: 'POST /{}/',
      export: 'POST /{}/',
      exportOwn: 'POST /v1/auth/export',
    },
  ],
  workspaces: [
    '/v1/admin/groups',
    {
      export: 'POST /{}/',
      import: 'POST /',
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      getLimits: 'GET /{}/limits',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
    },
  ],
  dataJobs: [
    '/v1/data-jobs',
    {
      list: 'GET /v1/admin/data-jobs',
      get: 'GET /{}',
      download: 'GET /{}/file',
    },
  ],
  notifications: [
    '/v1/me/notifications',
    {
      list: 'GET',
      count: 'GET /',
      markAllRead: 'POST /read',
      markRead: 'POST /{}/read',
      markUnread: 'DELETE /{}/read',
    },
  ],
  pushSubscriptions: [
    '/v1/me/push-subscriptions',
    {
      getKey: 'GET /v1/me/push-key',
      list: 'GET',
      create: 'POST',
      delete: 'DELETE /{}',
    },
  ],
  preferences: [
    '/v1/me/preferences',
    {
      get: 'GET',
      set: 'PUT',
    },
  ],
  scimTokens: [
    '/v1/admin/scim-tokens',
    {
      list: 'GET',
      create: 'POST',
      revoke: 'DELETE /{}',
    },
  ],
  permissions: [
    '/v1/admin',
    {
      list: 'GET /permissions',
    },
  ],
  roles: [
    '/v1/admin/roles',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
    },
  ],
  secondFactors: [
    '/v1/auth/second-factor',
    {
      get: 'GET',
      enrol: 'POST',
      confirm: 'POST /',
      renewRecoveryCodes: 'POST /recovery-codes',
      disable: 'POST /',
      verify: 'POST /v1/auth/sign-in/second-factor',
      remove: 'DELETE /v1/admin/users/{}/second-factor',
    },
  ],
  signInPolicy: [
    '/v1/admin/sign-in-policy',
    {
      get: 'GET',
      update: 'PATCH',
    },
  ],
  sessions: [
    '/v1/auth',
    {
      options: 'GET /',
      claim: 'POST /',
      signIn: 'POST /sign-in',
      signOut: 'POST /sign-out',
      get: 'GET /session',
      list: 'GET /sessions',
      end: 'DELETE /sessions/{}',
      changePassword: 'POST /password',
      requestPasswordReset: 'POST /password-reset/request',
      resetPassword: 'POST /password-reset',
      acceptInvitation: 'POST /invitations/accept',
      lookAtInvitation: 'POST /invitations/look',
      joinWorkspace: 'POST /invitations/join',
    },
  ],
  system: [
    '/v1/admin',
    {
      get: 'GET /system',
    },
  ],
  tableChanges: [
    '/v1/tables/{}/changes',
    {
      list: 'GET',
      get: 'GET /{}',
      undo: 'POST /{}/',
    },
  ],
  budgets: [
    '/v1/admin/budgets',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
    },
  ],
} as const;
