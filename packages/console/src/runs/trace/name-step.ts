import { traceTexts as words } from '../../text/traces.ts';
import type { Step } from '../runs.ts';

/** The model without its provider. */
export const shortModel = (model: string) => model.slice(model.indexOf('/') + 1);

/** "ComposeTextNode" as "Compose text". */
const sayType = (type: string): string => {
  const spaced = type
    .replace(/Node$/, '')
    .replaceAll(/(?<=[a-z0-9])([A-Z])/g, ' $1')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

/** What a step is, and how it went, in a few words each. */
export function nameStep(step: Step): { name: string; note: string } {
  switch (step.kind) {
    case 'model':
      return {
        name: shortModel(step.model),
        note: [
          words.purposes[step.purpose] ?? step.purpose,
          step.attempt > 1 && words.attempt(step.attempt),
          step.status === 'failed' && words.stepFailed,
          step.status === 'stopped' && words.stopped,
        ]
          .filter(Boolean)
          .join(', '),
      };
    case 'tool':
      return { name: step.name, note: step.outcome ? (words.outcomes[step.outcome] ?? step.outcome) : '' };
    case 'wait':
      return {
        name: words.waits[step.for],
        note: step.running ? words.waitsStill : step.decision ? (words.decisions[step.decision] ?? step.decision) : '',
      };
    case 'node':
      return {
        name: step.label || (step.type ? sayType(step.type) : step.node_id),
        note: [
          step.label && step.type ? sayType(step.type) : '',
          step.attempt > 1 && words.attempt(step.attempt),
          step.status === 'failed' && words.stepFailed,
          step.status === 'skipped' && words.skipped,
        ]
          .filter(Boolean)
          .join(', '),
      };
    case 'run':
      return { name: step.agent_name ?? words.kinds.run, note: step.error ? words.stepFailed : '' };
    default:
      return {
        name: words.kinds.guardrail,
        note: `${words.stages[step.stage] ?? step.stage}, ${step.action ?? words.passed}`,
      };
  }
}

export const tokensOf = (step: Step): number | undefined =>
  step.kind === 'model' || step.kind === 'run' ? step.input_tokens + step.output_tokens : undefined;

/** What a step cost itself. The runs below a tool have rows of their own. */
export const costOf = (step: Step): number | null | undefined =>
  step.kind === 'model' || step.kind === 'run' ? step.cost : undefined;
