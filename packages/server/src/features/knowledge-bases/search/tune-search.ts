import { invalid } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import type { TuneBody } from '@atrium/contract/knowledge-bases/inputs.ts';
import type { Evaluation, Tuning } from '@atrium/contract/knowledge-bases/schema.ts';
import type { KbSettings, SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Visibility } from '../rights/visible.ts';
import type { KnowledgeBases } from '../service.ts';
import type { EvaluateSearch } from './evaluate-search.ts';

/** What is tried, one setting after the other; the best so far is kept for the next. */
const trials: readonly (readonly SparseKbSettings[])[] = [
  [{ fusion: 'weighted_sum' }, { fusion: 'rrf' }],
  [0.9, 0.8, 0.7, 0.5].map((fts_weight) => ({ fts_weight, semantic_weight: Math.round(10 - fts_weight * 10) / 10 })),
  [0, 0.1, 0.2, 0.4].map((heading_weight) => ({ heading_weight })),
  [{ feedback: 'words_only' }, { feedback: 'always' }, { feedback: 'off' }],
  [0, 0.1, 0.2].map((proximity_weight) => ({ proximity_weight })),
  [0, 0.05, 0.1].map((freshness_weight) => ({ freshness_weight })),
];

/** Smaller gains are chance. */
const leastGain = 0.002;
/** With so many questions, every second one is held out. */
const enoughToHoldOut = 10;
const k = 25;

type PerQuestion = Evaluation['per_question'];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const figuresOf = (results: PerQuestion) => ({
  questions: results.length,
  recall_at_25: mean(results.map(({ recall_at_k }) => recall_at_k)),
  ndcg_at_10: mean(results.map(({ ndcg_at_10 }) => ndcg_at_10)),
});

export type TuneSearch = (scope: Scope, kb_id: string, body: TuneBody) => Promise<Tuning>;

/** Compares search settings by questions whose documents are known. It sees documents for everybody only. */
export function makeTuneSearch(deps: {
  bases: Pick<KnowledgeBases, 'find'>;
  evaluate: EvaluateSearch;
  visibility: Pick<Visibility, 'rightsOf'>;
}): TuneSearch {
  /** Refuses documents that not everybody sees: what is proposed would tell of them. */
  async function refuseRestricted({ workspace_id }: Scope, kb_id: string, { questions }: TuneBody): Promise<void> {
    const documents = questions.flatMap(({ document_ids }) =>
      document_ids.map((document_id) => ({ kb_id, document_id })),
    );
    const rights = await deps.visibility.rightsOf(workspace_id, documents);
    questions.forEach(({ document_ids }, at) => {
      const place = document_ids.findIndex((id) => (rights.get(id) ?? null) !== null);
      if (place !== -1)
        throw invalid(
          ['body', 'questions', String(at), 'document_ids', String(place)],
          'no such document for everybody in this knowledge base',
          document_ids[place],
        );
    });
  }

  return async (scope, kb_id, body) => {
    const own = effective((await deps.bases.find(scope, kb_id)).settings);
    const holdsOut = body.questions.length >= enoughToHoldOut;
    let tried = 0;
    const measure = async (settings: SparseKbSettings) => {
      scope.signal.throwIfAborted();
      tried++;
      const settings_ = { ...settings, reranking_enabled: false, threshold_enabled: false };
      const { per_question } = await deps.evaluate(
        scope,
        kb_id,
        { ...body, k, settings_ },
        { unrestricted_only: true },
      );
      return {
        settings,
        chosen: per_question.filter((_, at) => !holdsOut || at % 2 === 0),
        held: per_question.filter((_, at) => holdsOut && at % 2 === 1),
      };
    };
    // It refuses documents that the caller does not see as it does unknown ones.
    const before = await measure({});
    await refuseRestricted(scope, kb_id, body);
    let best = before;
    for (const choices of trials)
      for (const choice of choices) {
        const current: KbSettings = { ...own, ...best.settings };
        if (keysOf(choice).every((name) => current[name] === choice[name])) continue;
        const other = await measure({ ...best.settings, ...choice });
        const [was, is] = [figuresOf(best.chosen), figuresOf(other.chosen)];
        if (is.ndcg_at_10 >= was.ndcg_at_10 + leastGain && is.recall_at_25 >= was.recall_at_25) best = other;
      }
    const settings_ = Object.fromEntries(
      Object.entries(best.settings).filter(([name, value]) => own[name as keyof KbSettings] !== value),
    );
    const compare = (part: 'chosen' | 'held') => ({ before: figuresOf(before[part]), after: figuresOf(best[part]) });
    return { settings_, chosen_on: compare('chosen'), held_out: holdsOut ? compare('held') : null, tried };
  };
}
