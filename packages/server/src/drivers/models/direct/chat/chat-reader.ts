import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import { UnreadableAnswer } from '../../model-errors.ts';
import { AnswerParts, type TurnBlock } from '../answer-parts.ts';
import type { AnswerReader, JsonObject } from '../protocol.ts';
import { isObject } from '../protocol.ts';
import { RepeatedText } from '../repeated-text.ts';
import { type ChatCallDelta, type ChatChunk, type ChatDelta, type ChatUsage, readChatChunk } from './chat-chunk.ts';
import { type CallDelta, ToolCalls } from './tool-calls.ts';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
};

const textsIn = (parts: unknown) =>
  Array.isArray(parts)
    ? parts.flatMap((part) =>
        isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : [],
      )
    : [];

const contentIn = (chunk: unknown) => (chunk as Partial<ChatChunk>).choices?.[0]?.delta?.content;

/** The text of a chunk that has no other meaning. */
function onlyText({ choices: [choice, ...others], usage }: ChatChunk): string | undefined {
  const { content, reasoning_content, reasoning, refusal, tool_calls } = choice?.delta ?? {};
  const hasMore = usage || others.length || choice?.finish_reason || reasoning_content || reasoning || refusal;
  return typeof content === 'string' && content && !hasMore && !tool_calls?.length ? content : undefined;
}

/** The key under which signatures of thoughts are kept with the turn. */
export const chatOptionsKey = 'compatible';

/** Reads a stream of `/chat/completions`. */
export class ChatReader implements AnswerReader {
  readonly parts = new AnswerParts();
  readonly begun = true;
  readonly #calls = new ToolCalls();
  /** Calls of which no piece had a name yet, by their indices. */
  readonly #nameless = new Map<number, CallDelta>();
  readonly #named = new Set<number>();
  readonly #repeated = new RepeatedText(contentIn);
  #text: TurnBlock | undefined;
  #reasoning: TurnBlock | undefined;
  #finish: string | undefined;
  #refused = false;
  #usage: ChatUsage | undefined;

  read(data: string): void {
    const repeated = this.#repeated.read(data);
    if (repeated !== undefined) return void this.#say(repeated);
    const chunk = readChatChunk(data);
    const { choices, usage } = chunk;
    const text = onlyText(chunk);
    if (text !== undefined) this.#repeated.learn(data, text);
    if (usage) this.#usage = usage;
    const [choice] = choices;
    if (!choice) return;
    this.#finish = choice.finish_reason ?? this.#finish;
    if (choice.delta) this.#readDelta(choice.delta);
  }

  #readDelta({ content, reasoning_content, reasoning, refusal, tool_calls }: ChatDelta): void {
    const thought = reasoning_content ?? reasoning;
    if (thought) this.#think(thought);
    if (typeof content === 'string') this.#say(content);
    else if (content) for (const part of content) this.#readContent(part);
    if (typeof refusal === 'string' && refusal) {
      this.#refused = true;
      this.#say(refusal);
    }
    if (!tool_calls?.length) return;
    this.#reasoning = undefined;
    for (const call of tool_calls) this.#readCall(call);
  }

  /** Mistral's models send lists of texts and thoughts. */
  #readContent(part: JsonObject): void {
    if (part['type'] === 'thinking') this.#think(textsIn(part['thinking']).join(''));
    else for (const text of textsIn([part])) this.#say(text);
  }

  #say(text: string): void {
    if (!text) return;
    this.#reasoning = undefined;
    this.#text ??= this.parts.open('text');
    this.parts.append('text', text, this.#text);
  }

  #think(text: string): void {
    if (!text) return;
    this.#text = undefined;
    this.#reasoning ??= this.parts.open('reasoning');
    this.parts.append('reasoning', text, this.#reasoning);
  }

  #readCall({ index, id, function: { name, arguments: json }, extra_content }: ChatCallDelta): void {
    const signature = extra_content?.google?.thought_signature ?? undefined;
    if (index === undefined || index === null || this.#named.has(index))
      return void this.#calls.add({ index, id, name, arguments: json, signature });
    // Some servers send the first piece of a call without its name.
    const known = this.#nameless.get(index);
    const call: CallDelta = {
      index,
      name,
      id: known?.id ?? id,
      signature: known?.signature ?? signature,
      arguments: (known?.arguments ?? '') + (json ?? ''),
    };
    if (name === undefined || name === null) return void this.#nameless.set(index, call);
    this.#nameless.delete(index);
    this.#calls.add(call);
    this.#named.add(index);
  }

  end(): void {
    for (const { index, id, arguments: json } of this.#nameless.values())
      this.#calls.add({ index, id, arguments: json });
    for (const { id, name, input, signature } of this.#calls.all())
      this.parts.call(id, name, input, signature ? { [chatOptionsKey]: { thoughtSignature: signature } } : undefined);
    if (this.#finish === undefined) throw new UnreadableAnswer();
    const reason = finishReasons[this.#finish] ?? 'other';
    const usage = this.#usage;
    this.parts.push({
      type: 'finish',
      // Servers call a refusal a normal stop.
      reason: this.#refused && reason === 'stop' ? 'content-filter' : reason,
      usage: {
        input_tokens: usage?.prompt_tokens ?? 0,
        cached_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
        output_tokens: usage?.completion_tokens ?? 0,
        reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      },
    });
  }
}
