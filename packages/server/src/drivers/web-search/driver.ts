export interface SearchHit {
  title: string;
  url: string;
  /** What the service quotes of the page, as plain text. */
  snippet: string;
}

/** A service that searches the web. */
export interface WebSearch {
  readonly name: string;
  /** The best first, at most so many. Fails with SearchFailed. */
  search(query: string, count: number, signal: AbortSignal): Promise<SearchHit[]>;
}

/** The service did not answer, or not in its own words; told without what it said, which may quote a key. */
export class SearchFailed extends Error {}
