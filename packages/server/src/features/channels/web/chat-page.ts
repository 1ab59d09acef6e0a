import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { readSettings } from '../../agents/service.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { noReply } from '../no-reply.ts';

/** What the public chat page of a deployment is told. Its texts come from the agent's published settings. */
export interface ChatPage {
  title: string;
  /** Read by the page's script; visitors see it all. */
  config: Readonly<Record<string, unknown>>;
  /** The origins whose pages may show this one in a frame. */
  origins: readonly string[];
}

export function chatPage(deployment: LiveDeployment, token: string): ChatPage {
  const { config } = deployment;
  const settings = effectiveSettings(readSettings(deployment.definition));
  const title = String(config.title ?? deployment.agent_name);
  return {
    title,
    config: {
      ...{ token, deployment_id: deployment.id, title },
      greeting: typeof config.greeting === 'string' ? config.greeting : '',
      placeholder: settings.chat_input_placeholder,
      no_reply: settings.transport_allow_noop ? noReply : null,
      ...{ accent: config.accent ?? null, allow_files: config.allow_files !== false },
    },
    origins: (config.allowed_origins as string[] | undefined) ?? [],
  };
}
