import { agentTexts } from '../../text/agents.ts';

export type LockName = keyof typeof agentTexts.locks.names;
export const isLockName = (key: string): key is LockName => key in agentTexts.locks.names;
export const sayLock = (lock: LockName) => agentTexts.locks.names[lock];
