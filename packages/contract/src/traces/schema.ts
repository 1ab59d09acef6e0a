import { z } from 'zod';
import { purposes } from '../models/purposes.ts';

const usage = {
  input_tokens: z.int(),
  cached_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  /** In US dollars; null when no price is known. */
  cost: z.number().nullable(),
};

const step = { id: z.string(), started_at: z.iso.datetime(), ms: z.int(), error: z.boolean() };

export const traceStep = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('model'),
    ...step,
    purpose: z.enum(purposes),
    model: z.string(),
    ttft_ms: z.int().nullable(),
    status: z.enum(['ok', 'failed', 'stopped']),
    ...usage,
    /** The provider did not say what was used. */
    estimated: z.boolean(),
    /** As it was sent; null when it is not kept, or not any more. */
    prompt: z
      .strictObject({
        system: z.string(),
        messages: z.array(z.unknown()),
        tools: z.array(z.string()),
        settings: z.record(z.string(), z.unknown()),
        left_out: z.int(),
      })
      .nullable(),
  }),
  z.strictObject({ kind: z.literal('tool'), ...step, name: z.string() }),
  z.strictObject({
    kind: z.literal('guardrail'),
    ...step,
    stage: z.string(),
    /** What came of it; null when nobody objected. */
    action: z.string().nullable(),
  }),
]);

export const trace = z
  .strictObject({
    run_id: z.guid(),
    conversation_id: z.guid(),
    agent_id: z.guid().nullable(),
    version_id: z.guid().nullable(),
    status: z.string(),
    started_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    ...usage,
    steps: z.array(traceStep),
  })
  .meta({ id: 'Trace' });

export type Trace = z.output<typeof trace>;
export type TraceStep = z.output<typeof traceStep>;
