/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const sessionsRoutes = {
  'sessions.options': 'GET /v1/auth/options',
  'sessions.claim': 'POST /v1/auth/claim',
  'sessions.signIn': 'POST /v1/auth/sign-in',
  'sessions.signOut': 'POST /v1/auth/sign-out',
  'sessions.get': 'GET /v1/auth/session',
  'sessions.list': 'GET /v1/auth/sessions',
  'sessions.end': 'DELETE /v1/auth/sessions/{session_id}',
  'sessions.changePassword': 'POST /v1/auth/password',
  'sessions.requestPasswordReset': 'POST /v1/auth/password-reset/request',
  'sessions.resetPassword': 'POST /v1/auth/password-reset',
  'sessions.lookAtInvitation': 'POST /v1/auth/invitations/look',
  'sessions.acceptInvitation': 'POST /v1/auth/invitations/accept',
  'sessions.joinWorkspace': 'POST /v1/auth/invitations/join',
} as const;
