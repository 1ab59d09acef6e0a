import type { AnswerOf, ItemOf } from '@atrium/sdk';
import { connectionTexts } from '../../text/connections.ts';
import type { Tone } from '../../ui/chip.tsx';

export type McpServer = ItemOf<'mcpServers.list'>;
export type McpTool = ItemOf<'mcpServers.listTools'>;
export type Trial = AnswerOf<'mcpServers.try'>;
export type Grant = NonNullable<McpServer['grant_type']>;
const words = connectionTexts.servers;

/** How the sign-in to a server does, in a word. */
export function signInOf(server: McpServer): { label: string; tone: Tone } {
  const { grant_type, last_error, issuer, refresh_token, token_expires_at } = server;
  if (grant_type === null) return { label: words.states.none, tone: 'plain' };
  if (last_error) return { label: words.states.failed, tone: 'bad' };
  if (grant_type !== 'authorization_code') return { label: words.states.client, tone: 'ok' };
  const isSignedIn = issuer !== null || refresh_token !== null || token_expires_at !== null;
  return isSignedIn ? { label: words.states.signedIn, tone: 'ok' } : { label: words.states.waiting, tone: 'warn' };
}

/** The address without its protocol, for lists. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '');
