import { piiEntities } from '@atrium/contract/settings/safety.ts';
import type { Database } from '../../db/database.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { systemScope } from '../../lib/system-scope.ts';
import type { Anonymization } from '../anonymization/service.ts';
import type { LoadedConversation, Transcript } from '../conversations/ports.ts';
import { keepAnonymized, withCallContext } from '../model-calls/service.ts';
import type { ModelQuestion, ModelQuestions } from '../model-questions/service.ts';
import type { FindPii } from '../pii/ports.ts';
import { csatIn, csatQuestion, customIn, customQuestion, topicQuestion, topicsIn } from './analysis-questions.ts';
import { type DueRow, deleteAbandoned, finishAnalysis, putCustom, takeDue } from './analysis-store.ts';
import { type AnonymizedTranscript, talkOf } from './anonymized-transcript.ts';
import { putScore } from './csat-store.ts';
import { idFor, isSampled } from './sampling.ts';
import type { Sortable, TopicSorting } from './topics/topic-sorting.ts';

const atOnce = 150;
const sideBySide = 6;
const readMessages = 200;
const mostKnownLabels = 40;
const hideAll = { pii_anonimization: piiEntities.map((value) => ({ value })) } as Parameters<
  Anonymization['temporaryAnonymizer']
>[0];

/** Looks at conversations that are over: what they were about, how content people were, what else was asked of them. */
export function makeConversationAnalysis(deps: {
  db: Database;
  transcript: Transcript;
  findPii: FindPii;
  privacy: Anonymization;
  questions: ModelQuestions;
  topics: TopicSorting;
}) {
  const { db, transcript, findPii, privacy, questions, topics } = deps;
  const isPrivate = async (text: string) => (await findPii(text, piiEntities)).length > 0;

  /** Asks a language model about the conversation; undefined where there is none, or it failed. */
  function asking(due: DueRow, { row }: LoadedConversation, log: Log, signal: AbortSignal) {
    const { workspace_id, tenant_id, conversation_id, agent_id } = due;
    const place = { conversation_id, run_id: null, agent_id, version_id: row.assistant_version_id };
    const anonymizer = keepAnonymized(withCallContext(privacy.temporaryAnonymizer(hideAll), place));
    return async <T>(
      purpose: 'topic' | 'judge',
      question: () => Promise<ModelQuestion>,
      read: (said: string) => T,
    ): Promise<T | undefined> => {
      try {
        const model = await questions({ tenant_id, workspace_id }, anonymizer, purpose);
        return model && read(await model.ask(await question(), signal));
      } catch (error) {
        signal.throwIfAborted();
        log.warn('A model could not be asked about a conversation', { ...errorFields(error), conversation_id });
        return undefined;
      }
    };
  }

  async function named(
    ask: ReturnType<typeof asking>,
    due: DueRow,
    talk: AnonymizedTranscript,
  ): Promise<Sortable['named']> {
    const question = async () => {
      const known = (await topics.labels(due)).slice(0, mostKnownLabels).map(({ short }) => short);
      return topicQuestion(await talk.whole(), known);
    };
    const labels = (await ask('topic', question, topicsIn)) ?? [];
    const clean = await Promise.all(labels.map(async (one) => !(await isPrivate(Object.values(one).join('. ')))));
    return labels.filter((_, at) => clean[at]);
  }

  async function measure(
    ask: ReturnType<typeof asking>,
    due: DueRow,
    { row, settings }: LoadedConversation,
    talk: AnonymizedTranscript,
  ) {
    const { workspace_id, conversation_id } = due;
    const wanted =
      settings.insights_csat_enabled &&
      settings.insights_csat_auto_enabled &&
      row.message_count >= settings.insights_csat_auto_min_messages &&
      isSampled(conversation_id, settings.insights_csat_sampling_rate);
    const judged = wanted ? await ask('judge', async () => csatQuestion(await talk.whole()), csatIn) : undefined;
    if (judged) {
      const reason = (await isPrivate(judged.reason)) ? null : judged.reason;
      const score = { id: idFor(conversation_id, 'judge'), conversation_id, source: 'judge' as const };
      await db.transaction(undefined, (tx) => putScore(tx, workspace_id, { ...score, score: judged.score, reason }));
    }
    const definitions = settings.insights_custom_definitions;
    const read = (said: string) => customIn(said, definitions);
    const question = async () => customQuestion(await talk.whole(), definitions);
    const answers = definitions.length ? await ask('judge', question, read) : undefined;
    for (const [at, answer] of (answers ?? []).entries()) {
      const definition = definitions[at];
      if (!definition || answer === null || (await isPrivate(String(answer)))) continue;
      await putCustom(db, due, { name: definition.name, type: definition.type, answer });
    }
  }

  /** What is to be sorted of it; undefined when its agent wants no insights, or it is gone. */
  async function look(due: DueRow, log: Log, signal: AbortSignal): Promise<Sortable | undefined> {
    const { workspace_id, conversation_id } = due;
    const held = await transcript.read(systemScope(due, log, signal), conversation_id).catch(() => undefined);
    if (!held?.settings.insights_enabled || held.row.preview) return undefined;
    const talk = await talkOf(await transcript.listLatest(db, workspace_id, conversation_id, readMessages), findPii);
    if (!talk.asked) return undefined;
    const ask = asking(due, held, log, signal);
    await measure(ask, due, held, talk);
    const day = held.row.last_updated_at.slice(0, 10);
    return { conversation_id, day, text: talk.asked, named: await named(ask, due, talk) };
  }

  /** All that are due now. One that fails is tried again later, a few times. */
  return async (log: Log, signal: AbortSignal): Promise<number> => {
    let looked = 0;
    await deleteAbandoned(db);
    for (;;) {
      signal.throwIfAborted();
      const taken = await takeDue(db, atOnce);
      if (taken.length === 0) return looked;
      const found: Sortable[] = [];
      const done: DueRow[] = [];
      for (let at = 0; at < taken.length; at += sideBySide) {
        signal.throwIfAborted();
        const some = taken.slice(at, at + sideBySide);
        const looks = await Promise.allSettled(some.map((due) => look(due, log, signal)));
        for (const [index, one] of looks.entries()) {
          const due = some[index] as DueRow;
          if (one.status === 'fulfilled') done.push(due);
          else log.warn('A conversation could not be looked at', { ...errorFields(one.reason), ...due });
          if (one.status === 'fulfilled' && one.value) found.push(one.value);
        }
      }
      if (found.length) await topics.sort(taken[0] as DueRow, found);
      await finishAnalysis(db, done);
      looked += done.length;
    }
  };
}
