import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatDialect } from '../providers/chat-dialect.ts';
import type { Json, Reply } from '../providers/scripted-server.ts';

/** What a run says in its three steps; the first two call a tool each. Every conversation has words of its own. */
export const wordsOf = (name: string) => [
  `Let me look at the clock for ${name}. `,
  `Once more, to be sure about ${name}. `,
  `It is late, ${name}: ${Array.from({ length: 12 }, (_, n) => `word${n}`).join(' ')}.`,
];

/** Between two frames, in ms. A paced answer takes longer than the words of an answer wait until they are stored. */
const paceOf = (name: string) => (name.includes('paced') ? 60 : 8);

/** Counts the tool calls in the messages after the last user message. */
function stepOf(messages: Json[]): number {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(asked).filter(({ role }) => role === 'tool').length;
}

function replyTo(body: Json): Reply {
  const step = stepOf(body.messages);
  const text = wordsOf(chatDialect.asked(body))[step] ?? 'There is no such step.';
  const input = { time_zone: step ? 'Asia/Tokyo' : 'Europe/Oslo' };
  return { text, deltas: 8, ...(step < 2 && { tool_calls: [{ id: `call_${step}`, name: 'clock_now', input }] }) };
}

/**
 * A model whose answer depends only on the messages and not on the number of requests, so that an interrupted run ends
 * with the same result. It streams slowly enough for a test to interrupt it.
 */
export async function crashProvider() {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request).catch(() => '{}')) as Json;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pace = paceOf(body.messages ? chatDialect.asked(body) : '');
    for (const frame of chatDialect.frames(replyTo(body), body)) {
      if (response.destroyed) return;
      response.write(frame);
      await sleep(pace);
    }
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
