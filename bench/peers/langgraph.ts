import { makeHttpClient } from '../lib/http-client.ts';
import type { Peer } from './peer.ts';

const program = `import { ChatOpenAI } from '@langchain/openai';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const model = new ChatOpenAI({
  model: 'fast',
  apiKey: 'k',
  streaming: true,
  useResponsesApi: false,
  configuration: { baseURL: process.env.PROVIDER_URL },
});
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
`;
const config = { node_version: '22', graphs: { bench: './src/graph.ts:graph' }, env: {}, dependencies: ['.'] };

export const langgraph: Peer = {
  name: 'langgraph',
  packages: {
    '@langchain/langgraph-cli': '2.0.0',
    '@langchain/langgraph': '1.4.18',
    '@langchain/core': '1.2.13',
    '@langchain/openai': '1.6.0',
  },
  files: { 'src/graph.ts': program, 'langgraph.json': JSON.stringify(config) },
  build: [],
  start: (port) => [
    'node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs',
    ...['dev', '--no-browser', '--host', '127.0.0.1', '--port', String(port), '--n-jobs-per-worker', '64'],
  ],
  env: ({ providerUrl }) => ({
    PROVIDER_URL: providerUrl,
    NODE_ENV: 'development',
    LANGSMITH_TRACING: 'false',
    LANGGRAPH_CLI_NO_ANALYTICS: '1',
  }),
  ready: '/ok',
  target(address) {
    const client = makeHttpClient(address);
    return {
      create: async () => (await client.json<{ thread_id: string }>('/threads', {})).thread_id,
      say: (id, content) =>
        client.send(`/threads/${id}/runs/stream`, {
          assistant_id: 'bench',
          input: { messages: [{ role: 'user', content }] },
          stream_mode: ['messages-tuple'],
        }),
      token: 'event: messages',
      end: 'event:',
      close: client.close,
    };
  },
  note: 'the development server, threads in memory, no anonymizing, no keys',
};
