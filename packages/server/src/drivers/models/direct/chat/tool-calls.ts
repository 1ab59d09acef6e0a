import { randomUUID } from 'node:crypto';
import { UnreadableAnswer } from '../../model-errors.ts';
import { JsonProgress, startsStructure } from './json-progress.ts';

/** A piece of a tool call, of which only some fields may be there. */
export interface CallDelta {
  index?: number | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  arguments?: string | null | undefined;
  /** Google's signature of the thoughts before the call. */
  signature?: string | undefined;
}

export interface ToolCall {
  id: string;
  name: string;
  input: string;
  index: number | undefined;
  signature: string | undefined;
  wire_ids: Set<string>;
  indices: Set<number>;
  progress: JsonProgress;
}

/** Each piece is compared with all calls, so their number is limited. */
const mostCalls = 1000;

const nonBlank = (value: string | null | undefined) => (value?.trim() ? value : undefined);

/** The call that a delta continues; `undefined` when it can't be told which. */
type Match = ToolCall | 'new' | undefined;

/**
 * Among calls that fit: the only one, or the only one whose arguments are not complete. A delta that looks like the
 * beginning of arguments does not continue a complete call.
 */
function pick(calls: readonly ToolCall[], starts: boolean): Match {
  if (calls.length === 0) return 'new';
  if (calls.length === 1 && !starts) return calls[0];
  const open = calls.filter(({ progress }) => !progress.complete);
  if (open.length === 1) return open[0];
  return open.length === 0 && starts ? 'new' : undefined;
}

/**
 * Puts the tool calls of a stream together. Servers differ in what they repeat: some send no index, some the same one for
 * all calls, some another id with each piece. The rules are those of the AI SDK packages.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  readonly #used = new Set<string>();

  add(delta: CallDelta): void {
    const [id, name] = [nonBlank(delta.id), nonBlank(delta.name)];
    const index = delta.index ?? undefined;
    const starts = name !== undefined && startsStructure(delta.arguments);
    const empty = !delta.arguments?.trim();
    const match = this.#match({ id, index, name, starts, empty });
    if (match === undefined) return;
    let call: ToolCall;
    if (match === 'new') {
      // Some servers repeat a blank name with every piece.
      if (typeof delta.name === 'string' && name === undefined) return;
      if (name === undefined) throw new UnreadableAnswer();
      call = this.#begin(id, name, index, delta.signature);
    } else call = match;
    if (id !== undefined) call.wire_ids.add(id);
    if (index !== undefined) call.indices.add(index);
    call.input += delta.arguments ?? '';
    call.progress.append(delta.arguments ?? '');
  }

  /** All calls: by their indices where every call has one, otherwise as they came. */
  all(): readonly ToolCall[] {
    const indexed = this.#calls.every(({ index }) => index !== undefined);
    return indexed ? this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : this.#calls;
  }

  #match(delta: {
    id: string | undefined;
    index: number | undefined;
    name: string | undefined;
    starts: boolean;
    empty: boolean;
  }): Match {
    const { id, index, name, starts, empty } = delta;
    const named = (calls: readonly ToolCall[]) => (name === undefined ? calls : calls.filter((c) => c.name === name));
    const atIndex = index === undefined ? [] : this.#calls.filter(({ indices }) => indices.has(index));
    if (id === undefined) {
      if (atIndex.length > 0) return pick(named(atIndex), starts);
      return name === undefined ? pick(this.#calls, false) : 'new';
    }
    const withId = this.#calls.filter(({ wire_ids }) => wire_ids.has(id));
    if (withId.length === 0) {
      const fitting = named(atIndex);
      return fitting.length === 0 || starts ? 'new' : pick(fitting, name !== undefined && empty);
    }
    if (index === undefined) return name === undefined ? pick(withId, false) : pick(named(withId), starts);
    const both = pick(
      named(atIndex).filter((call) => withId.includes(call)),
      starts,
    );
    if (both !== 'new' || name !== undefined) return both;
    // The id is of one call and the index of another.
    return atIndex.length > 0 ? undefined : pick(withId, false);
  }

  #begin(wire_id: string | undefined, name: string, index: number | undefined, signature: string | undefined) {
    if (this.#calls.length >= mostCalls) throw new UnreadableAnswer();
    const id = wire_id !== undefined && !this.#used.has(wire_id) ? wire_id : randomUUID();
    this.#used.add(id);
    const call: ToolCall = {
      ...{ id, name, index, signature, input: '' },
      ...{ wire_ids: new Set<string>(), indices: new Set<number>(), progress: new JsonProgress() },
    };
    this.#calls.push(call);
    return call;
  }
}
