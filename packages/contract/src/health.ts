import * as z from 'zod';

/** How triggers and deployments do. */
export const healths = ['off', 'paused', 'failing', 'unused', 'working'] as const;
export type Health = (typeof healths)[number];

export const health = z
  .enum(healths)
  .describe(
    '`off`: switched off; `paused`: because of its owner (`paused_reason`); `failing`: it has a `last_error`, or the last run of a trigger failed; `unused`: nothing has happened yet; `working`: none of these.',
  );

/** The first of these that applies. */
export function healthOf(state: {
  enabled: boolean;
  paused_reason: string | null;
  last_error: unknown;
  last_used_at: string | null;
}): Health {
  if (!state.enabled) return 'off';
  if (state.paused_reason !== null) return 'paused';
  if (state.last_error !== null) return 'failing';
  return state.last_used_at === null ? 'unused' : 'working';
}
