import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import { type Model, ModelError, type ModelMessage, type ModelPart, type ModelRequest } from '../driver.ts';
import { answerFor } from './answer.ts';
import { pendingCalls, planFor, type Wanted } from './plan.ts';
import { readTurn } from './read-turn.ts';

export const extractiveModelName = 'atrium/extractive';

/** Counts tokens as the limits of a run do, so that an answer never exceeds them. */
export interface Estimates {
  estimateTokens(text: string): number;
  estimateMessages(messages: readonly ModelMessage[]): number;
}

/** Ids are deterministic, and differ at other places of the conversation. */
const callId = (request: ModelRequest, wanted: Wanted, at: number) =>
  `call_${createHash('sha256')
    .update(
      JSON.stringify([request.messages.length, at, wanted, request.messages.at(-1)], (_, value: unknown) =>
        value instanceof Uint8Array ? value.length : value,
      ),
    )
    .digest('hex')
    .slice(0, 24)}`;

const upTo = (text: string, stops: readonly string[]) =>
  stops.reduce((kept, stop) => (stop && kept.includes(stop) ? kept.slice(0, kept.indexOf(stop)) : kept), text);

/** A few words at a time, as readers of a stream expect; long words are cut between characters. */
const piecesOf = <T extends 'text' | 'advice'>(type: T, text: string) =>
  [...text.matchAll(/\s*\S{1,24}\s*/gu)].map(([piece]) => ({ type, text: piece }));

/**
 * The built-in model: no network, no weights, deterministic. It searches with the agent's own tools, quotes the best
 * sentences with their sources, and replies that it found nothing when there are none.
 */
export function makeExtractive({ estimateTokens, estimateMessages }: Estimates): Model {
  const inputTokens = ({ system, messages, tools }: ModelRequest) =>
    estimateTokens(system) +
    estimateMessages(messages) +
    tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0);

  return {
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      signal.throwIfAborted();
      if (request.json_schema || request.json_object)
        throw new ModelError(`${extractiveModelName} can't answer in a given form: this needs a language model`, {
          status: 400,
        });
      const input_tokens = inputTokens(request);
      const finish = (reason: FinishReason, output_tokens: number): ModelPart => ({
        type: 'finish',
        reason,
        usage: { input_tokens, cached_tokens: 0, output_tokens, reasoning_tokens: 0 },
      });
      const turn = readTurn(request);
      if (typeof request.tool_choice === 'object')
        turn.hints = { agent: turn.hints.agent, tool: request.tool_choice.tool };
      const plan = planFor(turn, request.tools);
      const pending = pendingCalls(plan, turn);
      if (pending.length > 0) {
        const calls = request.parallel_tool_calls ? pending : pending.slice(0, 1);
        const tokens = calls.reduce((sum, call) => sum + estimateTokens(JSON.stringify(call)), 0);
        if (tokens > request.max_tokens) return yield finish('length', 0);
        for (const [at, { name, input }] of calls.entries())
          yield { type: 'tool-call', id: callId(request, { name, input }, at), name, input };
        return yield finish('tool-calls', tokens);
      }

      let said = '';
      const answer = answerFor(plan, turn, request.tools);
      const text = upTo(answer.text, request.stop_sequences);
      const advice = text === answer.text && answer.advice ? `\n\n${answer.advice}` : '';
      const pieces = [...piecesOf('text', text), ...piecesOf('advice', advice)];
      for (const [index, piece] of pieces.entries()) {
        if (index % 32 === 0) await nextTick();
        signal.throwIfAborted();
        if (estimateTokens(said + piece.text) > request.max_tokens) return yield finish('length', estimateTokens(said));
        said += piece.text;
        yield piece;
      }
      yield { ...finish('stop', estimateTokens(said)), ...(answer.found_nothing && { found_nothing: true }) };
    },
  };
}
