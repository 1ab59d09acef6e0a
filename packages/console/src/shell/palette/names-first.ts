import type { SearchType } from '@atrium/contract/search/schema.ts';

/** Things that are found by their names stand before what is found inside of them; the reference of the API is last. */
const order: Readonly<Record<SearchType, number>> = {
  ...{ agents: 0, workflows: 1, knowledge_bases: 2, tables: 3, conversations: 4, documents: 5, variables: 6 },
  ...{ steps: 7, columns: 8, settings: 9, messages: 10, passages: 11, help: 12 },
};

export const namesFirst = <G extends { type: SearchType }>(groups: readonly G[]): G[] =>
  groups.toSorted((one, other) => order[one.type] - order[other.type]);
