import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeHttpClient } from '../lib/http-client.ts';
import type { Peer } from './peer.ts';

const program = `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';

const provider = createOpenAICompatible({ name: 'fast', baseURL: process.env.PROVIDER_URL ?? '', apiKey: 'k' });
const bench = new Agent({
  id: 'bench',
  name: 'bench',
  instructions: 'You are a helpful assistant.',
  model: provider('fast'),
  memory: new Memory(),
});
const storage = new LibSQLStore({ id: 'store', url: process.env.STORE_URL ?? '' });
export const mastra = new Mastra({ agents: { bench }, storage, logger: false });
`;

export const mastra: Peer = {
  name: 'mastra',
  packages: {
    mastra: '1.31.0',
    '@mastra/core': '1.71.0',
    '@mastra/libsql': '1.23.1',
    '@mastra/memory': '1.31.0',
    '@ai-sdk/openai-compatible': '3.0.90',
  },
  files: { 'src/mastra/index.ts': program },
  build: [['mastra', 'build']],
  start: () => ['.mastra/output/index.mjs'],
  env: ({ port, providerUrl, dir }) => ({
    PORT: String(port),
    PROVIDER_URL: providerUrl,
    STORE_URL: `file:${join(dir, `bench-${randomUUID()}.db`)}`,
    MASTRA_TELEMETRY_DISABLED: '1',
  }),
  ready: '/api/agents',
  target(address) {
    const client = makeHttpClient(address);
    return {
      // The message itself makes the thread, which spares Mastra a request.
      create: async () => randomUUID(),
      say: (thread, content) =>
        client.send('/api/agents/bench/stream', {
          messages: [{ role: 'user', content }],
          memory: { thread, resource: 'bench' },
        }),
      token: '"text-delta"',
      end: '[DONE]',
      close: client.close,
    };
  },
  note: 'built with "mastra build", threads and messages in a libsql file, no anonymizing, no keys',
};
