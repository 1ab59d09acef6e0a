export interface SearchHit {
  title: string;
  url: string;
  /** An excerpt of the page, as plain text. */
  snippet: string;
  /** The address of a picture of the page, where the service has one. */
  image?: string;
}

/** A service that searches the web. */
export interface WebSearch {
  readonly name: string;
  /** Returns the best hits first, at most `count`. Fails with SearchFailed. */
  search(query: string, count: number, signal: AbortSignal): Promise<SearchHit[]>;
}

/** The service failed or sent an invalid answer. The message does not quote the answer, which may contain a key. */
export class SearchFailed extends Error {}
