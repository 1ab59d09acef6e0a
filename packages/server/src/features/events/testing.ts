import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { LiveEvent } from '@atrium/contract/events/schema.ts';
import { liveEvent } from '@atrium/contract/events/schema.ts';
import { until } from '../../../test/support/two-nodes.ts';

export type ReceivedEvent = LiveEvent & { id: string };

/** Opens streams of events at a server that listens on this port. */
export function openEventsAt(port: number) {
  return async (headers: Record<string, string>, search = '') => {
    const stopping = new AbortController();
    after(() => stopping.abort());
    const response = await fetch(`http://127.0.0.1:${port}/v1/events${search}`, { headers, signal: stopping.signal });
    assert.equal(response.status, 200, response.ok ? '' : await response.text());
    const events: ReceivedEvent[] = [];
    let state: 'open' | 'ended' | 'cut off' = 'open';
    (async () => {
      let text = '';
      for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const fields = new Map(
            text
              .slice(0, end)
              .split('\n')
              .map((line) => line.split(/: ?(.*)/s, 2) as [string, string]),
          );
          text = text.slice(end + 2);
          const data = fields.get('data');
          if (data) events.push({ id: fields.get('id') as string, ...liveEvent.parse(JSON.parse(data)) });
        }
      }
    })().then(
      () => {
        state = 'ended';
      },
      () => {
        state = 'cut off';
      },
    );
    const stream = {
      events,
      state: () => state,
      stop: () => stopping.abort(),
      names: () => events.map(({ event }) => event),
      /** Waits for an event with this name, about this record. */
      heard: (event: string, target_id?: string) =>
        until(`${event} is received of ${events.map((one) => one.event)}`, () =>
          events.find((one) => one.event === event && (target_id === undefined || one.target_id === target_id)),
        ),
    };
    await until('the stream has begun', () => events.length > 0 || state !== 'open');
    return stream;
  };
}
