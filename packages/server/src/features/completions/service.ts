import type { CompletionRequest } from '@atrium/contract/completions/schema.ts';
import { conflict, invalid } from '@atrium/contract/errors.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { newId } from '../../lib/ids.ts';
import { sseAnswer } from '../../lib/responses/sse.ts';
import type { Frame } from '../../lib/responses/sse-frame.ts';
import type { Scope } from '../../lib/scope.ts';
import { readSettings } from '../agents/service.ts';
import type { Attachments } from '../attachments/service.ts';
import { type Conversations, firstMessageTitle } from '../conversations/service.ts';
import type { MessageFile, UserPart } from '../messages/ports.ts';
import { applyRetractions } from '../messages/service.ts';
import type { RunLog } from '../runs/log/run-log.ts';
import type { Runs } from '../runs/service.ts';
import { toolNameTaken } from '../runs/tools/client-tools.ts';
import type { AgentModels } from './agent-models.ts';
import { dropDiscardedAttempts, makeCompletionOutput } from './completion-output.ts';
import { type Head, makeChunkFrames, wholeAnswer } from './format-completion.ts';
import { readClientTerms } from './read-client-terms.ts';
import { requested, type Turn, type UserTurn } from './read-messages.ts';
import { makeRestoreTurn, maxRestoredTurns, tellingOf } from './restore-turn.ts';
import { readSettingsOverrides } from './settings-overrides.ts';

type RunRow = Awaited<ReturnType<Runs['find']>>;
export type Completions = ReturnType<typeof makeCompletions>;

export interface CompletionsOptions {
  models: AgentModels;
  conversations: Conversations;
  attachments: Attachments;
  runs: Runs;
  log: RunLog;
}

const headOf = (run: RunRow, { model }: CompletionRequest): Head => ({
  id: `chatcmpl-${run.id}`,
  created: Math.floor(Date.parse(run.created_at) / 1000),
  model,
});

const tellingFor = (run: RunRow) => tellingOf(run.id, (run.input as unknown as UserPart).client ?? {});

/** From here on the model is asked, or it never will be. */
const decisive: ReadonlySet<RunEvent['type']> = new Set(['step-start', 'guardrail', 'run-pause', 'run-end']);

/**
 * Agents behind the chat completions protocol. Clients of it keep the conversation themselves and send all of it each
 * time, so each call is a conversation of its own here, answered by a run like any other: what was sent, what was said
 * and what it cost can be looked up afterwards.
 */
export function makeCompletions({ models, conversations, attachments, runs, log }: CompletionsOptions) {
  const restoreTurn = makeRestoreTurn({ runs, log, conversations });

  /** The newest turns as the agent's runs have them. */
  async function restored<T extends Turn>(scope: Scope, agent_id: string, turns: readonly T[]): Promise<T[]> {
    const all = turns.map((turn, at) =>
      turn.role === 'assistant' && at >= turns.length - maxRestoredTurns ? restoreTurn(scope, agent_id, turn) : turn,
    );
    return (await Promise.all(all)) as T[];
  }

  async function attached(scope: Scope, { at, text, images }: UserTurn, kept: MessageFile[]): Promise<UserPart> {
    const items = images.map((url) => ({ status: 'success' as const, name: 'image', url, size: 1, type: '' }));
    const place = ['body', 'messages', String(at), 'content'];
    const files = items.length ? await attachments.attach(scope, items, place) : [];
    kept.push(...files);
    return { role: 'user', type: 'user', content: text, ...(files.length && { files }) };
  }

  async function begin(scope: Scope, body: CompletionRequest): Promise<RunRow> {
    const asked = requested(body.messages);
    const { instructions, last } = asked;
    const agent = await models.find(scope, body.model);
    const own = readSettings(agent.definition);
    const since = await restored(scope, agent.id, asked.since);
    const client = readClientTerms(body, { instructions, since }, effectiveSettings(own));
    const history = await restored(scope, agent.id, asked.history);
    const settings = readSettingsOverrides(own, body);
    // It has a name from the start: asking a model for one would double the calls of such a client.
    const create = { name: firstMessageTitle(last.text), settings, preview: false };
    const id = body.safety_identifier || body.user;
    const user = id ? { door: 'programs', id, name: id } : undefined;
    const { row } = await conversations.create(scope, agent.id, create, 'openai', newId(), { user });
    const files: MessageFile[] = [];
    try {
      const partsOf = async (turn: Turn) => (turn.role === 'user' ? [await attached(scope, turn, files)] : turn.parts);
      const before = [];
      for (const turn of history)
        before.push({ id: newId(), role: turn.role, parts: JSON.stringify(await partsOf(turn)) });
      const part = { ...(await attached(scope, last, files)), ...(Object.keys(client).length && { client }) };
      return await runs.converse(scope, row.id, before, part);
    } catch (error) {
      await attachments.discard(scope, files);
      await conversations.remove(scope, row.id);
      // Two requests with one Idempotency-Key at the same moment: the second is joined to the first.
      const first = await runs.earlier(scope);
      if (first) return first;
      throw error;
    }
  }

  /** Nobody can come back for the answer, unless a key says that it is the same request: then it need not go on. */
  async function leave(scope: Scope, run: RunRow): Promise<void> {
    if (!scope.request_key) await runs.stopRun(scope, run.id).catch(() => {});
  }

  /** All of it. There is no limit to the wait but the run's own: the protocol has no word for "still running". */
  async function whole(scope: Scope, run: RunRow): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    for await (const event of log.follow(scope.workspace_id, run.id, 0, scope.signal)) events.push(event);
    if (events.at(-1)?.type !== 'run-end') await leave(scope, run);
    return events;
  }

  /** Which tools the agent has is known to its run alone. One that is refused for it is refused as any other request. */
  async function requireTaken(scope: Scope, run: RunRow): Promise<void> {
    for await (const event of log.follow(scope.workspace_id, run.id, 0, scope.signal)) {
      if (!decisive.has(event.type)) continue;
      if (event.type !== 'run-end' || event.error?.code !== toolNameTaken) return;
      await conversations.remove(scope, run.conversation_id);
      throw invalid(['body', 'tools'], event.error.message, null);
    }
  }

  async function* frames(scope: Scope, run: RunRow, body: CompletionRequest): AsyncGenerator<Frame> {
    const { start, of } = makeChunkFrames(headOf(run, body), body.stream_options?.include_usage ?? false);
    const saying = makeCompletionOutput(tellingFor(run));
    const events =
      run.finished_at === null
        ? log.follow(scope.workspace_id, run.id, 0, scope.signal)
        : applyRetractions(dropDiscardedAttempts(await whole(scope, run)));
    let ended = false;
    try {
      yield start;
      for await (const event of events) {
        const said = saying(event);
        ended ||= event.type === 'run-end';
        yield* said.flatMap(of);
        if (said.some(({ type }) => type === 'error')) return;
      }
    } finally {
      if (!ended) await leave(scope, run);
    }
  }

  return {
    async create(scope: Scope, body: CompletionRequest) {
      const joined = await runs.earlier(scope);
      const run = joined ?? (await begin(scope, body));
      if (!joined && body.tools?.length) await requireTaken(scope, run);
      if (body.stream) return sseAnswer(frames(scope, run, body));
      if (joined && joined.finished_at === null)
        throw conflict('The first request with this Idempotency-Key is still running', 'idempotency_key_running');
      return wholeAnswer(headOf(run, body), await whole(scope, run), tellingFor(run));
    },
  };
}
