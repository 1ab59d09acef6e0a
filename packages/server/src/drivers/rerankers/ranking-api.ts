import { z } from 'zod';
import type { Reranker } from './driver.ts';

const timeout_ms = 15_000;

/** Maps raw scores of a model to 0…1 and keeps their order; some servers send them as they are. */
const asShare = (logit: number) => 1 / (1 + Math.exp(-logit));

const ranking = z.array(
  z.object({ index: z.number(), relevance_score: z.number().nullish(), score: z.number().nullish() }),
);
const rankings = z.object({ results: ranking }).or(z.object({ data: ranking }));

/** The answer of servers that speak the common `/rerank` protocol: results by index, with a score. */
function scoresIn(answer: unknown, count: number): number[] | undefined {
  const { data } = rankings.safeParse(answer);
  if (!data) return undefined;
  // A passage that is not in the answer has the lowest score.
  const scores = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
  for (const { index, relevance_score, score } of 'results' in data ? data.results : data.data) {
    const given = relevance_score ?? score;
    if (!(index in scores) || given == null) return undefined;
    scores[index] = given;
  }
  const isNormalized = scores.filter(Number.isFinite).every((score) => score >= 0 && score <= 1);
  return scores.map((score) => (isNormalized ? Math.max(0, score) : asShare(score)));
}

/** A ranking service at `<address>/rerank`. Its error messages are dropped: they may quote the passages. */
export function makeRankingApi(options: {
  url: string;
  api_key: string | null;
  model: string;
  fetch: typeof fetch;
}): Reranker {
  const { url, api_key, model, fetch } = options;
  return {
    async rerank(query, documents, signal) {
      const response = await fetch(`${url.replace(/\/+$/, '')}/rerank`, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', ...(api_key && { authorization: `Bearer ${api_key}` }) },
        body: JSON.stringify({ model, query, documents, top_n: documents.length, return_documents: false }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`The ranking service answered ${response.status}`);
      }
      const scores = scoresIn(await response.json(), documents.length);
      if (!scores) throw new Error('The ranking service sent an answer that could not be read');
      return scores;
    },
  };
}
