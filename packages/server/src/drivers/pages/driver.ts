export interface PageText {
  title: string;
  /** The article of the page, without menus and advertisements. */
  text: string;
  byline: string | null;
}

/** Makes text of web pages. */
export interface PageReader {
  /** Fails with PageUnreadable. */
  read(html: string, url: string, signal: AbortSignal): Promise<PageText>;
}

export class PageUnreadable extends Error {}
