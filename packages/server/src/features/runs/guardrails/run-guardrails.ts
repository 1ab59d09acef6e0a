import { createHash } from 'node:crypto';
import type { Objection } from '@atrium/contract/runs/events.ts';
import { guardrailsOf } from '@atrium/contract/safety/categories.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { CoveredText } from '../../../lib/text/covered-text.ts';
import type { Judge, Verdict } from '../../guardrails/ports.ts';
import type { Guardrails } from '../../guardrails/service.ts';
import { GuardrailUnavailable, makeLeakCheck } from '../../guardrails/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import { keepAnonymized } from '../../model-calls/service.ts';
import { type Guard, type Looking, makeGuard } from './guard.ts';

export interface GuardedRun {
  settings: Settings;
  /** The settings whose texts a model reads, with marked values. */
  prompts: Settings;
  /** The system prompt, with a canary line if there is one. */
  prompt(mark?: string): CoveredText;
  conversation_id: string;
  /** The message of the user, which the reply may repeat. */
  said: string;
  anonymizer: Anonymizer;
  signal: AbortSignal;
}

export type RunGuardrails = ReturnType<typeof makeRunGuardrails>;

const asObjection = ({ category, severity, reason }: Verdict): Objection => ({ category, severity, reason });

/** The same in every run of a conversation, so that the provider's cache of the prompt stays good. */
const canaryOf = (prompt: string, conversation_id: string) =>
  createHash('sha256').update(prompt).update('\0').update(conversation_id).digest('hex').slice(0, 20);

/** The guardrails that the settings ask for, and the system prompt as they need it. */
export function makeRunGuardrails({ guardrails }: { guardrails: Guardrails }) {
  return (scope: Scope, run: GuardedRun): { system: CoveredText; guard: Guard } & Looking => {
    const { settings, anonymizer, signal } = run;
    const prompt = run.prompt();
    const leak = settings.context_leak
      ? makeLeakCheck(prompt.text, canaryOf(prompt.text, run.conversation_id))
      : undefined;
    let judging: Promise<Judge> | undefined;
    // The verdict must not reveal values that were anonymized in the text.
    const judge = () => {
      judging ??= guardrails.askFor(scope, keepAnonymized(anonymizer)).then(guardrails.judge);
      return judging;
    };

    /** An unavailable guardrail counts as an objection, in addition to those that guardrails raised. */
    async function judged(stage: Parameters<Looking['look']>[0], text: string): Promise<Objection[]> {
      if (guardrailsOf(stage, settings).length === 0) return [];
      try {
        return (await (await judge()).check({ text, stage, settings: run.prompts, signal })).violations.map(
          asObjection,
        );
      } catch (error) {
        if (!(error instanceof GuardrailUnavailable)) throw error;
        if (error.violations.length && settings.guardrail_action.value !== 'warn')
          return error.violations.map(asObjection);
        throw new RunFailure('guardrail_unavailable', error.message);
      }
    }

    const looking: Looking = {
      asks: (stage) => guardrailsOf(stage, settings).length > 0 || (stage === 'output' && leak !== undefined),
      async look(stage, { text, calls = '' }) {
        const started = performance.now();
        // Tool arguments are model output as well: clients see them and tools act on them.
        const objections = await judged(stage, [text, calls].filter(Boolean).join('\n\n'));
        const leaked = stage === 'output' ? leak?.leaks(`${text}\n${calls}`, [run.said]) : undefined;
        if (leaked?.flagged)
          objections.push({ category: 'context_leak', severity: leaked.severity, reason: leaked.reason });
        return { objections, ms: Math.round(performance.now() - started) };
      },
    };
    return { system: leak ? run.prompt(leak.canaryLine) : prompt, guard: makeGuard(settings, looking), ...looking };
  };
}
