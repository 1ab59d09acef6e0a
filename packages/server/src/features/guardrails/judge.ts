import { createHash } from 'node:crypto';
import { type Guardrail, guardrailsOf, isFlagged, rankOf } from '@atrium/contract/safety/categories.ts';
import { throwIfFinal } from '../../lib/budget-reached.ts';
import type { Ask } from './guardrail-question.ts';
import { GuardrailUnavailable } from './guardrail-unavailable.ts';
import type { Check, CheckInput, Judge, Verdict } from './ports.ts';
import { type Grade, readVerdict } from './read-verdict.ts';
import { scrubReason } from './scrub-reason.ts';
import { windowsOf } from './split-into-windows.ts';
import { promptOf, questionOf, verdictSchema } from './write-question.ts';

export interface JudgeOptions {
  ask: Ask;
  /** The time limit of each call. */
  timeout_ms: number;
  /** The characters of one call: small models have small windows, and some scripts need a token for each character. */
  window?: number;
}

/** How many pieces of a text a guardrail judges at once. */
const atOnce = 4;
/** Enough for a verdict, also from a model that reasons first. */
const max_tokens = 1000;

/** Settles with the work, or rejects when the signal aborts, even if the work ignores the signal. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const stop = () => over.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Asks the guardrails about the texts of one run, and remembers the grades. */
export function makeJudge({ ask, timeout_ms, window = 12_000 }: JudgeOptions): Judge {
  const known = new Map<string, Grade>();

  /** Makes one call. An answer that is not a verdict is a failure, and a failure is never a pass. */
  async function call(category: string, prompt: string, text: string, signal: AbortSignal): Promise<Grade> {
    const failed = (why: string) =>
      new GuardrailUnavailable(`The guardrail ${category} could not be applied: ${why}`, category);
    signal.throwIfAborted();
    const limit = AbortSignal.timeout(timeout_ms);
    const either = AbortSignal.any([signal, limit]);
    let answer: string;
    try {
      const asked = ask({ ...questionOf(prompt, text), max_tokens, json_schema: verdictSchema, signal: either });
      answer = await unless(either, asked);
    } catch (error) {
      signal.throwIfAborted();
      throwIfFinal(error);
      throw failed(limit.aborted ? `no verdict within ${timeout_ms / 1000} s` : 'its model failed');
    }
    const grade = readVerdict(answer);
    if (!grade) throw failed('its model gave no usable verdict');
    return { severity: grade.severity, reason: scrubReason(grade.reason, text) };
  }

  async function graded(category: string, prompt: string, text: string, signal: AbortSignal): Promise<Grade> {
    const key = createHash('sha256').update(prompt).update('\0').update(text).digest('base64');
    const grade = known.get(key) ?? (await call(category, prompt, text, signal));
    known.set(key, grade);
    return grade;
  }

  /** The gravest grade of all windows. Once one window is flagged, the rest is not asked about. */
  async function verdictOf({ category, level, context }: Guardrail, input: CheckInput): Promise<Verdict> {
    const started = performance.now();
    const prompt = promptOf({ category, level, context }, input.stage);
    const left = windowsOf(input.text, window).values();
    let worst: Grade | undefined;
    const flagged = () => worst !== undefined && isFlagged(level, worst.severity);
    const work = async () => {
      for (const piece of left) {
        const grade = await graded(category, prompt, piece, input.signal);
        if (!worst || rankOf(grade.severity) > rankOf(worst.severity)) worst = grade;
        if (flagged()) return;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const { severity, reason } = worst as unknown as Grade;
    return { category, level, flagged: flagged(), severity, reason, ms: Math.round(performance.now() - started) };
  }

  return {
    async check({ signal, ...input }: CheckInput): Promise<Check> {
      const started = performance.now();
      const guardrails = input.text.trim() === '' ? [] : guardrailsOf(input.stage, input.settings);
      signal.throwIfAborted();
      const answers = await Promise.allSettled(guardrails.map((one) => verdictOf(one, { ...input, signal })));
      signal.throwIfAborted();
      const verdicts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const violations = verdicts.filter(({ flagged }) => flagged);
      for (const answer of answers) {
        if (answer.status === 'fulfilled') continue;
        // The text does not pass; the error carries what other guardrails flagged.
        if (answer.reason instanceof GuardrailUnavailable) answer.reason.violations = violations;
        throw answer.reason;
      }
      return { verdicts, violations, ms: Math.round(performance.now() - started) };
    },
  };
}
