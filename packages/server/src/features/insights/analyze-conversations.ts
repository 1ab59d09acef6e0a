import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
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
import { type AnonymizedTranscript, anonymizeTranscript } from './anonymized-transcript.ts';
import { putScore } from './csat-store.ts';
import { idFor, isSampled } from './sampling.ts';
import type { Sortable, TopicSorting } from './topics/topic-sorting.ts';

const batch_size = 150;
const concurrency = 6;
const max_messages = 200;
const max_known_labels = 40;
const hideAll = { pii_anonimization: piiEntities.map((value) => ({ value })) } as Parameters<
  Anonymization['temporaryAnonymizer']
>[0];

/** Analyses every conversation that is due, and returns how many. One that fails is tried again later, a few times. */
export type ConversationAnalysis = (log: Log, signal: AbortSignal) => Promise<number>;

/** Asks a model about one conversation; undefined when there is no model, or it failed. */
type AskAboutConversation = <T>(
  purpose: 'topic' | 'judge',
  question: () => Promise<ModelQuestion>,
  read: (answer: string) => T,
) => Promise<T | undefined>;

/** Finds the topics, the satisfaction and the answers to custom questions of conversations that are over. */
export function makeConversationAnalysis(deps: {
  db: Database;
  transcript: Transcript;
  findPii: FindPii;
  privacy: Anonymization;
  questions: ModelQuestions;
  topics: TopicSorting;
}): ConversationAnalysis {
  const { db, transcript, findPii, privacy, questions, topics } = deps;
  const isPrivate = async (text: string) => (await findPii(text, piiEntities)).length > 0;

  function makeAsk(due: DueRow, { row }: LoadedConversation, log: Log, signal: AbortSignal): AskAboutConversation {
    const { workspace_id, tenant_id, conversation_id, agent_id } = due;
    const context = { conversation_id, run_id: null, agent_id, version_id: row.assistant_version_id };
    const anonymizer = keepAnonymized(withCallContext(privacy.temporaryAnonymizer(hideAll), context));
    return async (purpose, question, read) => {
      try {
        const model = await questions({ tenant_id, workspace_id }, anonymizer, purpose);
        return model && read(await model.ask(await question(), signal));
      } catch (error) {
        signal.throwIfAborted();
        log.warn('insights.model-failed', { ...errorFields(error), conversation_id });
        return undefined;
      }
    };
  }

  async function nameTopics(
    ask: AskAboutConversation,
    due: DueRow,
    talk: AnonymizedTranscript,
  ): Promise<Sortable['named']> {
    const question = async () => {
      const known = (await topics.labels(due)).slice(0, max_known_labels).map(({ short }) => short);
      return topicQuestion(await talk.whole(), known);
    };
    const labels = (await ask('topic', question, topicsIn)) ?? [];
    const isClean = await Promise.all(labels.map(async (label) => !(await isPrivate(Object.values(label).join('. ')))));
    return labels.filter((_, index) => isClean[index]);
  }

  async function measure(
    ask: AskAboutConversation,
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

  /** The conversation as it is sorted under topics; undefined when its agent has no insights, or it was deleted. */
  async function analyze(due: DueRow, log: Log, signal: AbortSignal): Promise<Sortable | undefined> {
    const { workspace_id, conversation_id } = due;
    // A conversation that was deleted meanwhile is done.
    const conversation = await transcript.read(systemScope(due, log, signal), conversation_id).catch(() => undefined);
    if (!conversation?.settings.insights_enabled || conversation.row.preview) return undefined;
    const talk = await anonymizeTranscript(
      await transcript.listLatest(db, workspace_id, conversation_id, max_messages),
      findPii,
    );
    if (!talk.asked) return undefined;
    const ask = makeAsk(due, conversation, log, signal);
    await measure(ask, due, conversation, talk);
    const day = conversation.row.last_updated_at.slice(0, 10);
    return { conversation_id, day, text: talk.asked, named: await nameTopics(ask, due, talk) };
  }

  return async (log, signal) => {
    let analyzed = 0;
    await deleteAbandoned(db);
    for (;;) {
      signal.throwIfAborted();
      const taken = await takeDue(db, batch_size);
      const [first] = taken;
      if (!first) return analyzed;
      const sortables: Sortable[] = [];
      const done: DueRow[] = [];
      for (let at = 0; at < taken.length; at += concurrency) {
        signal.throwIfAborted();
        const batch = taken.slice(at, at + concurrency);
        const results = await Promise.allSettled(batch.map((due) => analyze(due, log, signal)));
        for (const [index, due] of batch.entries()) {
          const result = results[index];
          if (result?.status === 'rejected')
            log.warn('insights.analysis-failed', { ...errorFields(result.reason), ...due });
          else {
            done.push(due);
            if (result?.value) sortables.push(result.value);
          }
        }
      }
      if (sortables.length) await topics.sort(first, sortables);
      await finishAnalysis(db, done);
      analyzed += done.length;
    }
  };
}
