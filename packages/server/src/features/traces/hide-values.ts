import { type ModelMessage, plainRequest } from '../../drivers/models/driver.ts';
import { redactedErrorFields } from '../../lib/log.ts';
import type { Anonymization } from '../anonymization/service.ts';
import type { Transcript } from '../conversations/ports.ts';
import { noAnonymizer } from '../model-calls/service.ts';
import type { TracesDeps } from './service.ts';

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

/** Hides private values of tools as a model would get them: with the placeholders of the conversation. */
export function makeHideValues(deps: {
  transcript: Pick<Transcript, 'read'>;
  privacy: Pick<Anonymization, 'conversationAnonymizer'>;
}): TracesDeps['hideValues'] {
  return async (scope, conversation_id, tools) => {
    if (tools.length === 0) return;
    try {
      const { row, settings } = await deps.transcript.read(scope, conversation_id);
      const { workspace_id } = scope;
      const anonymizer = deps.privacy.conversationAnonymizer(workspace_id, conversation_id, settings, row.inherits);
      if (anonymizer === noAnonymizer) return;
      const messages: ModelMessage[] = [
        {
          role: 'assistant',
          parts: tools.map(({ call_id, name, input }) => ({ type: 'tool-call', id: call_id, name, input })),
        },
        {
          role: 'tool',
          results: tools.map(({ call_id, name, output, error }) => ({
            ...{ id: call_id, name, output: output === null ? '' : asText(output), is_error: error },
          })),
        },
      ];
      const asked = { ...plainRequest, model: '', system: '', max_tokens: 1, messages };
      const [calls, answers] = (await anonymizer.anonymize(asked)).messages;
      for (const [at, tool] of tools.entries()) {
        const call = calls?.role === 'assistant' ? calls.parts[at] : undefined;
        const result = answers?.role === 'tool' ? answers.results[at] : undefined;
        if (call?.type !== 'tool-call' || !result) throw new Error('The values of a tool could not be hidden');
        tool.input = call.input;
        tool.output = tool.output === null ? null : asBefore(result.output, tool.output);
      }
    } catch (error) {
      // What can't be hidden is not shown.
      scope.log.warn('traces.values_not_hidden', redactedErrorFields(error));
      for (const tool of tools) Object.assign(tool, { input: null, output: null });
    }
  };
}
