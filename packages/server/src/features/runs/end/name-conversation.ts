import type { Database } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Anonymization } from '../../anonymization/service.ts';
import type { Transcript } from '../../conversations/ports.ts';
import { conversationTitle, defaultTitle } from '../../conversations/service.ts';
import type { MessagePart, Reply } from '../../messages/ports.ts';
import { withCallContext } from '../../model-calls/service.ts';
import type { Registry } from '../../models/service.ts';
import type { RunAccounts } from '../../usage/ports.ts';
import type { VariableResolver } from '../../variables/ports.ts';
import type { RunGuardrails } from '../guardrails/run-guardrails.ts';
import { placeOf } from '../models/call-place.ts';
import { modelsForRun } from '../models/models-for-run.ts';
import type { RunRow } from '../store.ts';

const patience = 30_000;

const textOf = (parts: readonly MessagePart[]) =>
  parts.map((part) => (part.type === 'text' && !part.advice ? part.content : '')).join('');

/** Names a conversation after its first exchange, unless it has a name. */
export function makeConversationNamer(deps: {
  db: Database;
  transcript: Transcript;
  registry: Registry;
  privacy: Anonymization;
  variables: VariableResolver;
  guardrails: RunGuardrails;
  accounts: RunAccounts;
}) {
  const { db, transcript, registry, privacy, variables, guardrails, accounts } = deps;
  return async (scope: Scope, run: RunRow, reply: Reply): Promise<void> => {
    const { row, settings: stored } = await transcript.read(scope, run.conversation_id);
    if (row.name !== defaultTitle()) return;
    const { settings, prompts } = await variables(scope, run.conversation_id, stored);
    // A blocked or unanswered message is not sent to a model only for a name.
    const heard = reply.metadata?.guardrails?.input_passed ?? true;
    const answered = !reply.parts.some(({ type }) => type === 'error');
    const mode = settings.agent_title_mode === 'generate' && !(heard && answered) ? 'first_message' : undefined;
    const name = await conversationTitle({
      mode: mode ?? settings.agent_title_mode,
      prompt: prompts.agent_title_prompt,
      first_user: run.input.content,
      first_reply: textOf(reply.parts),
      async ask(question) {
        // A stopped run, or a shutdown, does not wait for a name.
        const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(patience)]);
        const deadline = Date.now() + patience;
        const anonymizer = withCallContext(
          privacy.conversationAnonymizer(run.group_id, run.conversation_id, prompts, row.inherits),
          placeOf(run, row),
        );
        const models = await modelsForRun(registry, scope, settings, {
          selection: undefined,
          anonymizer,
          deadline,
          signal,
        });
        // The built-in model does not write; the first message names the conversation as well.
        if (models.extractive) return '';
        const limits = accounts.aside(run, await accounts.of(scope, row, settings), { deadline, signal });
        const { text } = await models.ask(question, 'title', limits);
        const { conversation_id } = run;
        const said = question.text;
        const { asks, look } = guardrails(scope, {
          settings,
          prompts,
          prompt: () => ({ text: '', covered: [] }),
          conversation_id,
          said,
          anonymizer,
          signal,
        });
        // A name is an answer like any other; one that does not pass is not used.
        return asks('output') && (await look('output', { text })).objections.length ? '' : text;
      },
    });
    if (name !== null) await transcript.rename(db, run.group_id, run.conversation_id, defaultTitle(), name);
  };
}
