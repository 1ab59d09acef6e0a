import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

interface Frame {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are made of them.
const controls = /\u001b\[[0-9;?]*[A-Za-z]|\r/g;

/** The output of a terminal as it comes; `done` when it has ended, `leave` lets go of it. */
export async function readTerminal(url: string, key: string, last?: string) {
  const headers = { 'x-api-key': key, accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
  const answer = await fetch(url, { headers });
  assert.equal(answer.status, 200);
  const frames: Frame[] = [];
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const done = (async () => {
    let rest = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const parts = (rest + piece.value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(part)?.[1] ?? '';
        if (field('data')) frames.push({ event: field('event'), id: field('id'), data: JSON.parse(field('data')) });
      }
    }
  })();
  /** Without the sequences by which the shell draws its lines. */
  const text = () =>
    frames
      .map(({ data }) => data['text'] ?? '')
      .join('')
      .replaceAll(controls, '');
  return {
    ...{ frames, done, text },
    /** Waits until the terminal has shown something, and fails with what it has shown instead. */
    async shows(pattern: RegExp): Promise<void> {
      for (const end = Date.now() + 60_000; !pattern.test(text()); await sleep(25)) {
        const has_ended = frames.at(-1)?.event === 'end';
        if (has_ended || Date.now() > end) assert.fail(`${pattern} is not in ${JSON.stringify(frames)}`);
      }
    },
    leave: () => reader.cancel().catch(() => {}),
  };
}
