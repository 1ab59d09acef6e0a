import { agentPaths } from './canary/agents.ts';
import { conversationPaths } from './canary/conversations.ts';
import { outsidePaths } from './canary/outside.ts';
import type { CanaryPath } from './canary/path.ts';
import { recordPaths } from './canary/records.ts';
import { secretPaths } from './canary/secrets.ts';
import { startingPaths } from './canary/starting.ts';

/** Every way there is; each goes over what those before it have left. */
export const canaryPaths: readonly CanaryPath[] = [
  ...secretPaths,
  ...conversationPaths,
  ...agentPaths,
  ...startingPaths,
  ...recordPaths,
  ...outsidePaths,
];
