import type { Completion, CompletionRequest } from '@atrium/contract/completions/schema.ts';
import { conflict, invalid } from '@atrium/contract/errors.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings, type Settings } from '@atrium/contract/settings/settings.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields } from '../../lib/log.ts';
import { mayBeStored } from '../../lib/outages/may-be-stored.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import { sseAnswer } from '../../lib/responses/sse.ts';
import type { Frame } from '../../lib/responses/sse-frame.ts';
import type { Scope } from '../../lib/scope.ts';
import { readSettings } from '../agents/service.ts';
import type { Attachments } from '../attachments/service.ts';
import { type Conversations, firstMessageTitle } from '../conversations/service.ts';
import type { MessageFile, UserPart } from '../messages/ports.ts';
import { applyRetractions, displayFor } from '../messages/service.ts';
import type { RunLog } from '../runs/ports.ts';
import type { Runs } from '../runs/service.ts';
import { LogRewound, toolNameTaken } from '../runs/service.ts';
import type { AgentModels } from './agent-models.ts';
import { dropDiscardedAttempts, makeCompletionOutput, restarted } from './completion-output.ts';
import { type CompletionHead, formatCompletion, makeChunkFrames } from './format-completion.ts';
import { readClientTerms } from './read-client-terms.ts';
import { type AssistantTurn, readMessages, type Turn, type UserTurn } from './read-messages.ts';
import { makeRestoreTurn, maxRestoredTurns, outputOptionsOf } from './restore-turn.ts';
import { readSettingsOverrides } from './settings-overrides.ts';

type RunRow = Awaited<ReturnType<Runs['find']>>;
export interface Completions {
  /** Answers a completion, or its stream of server-sent events. */
  create(scope: Scope, body: CompletionRequest): Promise<Completion | RawAnswer>;
}

export interface CompletionsOptions {
  models: AgentModels;
  conversations: Conversations;
  attachments: Attachments;
  runs: Runs;
  log: RunLog;
  /** The settings of a conversation as its runs use them. */
  settingsOf(scope: Scope, conversation_id: string): Promise<Settings>;
}

const headOf = (run: RunRow, { model }: CompletionRequest): CompletionHead => ({
  id: `chatcmpl-${run.id}`,
  created: Math.floor(Date.parse(run.created_at) / 1000),
  model,
});

/** The first of these events shows whether the run accepted the client's tools. */
const decisiveTypes: ReadonlySet<RunEvent['type']> = new Set(['step-start', 'guardrail', 'run-pause', 'run-end']);

/**
 * Answers requests of the chat completions protocol with agents. Its clients send the whole conversation each time, so each
 * request becomes a conversation of its own, which is answered by an agent run and can be looked up afterwards.
 */
export function makeCompletions(options: CompletionsOptions): Completions {
  const { models, conversations, attachments, runs, log } = options;
  const restoreTurn = makeRestoreTurn({ runs, log, conversations });
  const outputOptionsFor = async (scope: Scope, run: RunRow) => {
    const { sources } = displayFor(scope, await options.settingsOf(scope, run.conversation_id));
    return { ...outputOptionsOf(run.id, run.input.client ?? {}), sources };
  };

  /** Restores the newest turns from the agent's runs. */
  async function restoreTurns<T extends Turn>(scope: Scope, agent_id: string, turns: readonly T[]) {
    const all = turns.map((turn, at): T | AssistantTurn | Promise<AssistantTurn> =>
      turn.role === 'assistant' && at >= turns.length - maxRestoredTurns ? restoreTurn(scope, agent_id, turn) : turn,
    );
    return Promise.all(all);
  }

  async function storeUserTurn(
    scope: Scope,
    conversation_id: string,
    { at, text, images }: UserTurn,
    stored: MessageFile[],
    hosts: readonly string[],
  ): Promise<UserPart> {
    const items = images.map((url) => ({ status: 'success' as const, name: 'image', url, size: 1, type: '' }));
    const place = { at: ['body', 'messages', String(at), 'content'], hosts };
    const files = items.length ? await attachments.attach(scope, conversation_id, items, place) : [];
    stored.push(...files);
    return { role: 'user', type: 'user', content: text, ...(files.length && { files }) };
  }

  async function begin(scope: Scope, body: CompletionRequest): Promise<RunRow> {
    const asked = readMessages(body.messages);
    const { instructions, last } = asked;
    const agent = await models.find(scope, body.model);
    const own = readSettings(agent.definition);
    const since = await restoreTurns(scope, agent.id, asked.since);
    const effective = effectiveSettings(own);
    const { allowed_hosts: hosts } = effective;
    const client = readClientTerms(body, { instructions, since }, effective);
    const history = await restoreTurns(scope, agent.id, asked.history);
    const settings = readSettingsOverrides(own, body);
    // The conversation gets a name at once: asking a model for one would double the model calls of such a client.
    const create = { name: firstMessageTitle(last.text), settings, preview: false };
    const id = body.safety_identifier || body.user;
    const user = id ? { door: 'programs', id, name: id } : undefined;
    const { row } = await conversations.create(scope, agent.id, create, 'openai', newId(), { user });
    const files: MessageFile[] = [];
    let isSent = false;
    try {
      const partsOf = async (turn: Turn) =>
        turn.role === 'user' ? [await storeUserTurn(scope, row.id, turn, files, hosts)] : turn.parts;
      const before = [];
      for (const turn of history)
        before.push({ id: newId(), role: turn.role, parts: JSON.stringify(await partsOf(turn)) });
      const part = {
        ...(await storeUserTurn(scope, row.id, last, files, hosts)),
        ...(Object.keys(client).length && { client }),
      };
      isSent = true;
      return await runs.converse(scope, row.id, before, part);
    } catch (error) {
      // The run may be stored without our knowing: then it stays, with all that belongs to it.
      if (isSent && mayBeStored(error)) throw error;
      await attachments.discard(scope, files);
      await conversations.remove(scope, row.id);
      // Two requests with one Idempotency-Key at the same moment: the second is joined to the first.
      const first = await runs.earlier(scope);
      if (first) return first;
      throw error;
    }
  }

  /** Stops a run whose client has gone; with an Idempotency-Key it continues, since the client can repeat the request. */
  async function abandonRun(scope: Scope, run: RunRow): Promise<void> {
    if (scope.request_key) return;
    await runs.stopRun(scope, run.id).catch((error: unknown) => {
      scope.log.warn('completion.stop_failed', { run_id: run.id, ...errorFields(error) });
    });
  }

  /** All events of the run, from the first on; read anew when events that were read are lost with their node. */
  async function readWhole(scope: Scope, run: RunRow): Promise<RunEvent[]> {
    for (;;) {
      const events: RunEvent[] = [];
      try {
        for await (const event of log.follow(scope.workspace_id, run.id, 0, scope.signal)) events.push(event);
        return events;
      } catch (error) {
        if (!(error instanceof LogRewound)) throw error;
      }
    }
  }

  /** Waits for all events of the run, without a limit of its own: the protocol has no state for "still running". */
  async function collectEvents(scope: Scope, run: RunRow): Promise<RunEvent[]> {
    const events = await readWhole(scope, run);
    if (events.at(-1)?.type !== 'run-end') await abandonRun(scope, run);
    return events;
  }

  /** Only the run knows the agent's tools. When it refuses a name of the client's tools, the request fails with 422. */
  async function requireAcceptedTools(scope: Scope, run: RunRow): Promise<void> {
    for await (const event of log.follow(scope.workspace_id, run.id, 0, scope.signal, 'ignore-lost')) {
      if (!decisiveTypes.has(event.type)) continue;
      if (event.type !== 'run-end' || event.error?.code !== toolNameTaken) return;
      await conversations.remove(scope, run.conversation_id);
      throw invalid(['body', 'tools'], event.error.message, null);
    }
  }

  async function* frames(scope: Scope, run: RunRow, body: CompletionRequest): AsyncGenerator<Frame> {
    const { start, of } = makeChunkFrames(headOf(run, body), body.stream_options?.include_usage ?? false);
    const readEvent = makeCompletionOutput(await outputOptionsFor(scope, run));
    const events =
      run.finished_at === null
        ? log.follow(scope.workspace_id, run.id, 0, scope.signal)
        : applyRetractions(dropDiscardedAttempts(await collectEvents(scope, run)));
    let ended = false;
    try {
      yield start;
      for await (const event of events) {
        const pieces = readEvent(event);
        ended ||= event.type === 'run-end';
        yield* pieces.flatMap(of);
        if (pieces.some(({ type }) => type === 'error')) return;
      }
    } catch (error) {
      if (!(error instanceof LogRewound)) throw error;
      // Words that were sent are lost with their node, and the protocol can't retract them.
      yield* of({ type: 'error', error: restarted });
    } finally {
      if (!ended) await abandonRun(scope, run);
    }
  }

  return {
    async create(scope, body) {
      const joined = await runs.earlier(scope);
      const run = joined ?? (await begin(scope, body));
      if (!joined && body.tools?.length) await requireAcceptedTools(scope, run);
      if (body.stream) return sseAnswer(frames(scope, run, body));
      if (joined && joined.finished_at === null)
        throw conflict('The first request with this Idempotency-Key is still running', 'idempotency_key_running');
      return formatCompletion(headOf(run, body), await collectEvents(scope, run), await outputOptionsFor(scope, run));
    },
  };
}
