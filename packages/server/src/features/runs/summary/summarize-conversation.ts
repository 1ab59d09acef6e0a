import type { Database } from '../../../db/database.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Anonymization } from '../../anonymization/service.ts';
import type { LoadedConversation, MessageRow, Transcript } from '../../conversations/ports.ts';
import { withCallContext } from '../../model-calls/service.ts';
import type { Registry } from '../../models/service.ts';
import type { RunAccounts } from '../../usage/ports.ts';
import type { VariableResolver } from '../../variables/ports.ts';
import { buildSummaryPrompt, summaryOf } from '../compaction/summarize.ts';
import type { RunGuardrails } from '../guardrails/run-guardrails.ts';
import { placeOf } from '../models/call-place.ts';
import { modelsForRun } from '../models/models-for-run.ts';
import { modelHistory } from '../prompt/prompt.ts';
import { findLatestRun } from '../store.ts';
import { excerptOf } from './excerpt.ts';

const patience_ms = 60_000;
const mostTokens = 800;
const mostCalls = 4;
const mostMessages = 400;

export interface ConversationDigest {
  summary: string;
  written_by: 'model' | 'excerpt';
}

/** Summarizes a conversation for another one that goes on with it. */
export function makeConversationSummarizer(deps: {
  db: Database;
  transcript: Transcript;
  registry: Registry;
  privacy: Anonymization;
  variables: VariableResolver;
  guardrails: RunGuardrails;
  accounts: RunAccounts;
  /** Leaves out the answers that use documents which the caller may not read. */
  readable(scope: Scope, row: LoadedConversation['row'], rows: readonly MessageRow[]): Promise<MessageRow[]>;
}) {
  const { db, transcript, registry, privacy, variables, guardrails, accounts } = deps;

  /** By a model of the agent; undefined where it has none, or its words do not pass the guardrails. */
  async function written(
    scope: Scope,
    { row, settings: stored }: LoadedConversation,
    rows: readonly MessageRow[],
  ): Promise<string | undefined> {
    const run = await findLatestRun(db, scope.workspace_id, row.id);
    if (!run) return undefined;
    const { settings, prompts } = await variables(scope, row.id, stored);
    const deadline = Date.now() + patience_ms;
    const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(patience_ms)]);
    const anonymizer = withCallContext(
      privacy.conversationAnonymizer(scope.workspace_id, row.id, prompts, row.inherits),
      placeOf(run, row),
    );
    const models = await modelsForRun(registry, scope, settings, {
      selection: undefined,
      anonymizer,
      deadline,
      signal,
    });
    if (models.extractive) return undefined;
    const limits = accounts.aside(run, await accounts.of(scope, row, settings), { deadline, signal });
    const { messages } = await modelHistory(rows, async (files) =>
      files.map(({ name }) => ({ type: 'text' as const, text: `[file ${name}]` })),
    );
    const text = await summaryOf(messages, {
      context_window: models.context_window,
      max_tokens: mostTokens,
      calls: mostCalls,
      summarize: async (part, max_tokens) =>
        (await models.ask(buildSummaryPrompt(part, max_tokens), 'compaction', limits)).text,
    });
    const { asks, look } = guardrails(scope, {
      ...{ settings, prompts, conversation_id: row.id, said: text, anonymizer, signal },
      prompt: () => ({ text: '', covered: [] }),
    });
    return asks('output') && (await look('output', { text })).objections.length ? undefined : text;
  }

  return async (scope: Scope, id: string): Promise<ConversationDigest> => {
    const loaded = await transcript.readToContinue(scope, id);
    const latest = await transcript.listLatest(db, scope.workspace_id, id, mostMessages);
    const rows = await deps.readable(scope, loaded.row, latest);
    try {
      const summary = rows.length ? await written(scope, loaded, rows) : undefined;
      if (summary) return { summary, written_by: 'model' };
    } catch (error) {
      scope.signal.throwIfAborted();
      if (isDatabaseOutage(error)) throw error;
      // A limit, a budget or a failure of the model: what was said is at hand without it.
      scope.log.info('conversation.excerpt', { conversation_id: id, cause: error instanceof Error ? error.name : '' });
    }
    return { summary: excerptOf(rows), written_by: 'excerpt' };
  };
}
