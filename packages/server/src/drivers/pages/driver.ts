export interface PageText {
  title: string;
  /** What the page is about, without menus, advertisements and the like. */
  text: string;
  byline: string | null;
}

/** Makes text of web pages. */
export interface PageReader {
  /** Fails with PageUnreadable. */
  read(html: string, url: string, signal: AbortSignal): Promise<PageText>;
}

export class PageUnreadable extends Error {}
