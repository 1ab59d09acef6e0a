import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { messagesFrames } from './fast-messages.ts';

/*
 * A provider in a process of its own. The last mark in a request says how it answers: "[100 words]" at once, each word in
 * a frame of its own, "[100 words paced]" one word every 10 ms, "[100 words paused]" with a pause after the first word,
 * "[1 words held]" without ever ending. It speaks /chat/completions, and /messages at that path.
 */

const pace_ms = 10;
const pause_ms = 20;

const frame = (fields: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fast', ...fields })}\n\n`;
const delta = (fields: object, finish_reason: string | null = null) =>
  frame({ choices: [{ index: 0, delta: fields, finish_reason }] });
const usage = (tokens: number) => ({ prompt_tokens: 50, completion_tokens: tokens, total_tokens: 50 + tokens });

const chatFrames = {
  begin: delta({ role: 'assistant', content: '' }),
  word: delta({ content: 'word ' }),
  end: (words: number) => `${delta({}, 'stop')}${frame({ choices: [], usage: usage(words) })}data: [DONE]\n\n`,
};

/** Writes one word every 10 ms. A late timer is made up for, so that the pace does not depend on the load. */
async function writePaced(response: ServerResponse, words: number, word: string): Promise<void> {
  const begun = performance.now();
  for (let written = 1; written < words && !response.destroyed; ) {
    await sleep(Math.max(1, begun + written * pace_ms - performance.now()));
    const due = Math.min(words, 1 + Math.floor((performance.now() - begun) / pace_ms));
    for (; written < due; written++) response.write(word);
  }
}

async function answer(response: ServerResponse, asked: string, { begin, word, end } = chatFrames): Promise<void> {
  const [, count, manner] = [...asked.matchAll(/\[(\d+) words(?: (\w+))?\]/g)].at(-1) ?? [];
  const words = Number(count ?? 100);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(begin);
  response.write(word);
  if (manner === 'held') return;
  if (manner === 'paused') await sleep(pause_ms);
  if (manner === 'paced') await writePaced(response, words, word);
  else for (let written = 1; written < words; written++) response.write(word);
  response.end(end(words));
}

const server = createServer(async (request, response) => {
  const asked = await textOf(request);
  if (request.method === 'GET') response.end(JSON.stringify({ object: 'list', data: [{ id: 'fast' }] }));
  else await answer(response, asked, request.url?.endsWith('/messages') ? messagesFrames : chatFrames);
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`),
);
