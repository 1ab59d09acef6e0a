import { keysOf } from '../keys-of.ts';
import { guardrailKeys } from './keys/safety.ts';
import { promptKeys, type SettingName } from './settings.ts';

/** The keys that each lock protects: while the lock is on, a request that changes one of them is refused. */
export const lockGroups = {
  pii_lock: ['pii_anonimization', 'pii_allow'],
  guardrail_lock: [
    ...guardrailKeys,
    'guardrail_action_replace',
    'guardrail_action_human',
    'block_after_violations',
    'block_message',
  ],
  prompt_lock: promptKeys,
} as const satisfies Partial<Record<SettingName, readonly SettingName[]>>;

export type LockName = keyof typeof lockGroups;
export const lockNames = keysOf(lockGroups);
