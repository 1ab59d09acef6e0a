import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { scriptedApp } from '../support/scripted-app.ts';
import { listenOnSocket } from '../support/socket-client.ts';
import { until } from '../support/two-nodes.ts';

const testing = await scriptedApp();
const { provider, converse, stored, call } = testing;
const { port } = await listenOnSocket(testing.app);
const address = `http://127.0.0.1:${port}`;
const headers = { 'x-api-key': testing.admin };

async function conversationOn(...replies: Parameters<typeof provider>) {
  const { name, server } = await provider(...replies);
  return { server, id: await converse({ model: [`${name}/one`], max_retries_per_model: 1 }) };
}

/** The package's default transport, configured only with the addresses of our endpoints. */
const transportTo = (at: string, more: Record<string, string> = headers) =>
  new DefaultChatTransport({
    api: `${address}${at}/stream?format=ui`,
    headers: more,
    prepareReconnectToStreamRequest: () => ({ api: `${address}${at}/events?format=ui`, headers: more }),
  });
const transportOf = (id: string) => transportTo(`/v1/conversations/${id}`);

const asking = (text: string) => ({
  trigger: 'submit-message' as const,
  chatId: 'chat',
  messageId: undefined,
  messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text }] }] satisfies UIMessage[],
  abortSignal: undefined,
});

async function messageIn(stream: ReadableStream<UIMessageChunk> | null): Promise<UIMessage> {
  assert.ok(stream, 'there is no stream');
  let message: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream })) message = state;
  assert.ok(message, 'the stream had no message');
  return message;
}

const textOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

suite('the transport of the ai package', () => {
  test('sends a chat as it is and reads the answer as a message', async () => {
    const { id } = await conversationOn({ text: 'Good day to you', deltas: 5 });
    const message = await messageIn(await transportOf(id).sendMessages(asking('Hello')));
    assert.equal(textOf(message), 'Good day to you');
    const { reply, conversation } = await stored(id);
    assert.equal(message.id, reply.id);
    assert.equal(conversation.messages[0].message_parts[0].content, 'Hello');
    assert.deepEqual((message.metadata as { usage: unknown }).usage, reply.metadata.usage);
  });

  test('sends only the last message when the transport is configured to', async () => {
    const { id } = await conversationOn();
    const transport = new DefaultChatTransport({
      api: `${address}/v1/conversations/${id}/stream?format=ui`,
      headers,
      prepareSendMessagesRequest: ({ messages }) => ({ body: { content: textOf(messages.at(-1)) } }),
    });
    assert.equal(textOf(await messageIn(await transport.sendMessages(asking('Only this')))), 'You said: Only this');
  });

  test('joins an answer that is being given and reads all of it', async () => {
    const met = Promise.withResolvers<void>();
    const { id } = await conversationOn({
      text: 'A longer word',
      deltas: 2,
      held: { before: 'word', until: met.promise },
    });
    const first = messageIn(await transportOf(id).sendMessages(asking('Hello')));
    const joining = await transportOf(id).reconnectToStream({ chatId: 'chat' });
    met.resolve();
    const joined = await messageIn(joining);
    assert.equal(textOf(joined), 'A longer word');
    assert.deepEqual(joined, await first);
  });

  test('finds nothing to join once the answer is over', async () => {
    const { id } = await conversationOn();
    await messageIn(await transportOf(id).sendMessages(asking('Hello')));
    const stream = await transportOf(id).reconnectToStream({ chatId: 'chat' });
    assert.deepEqual(await Array.fromAsync(stream ?? []), []);
  });

  test('reads a shared conversation through its link, without a key', async () => {
    const { id } = await conversationOn({ text: 'Hello guest' });
    const { json } = await call('POST', `/v1/conversations/${id}/share`);
    const at = `/v1/public/conversations/${json.public_access_token}`;
    const message = await messageIn(await transportTo(at, {}).sendMessages(asking('Hello')));
    assert.deepEqual([textOf(message), message.metadata], ['Hello guest', undefined]);
  });

  test('is refused with words that a page can show', async () => {
    const refused = transportTo('/v1/conversations/0190a000-0000-7000-8000-000000000009');
    await assert.rejects(refused.sendMessages(asking('Hello')), /No such conversation/);
  });
});

suite('the chat behind useChat', () => {
  const chatOn = (id: string, messages: UIMessage[] = []) => {
    const errors: Error[] = [];
    const chat = new Chat({
      id,
      messages,
      transport: transportOf(id),
      onError: (error) => void errors.push(error),
    });
    return { chat, errors };
  };

  test('sends a message and is ready with the answer', async () => {
    const { id } = await conversationOn({ text: 'First answer' }, { text: 'Second answer' });
    const { chat, errors } = chatOn(id);
    for (const [text, answer] of [
      ['One', 'First answer'],
      ['Two', 'Second answer'],
    ] as const) {
      await chat.sendMessage({ text });
      assert.deepEqual([chat.status, textOf(chat.lastMessage)], ['ready', answer]);
    }
    assert.deepEqual(errors, []);
    assert.deepEqual(chat.messages.map(textOf), ['One', 'First answer', 'Two', 'Second answer']);
    const { conversation } = await stored(id);
    assert.deepEqual(conversation.ui_messages.map(textOf), chat.messages.map(textOf));
  });

  test('shows a tool that ran, with its result', async () => {
    const { id } = await conversationOn({ tool_calls: [{ name: 'clock_now', input: {} }] }, { text: 'It is late' });
    const { chat } = chatOn(id);
    await chat.sendMessage({ text: 'What time is it?' });
    const tool = chat.lastMessage?.parts.find(({ type }) => type === 'tool-clock_now');
    assert.deepEqual([chat.status, (tool as { state?: string }).state], ['ready', 'output-available']);
    assert.equal(textOf(chat.lastMessage), 'It is late');
  });

  test('forgets what a broken connection to the model had said', async () => {
    const broken = { text: 'Lost words', deltas: 4, drop_after: 3, chunk_delay_ms: 60 };
    const { id } = await conversationOn(broken, { text: 'Kept words' });
    const { chat, errors } = chatOn(id);
    await chat.sendMessage({ text: 'Hello' });
    assert.deepEqual([chat.status, textOf(chat.lastMessage), errors], ['ready', 'Kept words', []]);
  });

  test('is in error when the run failed', async () => {
    const { id } = await conversationOn({ status: 400, error: 'Oh no' });
    const { chat } = chatOn(id);
    await chat.sendMessage({ text: 'Hello' });
    assert.equal(chat.status, 'error');
    assert.match(chat.error?.message ?? '', /Oh no/);
  });

  test('is picked up by a page that was opened anew', async () => {
    const met = Promise.withResolvers<void>();
    const words = { text: 'Still speaking', deltas: 2, held: { before: 'peaking', until: met.promise } };
    const { id } = await conversationOn(words);
    const { chat } = chatOn(id);
    const sending = chat.sendMessage({ text: 'Hello' });
    await until('it speaks', () => textOf(chat.lastMessage).startsWith('Still'));
    const { conversation } = await stored(id).catch(() => ({ conversation: undefined }));
    const { chat: second } = chatOn(id, conversation?.ui_messages ?? chat.messages.slice(0, 1));
    const resuming = second.resumeStream();
    await until('both hear it', () => textOf(second.lastMessage).startsWith('Still'));
    met.resolve();
    await Promise.all([resuming, sending]);
    assert.deepEqual([second.status, textOf(second.lastMessage)], ['ready', 'Still speaking']);
  });
});
