import type { Caller } from './callers.ts';
import { neighbour } from './planting.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';

const mostTools = 4;

/** What a client of the MCP endpoint reads: the list of tools, and the results of the first of them. */
export async function walkMcp(origin: string, { headers }: Caller): Promise<ReadAnswer[]> {
  const send = (method: string, params: object) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const accept = 'application/json, text/event-stream';
    return readAnswer(origin, { method: 'POST', url: '/mcp', body, headers: { ...headers, accept } });
  };
  const listed = await send('tools/list', {});
  const names = new Set([...listed.text.matchAll(/"name":"([\w-]+)"/g)].map(([, name]) => name));
  const answers = [listed];
  for (const name of [...names].slice(0, mostTools))
    answers.push(await send('tools/call', { name, arguments: { message: neighbour } }));
  return answers;
}
