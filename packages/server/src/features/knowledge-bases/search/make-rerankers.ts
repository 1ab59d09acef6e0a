import type { Reranker } from '../../../drivers/rerankers/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Anonymizer, Meter } from '../../model-calls/ports.ts';
import { anonymizeTexts, meterCall } from '../../model-calls/service.ts';
import type { ModelQuestions } from '../../model-questions/service.ts';
import { modelReranker, type Rerankers } from './rerank.ts';

interface RankingService {
  url: string;
  api_key: string | null;
  model: string;
  fetch: typeof fetch;
}

interface RerankerDeps {
  questions: ModelQuestions;
  meter: Meter;
  /** The ranking service of the operator; undefined when none is configured. */
  hosted: Omit<RankingService, 'model'> | undefined;
  /** The ranking service of a provider that a model name names. */
  findRankingService(scope: Scope, name: string): Promise<RankingService | undefined>;
  connect(service: RankingService): Reranker;
}

/** Finds rerankers by the names that settings use. Question and passages are anonymized, and each call is metered. */
export const makeRerankers =
  ({ questions, meter, hosted, findRankingService, connect }: RerankerDeps) =>
  (scope: Scope, anonymizer: Anonymizer): Rerankers => ({
    async named(name, hosted_model) {
      if (name === 'llm') {
        const model = await questions(scope, anonymizer, 'rerank');
        return model && modelReranker(model.ask);
      }
      const service =
        name === 'hosted' ? hosted && { ...hosted, model: hosted_model } : await findRankingService(scope, name);
      if (!service) return undefined;
      const api = connect(service);
      const call = {
        caller: scope,
        context: anonymizer.context,
        purpose: 'rerank' as const,
        model: `${name}/${service.model}`,
        price: null,
      };
      const noUsage = () => ({ tokens: 0, estimated: false });
      return {
        async rerank(query, passages, signal) {
          const [hidden = '', ...rest] = await anonymizeTexts([query, ...passages], anonymizer);
          return meterCall(meter, call, () => api.rerank(hidden, rest, signal), noUsage);
        },
      };
    },
  });
