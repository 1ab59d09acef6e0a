import { AppError } from '@atrium/contract/errors.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Targets } from './deliver/deliveries.ts';
import type { TriggerRow } from './store.ts';

/** What the input of a run has besides the values of the definition. */
const brought: Readonly<Record<string, readonly string[]>> = {
  row: ['row_ids', 'count', 'row', 'table_id'],
  document: ['document_id', 'name', 'knowledge_base_id'],
  conversation: ['conversation_id', 'run_id', 'status', 'agent_id'],
  run: ['run_id', 'status', 'error', 'conversation_id', 'workflow_id', 'agent_id'],
};

const advice: Readonly<Record<string, string>> = {
  webhook: 'every message has to bring it',
  event: 'the event does not bring it',
  schedule: 'nothing else brings it',
};

/** Names each value that the workflow of a trigger needs and that its definition does not give. */
export async function warnOfMissingInputs(
  scope: Scope,
  row: TriggerRow,
  targets: Pick<Targets, 'missingInputs'>,
): Promise<RequestWarning[]> {
  const { type, event, input } = row.definition;
  const family = brought[event?.split('.')[0] ?? ''] ?? [];
  const given = { ...Object.fromEntries([...family, 'trigger'].map((name) => [name, true])), ...input };
  try {
    const missing = await targets.missingInputs(scope, row, given);
    return missing.map((name) => ({
      loc: ['body', 'definition', 'input', name],
      msg: `The workflow needs ${name}, which the trigger does not give: ${advice[type] ?? advice['schedule']}`,
      type: 'missing_input',
    }));
  } catch (error) {
    // Of a workflow or a version that is gone: the trigger can be read, changed and switched off all the same.
    if (error instanceof AppError && error.kind === 'not_found') return [];
    throw error;
  }
}
