import { agentPaths } from './agents.ts';
import type { CanaryPath } from './canary-path.ts';
import { conversationPaths } from './conversations.ts';
import { outsidePaths } from './outbound-paths.ts';
import { peoplePaths } from './people.ts';
import { recordPaths } from './records.ts';
import { startingPaths } from './run-start-paths.ts';
import { secretPaths } from './secrets.ts';
import { writtenTokenPaths } from './written-tokens.ts';

/** Every way there is; each goes over what those before it have left. */
export const canaryPaths: readonly CanaryPath[] = [
  ...secretPaths,
  ...conversationPaths,
  ...agentPaths,
  ...writtenTokenPaths,
  ...startingPaths,
  ...recordPaths,
  ...peoplePaths,
  ...outsidePaths,
];
