import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A provider in a process of its own that answers at once, as many words as the last message asks for ("100 words"),
 * each in a frame of its own. Asked to "hold" it says one word and then nothing, asked to "pause" it waits after that.
 */

const frame = (fields: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fast', ...fields })}\n\n`;
const delta = (fields: object, finish_reason: string | null = null) =>
  frame({ choices: [{ index: 0, delta: fields, finish_reason }] });
const usage = (tokens: number) => ({ prompt_tokens: 50, completion_tokens: tokens, total_tokens: 50 + tokens });

const begin = delta({ role: 'assistant', content: '' });
const word = delta({ content: 'word ' });
const end = (words: number) => `${delta({}, 'stop')}${frame({ choices: [], usage: usage(words) })}data: [DONE]\n\n`;

async function answer(response: ServerResponse, asked: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(begin);
  response.write(word);
  if (/hold/.test(asked)) return;
  if (/pause/.test(asked)) await sleep(20);
  const words = Number(/(\d+) words/.exec(asked)?.[1] ?? 100);
  for (let said = 1; said < words; said++) response.write(word);
  response.end(end(words));
}

const server = createServer(async (request, response) => {
  const asked = await textOf(request);
  if (request.method === 'GET') response.end(JSON.stringify({ object: 'list', data: [{ id: 'fast' }] }));
  else await answer(response, asked);
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`),
);
