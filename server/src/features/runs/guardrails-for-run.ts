import { createHash } from 'node:crypto';
import type { Scope } from '../../lib/scope.ts';
import { oneWay, type Veil } from '../models/veil.ts';
import { guardrailsOf } from '../safety/guardrails/categories.ts';
import { makeLeakCheck } from '../safety/guardrails/context-leak.ts';
import type { Guardrails } from '../safety/guardrails/guardrails.ts';
import type { Judge } from '../safety/guardrails/judge.ts';
import { GuardrailUnavailable } from '../safety/guardrails/unavailable.ts';
import type { Settings } from '../settings/settings.ts';
import { type Guard, type Look, makeGuard } from './guard.ts';
import { RunFailure } from './run-failure.ts';

export interface GuardedRun {
  settings: Settings;
  /** The system prompt, without what is added here. */
  prompt: string;
  conversation_id: string;
  /** What the user said: it may be repeated, whatever the prompt says. */
  said: string;
  veil: Veil;
  signal: AbortSignal;
}

export type RunGuardrails = ReturnType<typeof makeRunGuardrails>;

/** A guardrail that can't be asked counts as one that said no. */
function unavailable(error: unknown): never {
  if (error instanceof GuardrailUnavailable) throw new RunFailure('guardrail_unavailable', error.message);
  throw error;
}

/** The same in every run of a conversation, so that the provider's cache of the prompt stays good. */
const canaryOf = ({ prompt, conversation_id }: GuardedRun) =>
  createHash('sha256').update(prompt).update('\0').update(conversation_id).digest('hex').slice(0, 20);

/** The guardrails that the settings ask for, and the system prompt as they need it. */
export function makeRunGuardrails({ guardrails }: { guardrails: Guardrails }) {
  return (scope: Scope, run: GuardedRun): { system: string; guard: Guard } => {
    const { settings, prompt, veil, signal } = run;
    const leak = settings.context_leak ? makeLeakCheck(prompt, canaryOf(run)) : undefined;
    let judging: Promise<Judge> | undefined;
    // What it says of the text must not bring back what was hidden in it.
    const judge = () => {
      judging ??= guardrails.askFor(scope, oneWay(veil)).then(guardrails.judge);
      return judging;
    };

    const look: Look = async (stage, text, calls = '') => {
      const asks = guardrailsOf(stage, settings).length > 0 && text.trim() !== '';
      const leaks = stage === 'output' && leak !== undefined;
      if (!asks && !leaks) return undefined;
      const started = performance.now();
      const check = asks
        ? await judge()
            .then((one) => one.check({ text, stage, settings, signal }), unavailable)
            .catch(unavailable)
        : undefined;
      const leaked = leaks ? leak.leaks(`${text}\n${calls}`, [run.said]) : undefined;
      const objections = (check?.violations ?? []).map(({ category, severity, reason }) => ({
        category,
        severity,
        reason,
      }));
      if (leaked?.flagged)
        objections.push({ category: 'context_leak', severity: leaked.severity, reason: leaked.reason });
      return { objections, ms: Math.round(performance.now() - started) };
    };
    const system = leak ? `${prompt}\n\n${leak.canaryLine}` : prompt;
    return { system, guard: makeGuard(settings, look) };
  };
}
