import { guardrailsOf } from '@atrium/contract/safety/categories.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Guardrails } from '../../guardrails/service.ts';
import { GuardrailUnavailable } from '../../guardrails/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import { keepAnonymized } from '../../model-calls/service.ts';
import { tightenToInherited } from '../../settings/service.ts';
import type { NodeContext } from '../nodes/define-node.ts';
import { NodeFailure } from '../nodes/node-failure.ts';

/** Workflows have no guardrails of their own. */
const ownSettings = effectiveSettings({});

export type NodeGuardrails = (
  context: NodeContext,
  veil: Anonymizer,
) => (stage: 'input' | 'output', text: string) => Promise<void>;

/** Checks input and output of a workflow's models by the guardrails of the conversation that runs it. */
export const makeNodeGuardrails =
  ({ guardrails }: { guardrails: Pick<Guardrails, 'askFor' | 'judge'> }): NodeGuardrails =>
  ({ scope, signal, log }: NodeContext, anonymizer: Anonymizer) => {
    const settings = tightenToInherited(ownSettings, scope.inherits);
    return async (stage: 'input' | 'output', text: string): Promise<void> => {
      if (guardrailsOf(stage, settings).length === 0) return;
      try {
        const judge = guardrails.judge(await guardrails.askFor(scope, keepAnonymized(anonymizer)));
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
