import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { LiveDeployment } from '../deployments/service.ts';
import { noReplyInstructions } from './no-reply.ts';

/** What a deployment adds to the prompt, and leave to say nothing where the agent has it. */
export const channelInstructions =
  ({ custom_instructions }: Pick<LiveDeployment, 'custom_instructions'>) =>
  (settings: Settings): string | null => {
    const own = custom_instructions ?? settings.deployment_custom_instructions ?? '';
    const leave = settings.transport_allow_noop ? noReplyInstructions : '';
    return [own, leave].filter(Boolean).join('\n\n') || null;
  };
