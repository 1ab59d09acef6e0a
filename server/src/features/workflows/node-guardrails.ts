import { oneWay, type Veil } from '../models/veil.ts';
import { guardrailsOf } from '../safety/guardrails/categories.ts';
import type { Guardrails } from '../safety/guardrails/guardrails.ts';
import { GuardrailUnavailable } from '../safety/guardrails/unavailable.ts';
import { tightenToInherited } from '../settings/inherited-settings.ts';
import { effectiveSettings } from '../settings/settings.ts';
import { type NodeContext, NodeFailure } from './node.ts';

/** Workflows have no guardrails of their own. */
const ownSettings = effectiveSettings({});

export type NodeGuardrails = ReturnType<typeof makeNodeGuardrails>;

/** Checks input and output of a workflow's models by the guardrails of the conversation that runs it. */
export const makeNodeGuardrails =
  ({ guardrails }: { guardrails: Pick<Guardrails, 'askFor' | 'judge'> }) =>
  ({ scope, signal, log }: NodeContext, veil: Veil) => {
    const settings = tightenToInherited(ownSettings, scope.inherits);
    return async (stage: 'input' | 'output', text: string): Promise<void> => {
      if (guardrailsOf(stage, settings).length === 0) return;
      try {
        const judge = guardrails.judge(await guardrails.askFor(scope, oneWay(veil)));
        const { violations } = await judge.check({ text, stage, settings, signal });
        if (violations.length === 0) return;
        const message = `A guardrail of the conversation objected: ${violations.map(({ category }) => category).join(', ')}`;
        if (settings.guardrail_action.value !== 'warn')
          throw new NodeFailure('guardrail_violation', message, { passing: false });
        log(message);
      } catch (error) {
        if (error instanceof GuardrailUnavailable) throw new NodeFailure('guardrail_unavailable', error.message);
        throw error;
      }
    };
  };
