import assert from 'node:assert/strict';
import fc from 'fast-check';
import { packageModel } from '../../../../test/providers/package-models.ts';
import { anthropic } from '../../providers/anthropic.ts';
import type { ProviderAddress } from '../../providers/driver.ts';
import { openaiCompatible } from '../../providers/openai-compatible.ts';
import type { Post } from '../../web/driver.ts';
import { type Model, ModelError, type ModelPart, type ModelRequest } from '../driver.ts';
import type { Refusals, Setting } from '../request/call-options.ts';
import { makeDirectModel } from './direct-model.ts';

/** An answer as bytes, with the places where the network cuts it. */
export interface WireAnswer {
  status?: number;
  headers?: Record<string, string>;
  bytes: Buffer;
  cuts?: readonly number[];
  /** The connection breaks instead of ending. */
  breaks?: boolean;
}

export interface SentRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

const broken = () => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

export function piecesOf({ bytes, cuts = [] }: WireAnswer): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** A post that answers what it is given, one piece in each turn of the event loop. */
function fakePost(next: () => WireAnswer, sent: SentRequest[]): Post {
  return (url, { headers, body }, receiver) => {
    sent.push({ url, headers: { ...headers }, body: JSON.parse(body) });
    const answer = next();
    let over = false;
    const steps = [
      () => receiver.head(answer.status ?? 200, statusTexts[answer.status ?? 200] ?? '', answer.headers ?? {}),
      ...piecesOf(answer).map((piece) => () => receiver.data(piece)),
      () => (answer.breaks ? receiver.fail(broken()) : receiver.end()),
    ];
    const go = () => {
      if (over) return;
      steps.shift()?.();
      if (steps.length) setImmediate(go);
    };
    setImmediate(go);
    const abort = (reason: unknown) => {
      if (over) return;
      over = true;
      receiver.fail(reason);
    };
    return { pause() {}, resume() {}, abort };
  };
}

/** The same answers for the packages. */
function fakeFetch(next: () => WireAnswer, sent: SentRequest[]): typeof fetch {
  return async (url, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    sent.push({ url: String(url), headers, body: JSON.parse(String(init?.body)) });
    const { status = 200, bytes, breaks, headers: answered } = next();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (bytes.length) controller.enqueue(Uint8Array.from(bytes));
      },
      async pull(controller) {
        // What has come is read before the end is noticed.
        await new Promise(setImmediate);
        if (breaks) controller.error(new TypeError('terminated', { cause: broken() }));
        else controller.close();
      },
    });
    return new Response(body, {
      status,
      statusText: statusTexts[status] ?? '',
      ...(answered && { headers: answered }),
    });
  };
}

export type Kind = 'chat' | 'messages';

/** A model by our driver and one by the provider's package, with the requests that each has sent. */
export function bothModels(kind: Kind, name: string, answers: readonly WireAnswer[], known?: Partial<Refusals>) {
  const sides = [true, false].map((direct) => {
    const sent: SentRequest[] = [];
    const queue = [...answers];
    const next = () => queue.shift() ?? { bytes: Buffer.alloc(0) };
    const provider = kind === 'chat' ? openaiCompatible : anthropic;
    const address: ProviderAddress = {
      ...{ provider, base_url: 'http://models.example/v1', api_key: 'k-123' },
      ...{ fetch: fakeFetch(next, sent), post: fakePost(next, sent) },
    };
    const protocol = provider.protocol?.(address);
    if (!protocol) throw new Error(`There is no driver for ${kind}`);
    const refusals = {
      settings: new Set<Setting>(known?.settings),
      max_tokens: known?.max_tokens ?? null,
      until: 1e15,
    };
    const common = { traits: provider.traits(address, name), secrets: ['k-123'], refusals: () => refusals };
    const model = direct
      ? makeDirectModel({ ...common, address, protocol, model: name })
      : packageModel(address, name, refusals);
    return { model, sent };
  });
  const [ours, theirs] = sides;
  if (!ours || !theirs) throw new Error('There are two sides');
  return { ours, theirs };
}

/** Everything a caller sees of an answer. Deltas that follow each other count as one. */
export async function outcomeOf(model: Model, request: ModelRequest) {
  const parts: ModelPart[] = [];
  let error: Pick<ModelError, 'message' | 'status' | 'retry_after_ms'> | undefined;
  try {
    for await (const part of model.stream(request, new AbortController().signal)) {
      const last = parts.at(-1);
      if ((part.type === 'text' || part.type === 'reasoning') && last?.type === part.type) last.text += part.text;
      else parts.push({ ...part });
    }
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    const { message, status, retry_after_ms } = thrown;
    error = { message, status, retry_after_ms };
  }
  return { parts, error };
}

/** Ids that were not on the wire are made up, by each side in its own way. */
const withoutMadeUpIds = (parts: readonly ModelPart[], wire: string) =>
  parts.map((part) =>
    part.type === 'tool-call' && !wire.includes(JSON.stringify(part.id)) ? { ...part, id: '' } : part,
  );

const textOf = (parts: readonly ModelPart[], type: 'text' | 'reasoning') =>
  parts.map((part) => (part.type === type ? part.text : '')).join('');

/**
 * Asserts that both drivers make the same of an answer. After an error the packages may have lost parts that had come
 * before it; ours has them.
 */
export async function assertSameAnswer(kind: Kind, request: ModelRequest, answer: WireAnswer): Promise<void> {
  const { ours, theirs } = bothModels(kind, request.model, [answer]);
  const [mine, other] = [await outcomeOf(ours.model, request), await outcomeOf(theirs.model, request)];
  // The package says of a first event that it can't read that its own error has an unexpected form.
  if (other.error?.message.endsWith('Expected a normalized Anthropic stream error'))
    other.error.message = 'The provider sent an answer that could not be read';
  assert.deepEqual(mine.error, other.error);
  const wire = answer.bytes.toString();
  const [parts, otherParts] = [withoutMadeUpIds(mine.parts, wire), withoutMadeUpIds(other.parts, wire)];
  if (!other.error) return assert.deepEqual(parts, otherParts);
  for (const type of ['text', 'reasoning'] as const)
    assert.ok(textOf(parts, type).startsWith(textOf(otherParts, type)), `${type} is lost`);
  const callsIn = (list: readonly ModelPart[]) => list.filter(({ type }) => type === 'tool-call');
  assert.deepEqual(callsIn(parts).slice(0, callsIn(otherParts).length), callsIn(otherParts));
}

/** Texts with characters of several bytes, line breaks and the words of the protocols. */
export const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('Grüße, 世界 👋', 'data: x\n\n', '[DONE]', ' ', '{"a":', '\r\n'),
);

const lineEnds = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');

/** Frames as a server-sent stream, with comments and fields that mean nothing, cut anywhere. */
export const wireOf = (frames: fc.Arbitrary<(object | string)[]>): fc.Arbitrary<WireAnswer> =>
  fc
    .record({
      frames,
      end: lineEnds,
      noise: fc.array(
        fc.constantFrom('', ': a comment', 'event: x', 'id: 7', 'retry: 5', 'dataset: 1', 'data', 'foo'),
        {
          maxLength: 3,
        },
      ),
      space: fc.constantFrom(' ', ''),
      bom: fc.boolean(),
      breaks: fc.boolean().chain((once) => (once ? fc.boolean() : fc.constant(false))),
      /** How much of the end is missing. */
      missing: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(60) }),
      cuts: fc.array(fc.nat(5000), { maxLength: 40 }),
    })
    .map(({ frames: given, end, noise, space, bom, breaks, missing, cuts }) => {
      const text = given
        .map((frame, index) => {
          const field = noise[index] === undefined || noise[index] === 'data' ? '' : `${noise[index]}${end}`;
          const data = typeof frame === 'string' ? frame : JSON.stringify(frame);
          return `${field}data:${space}${data}${end}${end}`;
        })
        .join('');
      const bytes = Buffer.from(`${bom ? '\uFEFF' : ''}${text}`);
      return { bytes: bytes.subarray(0, bytes.length - Math.min(missing, bytes.length)), cuts, breaks };
    });
