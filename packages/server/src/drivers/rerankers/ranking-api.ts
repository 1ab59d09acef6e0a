import type { Reranker } from './driver.ts';

const timeout_ms = 15_000;

/** Maps raw scores of a model to 0…1 and keeps their order; some servers send them as they are. */
const asShare = (logit: number) => 1 / (1 + Math.exp(-logit));

/** The answer of servers that speak the common `/rerank` protocol: results by index, with a score. */
function scoresIn(answer: unknown, count: number): number[] | undefined {
  const { results, data } = (answer ?? {}) as { results?: unknown; data?: unknown };
  const list = Array.isArray(results) ? results : Array.isArray(data) ? data : undefined;
  if (!list) return undefined;
  // A passage that is not in the answer has the lowest score.
  const scores = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
  for (const item of list as { index?: unknown; relevance_score?: unknown; score?: unknown }[]) {
    const score = item?.relevance_score ?? item?.score;
    if (typeof item?.index !== 'number' || !(item.index in scores) || typeof score !== 'number') return undefined;
    scores[item.index] = score;
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
