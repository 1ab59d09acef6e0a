import { anthropicProvider } from '../../../test/providers/anthropic-provider.ts';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { anthropic } from '../providers/anthropic.ts';
import { openai } from '../providers/openai.ts';
import { openaiCompatible } from '../providers/openai-compatible.ts';
import { loopbackConnections } from '../web/testing.ts';
import { modelConformance } from './conformance.ts';
import { makeModel } from './make-model.ts';

const connections = loopbackConnections();

modelConformance(
  'openai-compatible',
  openaiProvider,
  (base_url, api_key) => makeModel({ provider: openaiCompatible, base_url, api_key, ...connections }, 'test-model'),
  {
    settings: ({ max_tokens, temperature, top_p }) => ({ max_tokens, temperature, top_p }),
    system: ({ messages }) => messages[0].content,
    toolNames: ({ tools }) => tools.map((tool: { function: { name: string } }) => tool.function.name),
    toolResult: ({ messages }) => messages.at(-1).content,
  },
);

modelConformance(
  'openai by its Responses API',
  openaiProvider,
  (base_url, api_key) =>
    makeModel({ provider: openai, base_url, api_key, ...connections, api: 'responses' }, 'test-model'),
  {
    settings: ({ max_output_tokens: max_tokens, temperature, top_p }) => ({ max_tokens, temperature, top_p }),
    system: ({ input }) => input[0].content,
    toolNames: ({ tools }) => tools.map((tool: { name: string }) => tool.name),
    toolResult: ({ input }) => input.at(-1).output,
  },
);

modelConformance(
  'anthropic',
  anthropicProvider,
  (base_url, api_key) => makeModel({ provider: anthropic, base_url, api_key, ...connections }, 'test-model'),
  {
    settings: ({ max_tokens, temperature, top_p }) => ({ max_tokens, temperature, top_p }),
    system: ({ system }) => system[0].text,
    toolNames: ({ tools }) => tools.map((tool: { name: string }) => tool.name),
    toolResult: ({ messages }) => {
      const { content } = messages.at(-1).content.at(-1);
      return typeof content === 'string' ? content : content[0].text;
    },
  },
);
