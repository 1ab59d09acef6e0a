import { AtriumError } from '@atrium/sdk';
import { keepDraft, readDraft } from '../../lib/local-drafts.ts';

/** Why a conversation takes no more messages for now. The words go back to where they were typed. */
export interface Refusal {
  readonly code: 'usage_limit_reached' | 'budget_reached';
  readonly detail: string;
}

const codes: readonly string[] = ['usage_limit_reached', 'budget_reached'] satisfies Refusal['code'][];
const keyOf = (conversationId: string) => `refused.${conversationId}`;

export const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof AtriumError && codes.includes(error.code)
    ? { code: error.code as Refusal['code'], detail: error.detail }
    : undefined;

/** The refusal of the last message of this browser, so that a reload does not hide it. */
export function readRefusal(conversationId: string): Refusal | undefined {
  try {
    const kept = JSON.parse(readDraft(keyOf(conversationId)) || 'null') as Partial<Refusal> | null;
    return kept?.code && codes.includes(kept.code) && typeof kept.detail === 'string' ? (kept as Refusal) : undefined;
  } catch {
    return undefined;
  }
}

export const keepRefusal = (conversationId: string, refusal: Refusal | undefined): void =>
  keepDraft(keyOf(conversationId), refusal ? JSON.stringify(refusal) : '');
