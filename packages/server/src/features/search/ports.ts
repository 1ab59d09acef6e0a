import type { Permission } from '@atrium/contract/permissions.ts';
import type { SearchTarget, SearchType } from '@atrium/contract/search/schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** What is looked for. */
export interface SearchText {
  /** The text as it was sent, for names. */
  q: string;
  /** Its words in lower case, of letters and digits alone, for longer texts. */
  words: readonly string[];
}

export interface Found {
  title: string;
  /** A text that may match besides the title. */
  text: string | null;
  target: SearchTarget;
}

/** Finds the records of one type. */
export interface SearchSource {
  type: SearchType;
  /** That of the list of these records; null: they are the same for every caller. */
  permission: Permission | null;
  /** Set where the texts are encrypted, so that the type can't be searched. */
  isEncrypted?: boolean;
  /** The first matches that the caller may see, in an order that does not depend on those that it may not see. */
  find(scope: Scope, text: SearchText, limit: number): Promise<Found[]>;
}
