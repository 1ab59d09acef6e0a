/** Scores passages by how well they answer a question, each from 0 to 1, in the order they were given. */
export interface Reranker {
  rerank(query: string, passages: readonly string[], signal: AbortSignal): Promise<number[]>;
}
