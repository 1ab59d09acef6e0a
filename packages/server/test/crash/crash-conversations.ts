import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';
import { makeReply } from '../../src/features/messages/service.ts';
import { readChunks, readMessage } from '../../src/features/runs/dialects/testing.ts';
import {
  framesOf,
  isReset,
  makeResumingClient,
  openStream,
  streamFormats,
  wholeStream,
} from '../support/resuming-client.ts';
import { wordsOf } from './crash-provider.ts';
import type { CrashTestServer } from './crash-test-server.ts';

type Client = ReturnType<typeof makeResumingClient>;
const textOf = (parts: readonly { type: string; content?: string; text?: string }[]) =>
  parts.map((part) => (part.type === 'text' ? (part.content ?? part.text) : '')).join('');

/** Reads to the end, over as many connections as that takes. */
async function readAll(rig: CrashTestServer, client: Client): Promise<void> {
  for (let connection = 0; connection < 1000; connection++) {
    if (await client.read(await rig.address())) return;
    await sleep(100);
  }
  assert.fail('A stream never came to its end');
}

/** Starts a conversation whose tool calls need approval, and approves each of them, retrying across crashes. */
export async function startApprovedCrashConversation(rig: CrashTestServer, name: string) {
  const settings = { model: ['openai/slow'], tools: [{ type: 'clock', requires_approval: true }] };
  const { id } = await rig.json<{ id: string }>('/v1/conversations', { name, settings });
  const at = `/v1/conversations/${id}`;
  const headers = { 'x-api-key': rig.key, 'content-type': 'application/json' };
  const key = { 'idempotency-key': randomUUID() };

  /** Asks once; undefined while there is no server, or it is just being killed. */
  async function ask<T>(
    path: string,
    body?: object,
    more: object = {},
  ): Promise<{ status: number; json: T } | undefined> {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const address = await rig.address();
    const response = await fetch(`${address}${path}`, { ...init, headers: { ...headers, ...more } }).catch(
      () => undefined,
    );
    const json = await response?.json().catch(() => undefined);
    return response && json !== undefined ? { status: response.status, json: json as T } : undefined;
  }

  const done = (async () => {
    void ask(at, { content: name }, key);
    let last: unknown;
    for (let attempt = 0; attempt < 2000; attempt++) {
      const seen = await ask<{ status: string; messages: unknown[] }>(at);
      if (seen?.json.status === 'completed') return;
      last = seen ?? last;
      // Neither changes any more, so that waiting longer would only hide the cause.
      const isLost = seen?.status === 404 || ['failed', 'stopped'].includes(seen?.json.status ?? '');
      assert.ok(!isLost, `${name} can't come to its end: ${JSON.stringify(seen)}`);
      // The message is sent until it is there.
      if (seen?.json.messages?.length === 0 && attempt % 20 === 19) void ask(at, { content: name }, key);
      const asked = await ask<{ items: { id: string }[] }>(`${at}/approvals?status=pending`);
      for (const { id: approval } of asked?.json.items ?? [])
        await ask(`${at}/approvals/${approval}`, { decision: 'approve' });
      await sleep(50);
    }
    assert.fail(`${name} never came to its end: ${JSON.stringify(last)}`);
  })();

  return {
    name,
    done,
    async check(): Promise<RunEvent[]> {
      const rows = await rig.query<{ type: string; data: string }>(
        'select type, data from run_events join runs on runs.id = run_id where conversation_id = $1 order by seq',
        [id],
      );
      const events = rows.map(({ type, data }) => ({ type, ...JSON.parse(data) }) as RunEvent);
      const stored = await rig.json<{ messages: { message_parts: { type: string; content: string }[] }[] }>(at);
      assert.equal(stored.messages.length, 2, `${name}: one question, one answer`);
      assert.equal(textOf(stored.messages[1]?.message_parts ?? []), wordsOf(name).join(''), 'the text is whole');
      const reply = makeReply();
      for (const event of events) reply.add(event);
      assert.deepEqual(reply.parts, stored.messages[1]?.message_parts, 'the log and the message say the same');
      const count = (type: string) => events.filter((event) => event.type === type).length;
      assert.deepEqual(
        ['approval-request', 'approval-decision', 'run-resume', 'tool-result', 'run-end'].map(count),
        [2, 2, 2, 2, 1],
        `${name}: each call is asked for, decided and made once`,
      );
      const calls = await rig.query<{ count: string }>('select count(*) from tool_calls where conversation_id = $1', [
        id,
      ]);
      assert.equal(Number(calls[0]?.count), 2, `${name}: each call is accounted for once`);
      return events;
    },
  };
}

/** Starts a conversation with one message and clients in every stream format that resume across crashes. */
export async function startCrashConversation(rig: CrashTestServer, name: string) {
  const settings = { model: ['openai/slow'] };
  const { id: conversation_id } = await rig.json<{ id: string }>('/v1/conversations', { name, settings });
  const headers = { 'idempotency-key': randomUUID() };
  const path = `/v1/conversations/${conversation_id}/stream?format=ui`;
  const first: string[] = [];

  /** Says it until it is acknowledged, and hears as much of the answer as comes over that connection. */
  async function say(acknowledged: () => void): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        const body = { content: name };
        const stream = await openStream({ address: await rig.address(), path, key: rig.key, headers, body });
        // A server that is starting or stopping answers with an error; the client retries.
        if (stream.statusCode !== 200) stream.destroy();
        else {
          acknowledged();
          for await (const frame of framesOf(stream))
            if (isReset(frame)) first.splice(0);
            else first.push(frame);
          return;
        }
      } catch (error) {
        if (!/aborted|ECONN|socket hang up|EPIPE/.test(String(error))) throw error;
        if (first.length) return;
      }
      await sleep(100);
    }
    assert.fail(`${name} was never acknowledged`);
  }

  const acknowledged = Promise.withResolvers<void>();
  const said = say(acknowledged.resolve);
  said.catch(acknowledged.reject);
  await acknowledged.promise;
  const find = () => rig.query<{ id: string }>('select id from runs where conversation_id = $1', [conversation_id]);
  let found: { id: string }[] = [];
  for (let attempt = 0; attempt < 200 && found.length === 0; attempt++) {
    found = await find().catch(() => []);
    if (found.length === 0) await sleep(50);
  }
  const run_id = found[0]?.id ?? assert.fail(`${name} was acknowledged and is gone`);
  const watched = { conversation_id, run_id, key: rig.key };
  const clients = streamFormats.map((format) => ({ format, client: makeResumingClient(watched, format) }));
  const watching = clients.map(({ client }) => readAll(rig, client));
  const sender = said.then(async () => {
    // The client that sent the message resumes where its connection broke.
    const client = makeResumingClient(watched, 'ui', first);
    if (!client.isOver()) await readAll(rig, client);
  });

  return {
    name,
    conversation_id,
    run_id,
    done: Promise.all([...watching, sender]),
    /** How often its clients were told to begin anew. */
    resets: () => clients.reduce((sum, { client }) => sum + client.resets(), 0),

    /** All that must hold when it is over. */
    async check(): Promise<NumberedEvent[]> {
      const words = wordsOf(name);
      const address = await rig.address();
      for (const { format, client } of clients)
        assert.deepEqual(client.frames, await wholeStream(address, watched, format), `${name}, ${format}`);
      const whole = await wholeStream(address, watched, 'ui');
      assert.deepEqual(first, whole, `${name}, the one who asked`);
      const { message } = await readMessage(await readChunks(whole.map((frame) => `${frame}\n\n`).join('')));
      assert.equal(textOf(message.parts as { type: string; text?: string }[]), words.join(''), 'a chat shows it');

      interface Stored {
        status: string;
        messages: { message_parts: { role: string; type: string; content: string }[] }[];
      }
      const stored = await rig.json<Stored>(`/v1/conversations/${conversation_id}`);
      assert.equal(stored.status, 'completed');
      const [asked, answered, ...more] = stored.messages;
      assert.deepEqual(asked?.message_parts, [{ role: 'user', type: 'user', content: name }]);
      assert.equal(more.length, 0, 'one question, one answer');
      assert.equal(textOf(answered?.message_parts ?? []), words.join(''), 'the text is whole and there once');

      const rows = await rig.query<{ seq: number; type: string; data: string }>(
        'select seq, type, data from run_events where run_id = $1 order by seq',
        [run_id],
      );
      assert.ok(
        rows.every(({ seq }, index) => index === 0 || seq > (rows[index - 1]?.seq ?? 0)),
        'numbers rise',
      );
      const events = rows.map(({ seq, type, data }) => ({ seq, type, ...JSON.parse(data) }) as NumberedEvent);
      const reply = makeReply();
      for (const event of events) reply.add(event);
      assert.deepEqual(reply.parts, answered?.message_parts, 'the log and the message say the same');
      const count = (type: string) => events.filter((event) => event.type === type).length;
      assert.deepEqual(
        ['run-start', 'tool-result', 'step-end', 'message-end', 'run-end'].map(count),
        [1, 2, 3, 1, 1],
        `${name}: each thing is finished once`,
      );
      return events;
    },
  };
}
