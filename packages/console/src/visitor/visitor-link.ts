import { AtriumError } from '@atrium/sdk';
import { create } from 'zustand';
import type { GuestLink } from '../shared/guest-thread.ts';
import type { VisitorConfig } from './config.ts';

/** The token of the visitor's conversation, once there is one. */
export const useVisitorToken = create<{ token: string | undefined }>(() => ({ token: undefined }));

/** Begins a conversation with the token of the page. */
async function beginConversation({ token, deployment_id }: VisitorConfig): Promise<string> {
  const answer = await fetch(`/v1/channels/${deployment_id}/web`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const body = (await answer.json().catch(() => ({}))) as { token?: string; code?: string; detail?: string };
  if (answer.ok && body.token) return body.token;
  throw new AtriumError(answer.status, { code: body.code ?? 'unknown', detail: body.detail ?? '' });
}

/** The conversation of this browser's visitor. Only the browser knows its token; some keep nothing inside of frames. */
export function makeVisitorLink(config: VisitorConfig): GuestLink {
  const place = `atrium-chat:${config.deployment_id}`;
  const keep = (token: string | undefined) => {
    useVisitorToken.setState({ token });
    try {
      if (token) localStorage.setItem(place, token);
      else localStorage.removeItem(place);
    } catch {
      // A reload begins anew.
    }
  };
  try {
    useVisitorToken.setState({ token: localStorage.getItem(place) ?? undefined });
  } catch {
    // Nothing was kept.
  }
  return {
    token: () => useVisitorToken.getState().token,
    async begin() {
      const token = await beginConversation(config);
      keep(token);
      return token;
    },
    forget: () => keep(undefined),
  };
}
