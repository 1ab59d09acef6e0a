import type { LanguageModelV4ReasoningPart, LanguageModelV4TextPart, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ModelPart } from '../driver.ts';
import type { AssistantParts } from '../request/reasoning-store.ts';
import { asObject, parseArguments } from '../request/tool-input.ts';

/** A text or a thought of the turn, which grows with its deltas. */
export type TurnBlock = LanguageModelV4TextPart | LanguageModelV4ReasoningPart;

/**
 * The parts of an answer, taken in batches. Deltas that wait together become one part: they came in one piece of
 * network, so a reader sees them no later.
 */
export class AnswerParts {
  /** Everything of the turn so far, as the provider wants it back with the results of tools. */
  readonly turn: AssistantParts = [];
  #waiting: ModelPart[] = [];
  #last: ModelPart | undefined;

  /** Whether there is something to take. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Removes and returns what waits. */
  take(): ModelPart[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#last = undefined;
    return taken;
  }

  /** What comes from now on becomes a part of its own. */
  endPiece(): void {
    this.#last = undefined;
  }

  open(type: TurnBlock['type'], providerOptions?: SharedV4ProviderOptions): TurnBlock {
    const block = { type, text: '', ...(providerOptions && { providerOptions }) };
    this.turn.push(block);
    return block;
  }

  /** Appends a delta to a block, and to the part that waits if it is of the same type. */
  append(type: TurnBlock['type'], delta: string, block?: TurnBlock): void {
    if (delta === '') return;
    if (block) block.text += delta;
    if (this.#last?.type === type) this.#last.text += delta;
    else this.push({ type, text: delta });
  }

  /** Adds a whole tool call; its arguments are the JSON that the model wrote. */
  call(id: string, name: string, json: string, providerOptions?: SharedV4ProviderOptions): void {
    const input = parseArguments(json);
    const options = providerOptions ? { providerOptions } : {};
    this.turn.push({ type: 'tool-call', toolCallId: id, toolName: name, input: asObject(input), ...options });
    this.push({ type: 'tool-call', id, name, input });
  }

  push(part: ModelPart): void {
    this.#waiting.push(part);
    this.#last = part;
  }
}
