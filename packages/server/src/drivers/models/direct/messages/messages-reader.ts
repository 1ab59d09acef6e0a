import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import { ModelError } from '../../driver.ts';
import { UnreadableAnswer } from '../../model-errors.ts';
import { AnswerParts, type TurnBlock } from '../answer-parts.ts';
import type { AnswerReader, JsonObject } from '../protocol.ts';
import { RepeatedText } from '../repeated-text.ts';
import { HeldTexts } from './held-texts.ts';
import { type ContentBlock, type MessagesEvent, type MessagesUsage, readMessagesEvent } from './messages-event.ts';
import { messagesOptionsKey } from './messages-prompt.ts';
import { mergeUsage, usageOf } from './messages-usage.ts';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  ...{ pause_turn: 'stop', end_turn: 'stop', stop_sequence: 'stop', refusal: 'content-filter' },
  ...{ tool_use: 'tool-calls', max_tokens: 'length', model_context_window_exceeded: 'length' },
};

type Call = Extract<ContentBlock, { type: 'tool_use' }>;
type OpenBlock =
  | { type: 'text' | 'reasoning'; block: TurnBlock }
  | { type: 'call'; call: Call; json: string }
  | { type: 'other' };

/** Calls that the model makes itself are marked so, and go back with the mark. */
const callOptions = ({ caller }: Call) =>
  caller?.type === 'direct' ? { [messagesOptionsKey]: { caller: { type: 'direct' } } } : undefined;

const textIn = (event: unknown) => (event as { delta?: JsonObject }).delta?.['text'];

/** Reads a stream of `/messages`. With `by_tool`, the call of the tool `json` is the answer, and its input the text. */
export class MessagesReader implements AnswerReader {
  readonly parts = new AnswerParts();
  begun = false;
  readonly #held: HeldTexts | undefined;
  readonly #repeated = new RepeatedText(textIn);
  /** The block of the repeated texts. */
  #repeated_index = 0;
  #blocks = new Map<number, OpenBlock>();
  #started: ContentBlock['type'] | undefined;
  #answered_by_tool = false;
  #message: { id: string | null } | undefined;
  #stop_reason: string | null = null;
  #usage: MessagesUsage = {};
  /** Whether something was said since the last beginning or end of a message. */
  #unfinished = false;

  constructor({ by_tool }: { by_tool: boolean }) {
    this.#held = by_tool ? new HeldTexts() : undefined;
  }

  read(data: string): void {
    const repeated = this.#repeated.read(data);
    if (repeated !== undefined)
      return void this.#readDelta(this.#repeated_index, { type: 'text_delta', text: repeated });
    const event = readMessagesEvent(data);
    if (event.type === 'ping') return;
    this.#learnText(data, event);
    if (event.type === 'content_block_delta') this.#readDelta(event.index, event.delta);
    else if (event.type === 'content_block_start') this.#startBlock(event.index, event.block);
    else if (event.type === 'content_block_stop') this.#stopBlock(event.index);
    else if (event.type === 'message_start') this.#startMessage(event);
    else if (event.type === 'message_delta') {
      this.#usage = mergeUsage(this.#usage, event.usage);
      this.#stop_reason = event.stop_reason;
    } else this.#stopMessage();
    this.begun = true;
  }

  #learnText(data: string, event: MessagesEvent): void {
    if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') return;
    if (this.#repeated.learn(data, String(event.delta['text']))) this.#repeated_index = event.index;
  }

  end(): void {
    // The connection was closed properly, but without the provider's end of the answer.
    if (this.#unfinished) throw new ModelError('The answer broke off before its end');
  }

  #startMessage({ id, usage, stop_reason, calls }: Extract<MessagesEvent, { type: 'message_start' }>): void {
    if (this.#message) {
      if (this.#message.id === id) return;
      throw new UnreadableAnswer();
    }
    this.#message = { id };
    this.#unfinished = false;
    this.#held?.begin();
    // The tokens of the output are counted at its end only.
    const { input_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
    this.#usage = {
      ...this.#usage,
      ...{ input_tokens: input_tokens ?? 0, cache_read_input_tokens: read ?? 0 },
      cache_creation_input_tokens: written ?? 0,
    };
    this.#stop_reason = stop_reason ?? this.#stop_reason;
    for (const call of calls) if (call.type === 'tool_use') this.#call(call, JSON.stringify(call.input ?? {}));
  }

  #startBlock(index: number, block: ContentBlock): void {
    this.#started = block.type;
    if (block.type === 'tool_use' || block.type === 'other') this.#held?.drop();
    if (block.type === 'text') {
      if (this.#held) this.#held.open(index);
      else this.#blocks.set(index, { type: 'text', block: this.parts.open('text') });
    } else if (block.type === 'thinking')
      this.#blocks.set(index, { type: 'reasoning', block: this.parts.open('reasoning') });
    else if (block.type === 'redacted_thinking') {
      const options = { [messagesOptionsKey]: { redactedData: block.data } };
      this.#blocks.set(index, { type: 'reasoning', block: this.parts.open('reasoning', options) });
    } else if (block.type === 'tool_use') this.#startCall(index, block);
    else this.#blocks.set(index, { type: 'other' });
  }

  #startCall(index: number, call: Call): void {
    if (this.#held && call.name === 'json') {
      this.#answered_by_tool = true;
      this.#blocks.set(index, { type: 'text', block: this.parts.open('text') });
      return;
    }
    const whole = call.input && Object.keys(call.input).length > 0 ? JSON.stringify(call.input) : '';
    this.#blocks.set(index, { type: 'call', call, json: whole });
  }

  #readDelta(index: number, delta: JsonObject & { type: string }): void {
    const open = this.#blocks.get(index);
    const block = open && 'block' in open ? open.block : undefined;
    if (delta.type === 'text_delta') {
      if (this.#held) this.#held.append(index, String(delta['text']));
      else this.#say('text', String(delta['text']), block);
    } else if (delta.type === 'thinking_delta') this.#say('reasoning', String(delta['thinking']), block);
    else if (delta.type === 'signature_delta' && this.#started === 'thinking' && block) {
      const own = block.providerOptions?.[messagesOptionsKey];
      block.providerOptions = { [messagesOptionsKey]: { ...own, signature: String(delta['signature']) } };
    } else if (delta.type === 'input_json_delta') this.#readInput(open, String(delta['partial_json']));
  }

  #readInput(open: OpenBlock | undefined, json: string): void {
    if (this.#answered_by_tool) {
      if (open?.type === 'text') this.#say('text', json, open.block);
    } else if (open?.type === 'call' && json) {
      open.json += json;
      this.#unfinished = true;
    }
  }

  #say(type: 'text' | 'reasoning', delta: string, block: TurnBlock | undefined): void {
    this.#unfinished ||= delta !== '';
    this.parts.append(type, delta, block?.type === type ? block : undefined);
  }

  #call(call: Call, json: string): void {
    this.#unfinished = true;
    this.parts.call(call.id, call.name, json, callOptions(call));
  }

  #stopBlock(index: number): void {
    const open = this.#blocks.get(index);
    if (open?.type === 'call') this.#call(open.call, open.json);
    else if (open?.type === 'other') this.#unfinished = true;
    this.#blocks.delete(index);
    this.#started = undefined;
  }

  #stopMessage(): void {
    this.#message = undefined;
    const stop = this.#stop_reason ?? '';
    const goes_on = stop === 'pause_turn' || stop === 'tool_use';
    if (!this.#answered_by_tool && !goes_on)
      for (const text of this.#held?.take() ?? []) this.#say('text', text, this.parts.open('text'));
    this.#held?.drop();
    const reason = this.#answered_by_tool && stop === 'tool_use' ? 'stop' : (finishReasons[stop] ?? 'other');
    this.#unfinished = false;
    this.parts.push({ type: 'finish', reason, usage: usageOf(this.#usage) });
  }
}
