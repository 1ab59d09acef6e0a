import { agentContent } from './agent-content.ts';
import { agentOptions } from './agent-options.ts';
import { agentResources } from './agent-resources.ts';

/** The order is that of the answers and of validation errors. */
export const capabilities = { ...agentContent, ...agentResources, ...agentOptions };
