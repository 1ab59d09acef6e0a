import { piiEntities, piiEntriesOf } from '@atrium/contract/settings/keys/safety.ts';
import { type ModelMessage, plainRequest } from '../../drivers/models/driver.ts';
import { redactedErrorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Anonymization } from '../anonymization/service.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { noAnonymizer } from '../model-calls/service.ts';
import type { TracesDeps } from './service.ts';

/** Times, places and pages identify nobody, and a trace would be hard to read without them. */
const identifying = piiEntriesOf(
  piiEntities.filter((entity) => entity !== 'DATE_TIME' && entity !== 'LOCATION' && entity !== 'URL'),
);

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** A value that was JSON is JSON again. */
function asBefore(text: string, before: unknown): unknown {
  if (typeof before === 'string' || before === null || before === undefined) return before === undefined ? null : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface ShownValues {
  id: string;
  name: string;
  error: boolean;
  input: unknown;
  output: unknown;
}

/** Puts placeholders in place of private values, as a model would get them. */
async function hideIn(anonymizer: Anonymizer, steps: readonly ShownValues[]): Promise<void> {
  const messages: ModelMessage[] = [
    {
      role: 'assistant',
      parts: steps.map(({ id, name, input }) => ({ type: 'tool-call', id, name, input })),
    },
    {
      role: 'tool',
      results: steps.map(({ id, name, output, error }) => ({
        ...{ id, name, output: output === null ? '' : asText(output), is_error: error },
      })),
    },
  ];
  const asked = { ...plainRequest, model: '', system: '', max_tokens: 1, messages };
  const [calls, answers] = (await anonymizer.anonymize(asked)).messages;
  for (const [at, step] of steps.entries()) {
    const call = calls?.role === 'assistant' ? calls.parts[at] : undefined;
    const result = answers?.role === 'tool' ? answers.results[at] : undefined;
    if (call?.type !== 'tool-call' || !result) throw new Error('The values of a step could not be hidden');
    step.input = call.input;
    step.output = step.output === null ? null : asBefore(result.output, step.output);
  }
}

/** What can't be hidden is not shown. */
async function hideOrDrop(
  scope: Scope,
  steps: readonly { input: unknown; output: unknown }[],
  hide: () => Promise<void>,
): Promise<void> {
  if (steps.length === 0) return;
  try {
    await hide();
  } catch (error) {
    scope.log.warn('traces.values_not_hidden', redactedErrorFields(error));
    for (const step of steps) Object.assign(step, { input: null, output: null });
  }
}

/** Hides private values in the steps of traces. */
export function makeHideValues(deps: {
  transcript: Pick<Transcript, 'read'>;
  privacy: Pick<Anonymization, 'conversationAnonymizer' | 'temporaryAnonymizer'>;
}): Pick<TracesDeps, 'hideValues' | 'hideNodeValues'> {
  return {
    /** With the placeholders of the conversation. */
    hideValues: (scope, conversation_id, tools) =>
      hideOrDrop(scope, tools, async () => {
        const { row, settings } = await deps.transcript.read(scope, conversation_id);
        const { workspace_id } = scope;
        const anonymizer = deps.privacy.conversationAnonymizer(workspace_id, conversation_id, settings, row.inherits);
        if (anonymizer !== noAnonymizer) await hideIn(anonymizer, tools);
      }),

    /** A workflow has no settings of its own, so what identifies people is hidden. */
    hideNodeValues: (scope, nodes) =>
      hideOrDrop(scope, nodes, async () => {
        const named = nodes.map((node) => ({ ...node, name: node.node_id }));
        await hideIn(deps.privacy.temporaryAnonymizer({ pii_anonimization: identifying }, scope), named);
        for (const [at, node] of nodes.entries())
          Object.assign(node, { input: named[at]?.input ?? null, output: named[at]?.output ?? null });
      }),
  };
}
