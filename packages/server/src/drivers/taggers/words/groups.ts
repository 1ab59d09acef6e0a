import type { TaggedSpan } from '../driver.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

/** The word of the list that this is a form of: plural, masculine or feminine. */
function listed(groups: ReadonlySet<string>, lower: string): string | undefined {
  if (groups.has(lower)) return lower;
  const stem = lower.endsWith('ies')
    ? `${lower.slice(0, -3)}y`
    : lower.endsWith('s')
      ? lower.slice(0, -1)
      : /m[ae]n$/.test(lower)
        ? lower.replace(/(?:wo)?m[ae]n$/, '')
        : '';
  return stem.length > 2 && groups.has(stem) ? stem : undefined;
}

export function findGroups(tokens: readonly Token[], { groups, capitalGroups }: Lexicon): TaggedSpan[] {
  const spans: TaggedSpan[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const next = tokens[index + 1];
    const two = next?.gap === ' ' && listed(groups, `${token.lower} ${next.lower}`);
    const stem =
      two ||
      listed(groups, token.lower) ||
      (token.lower.includes('-') && token.lower.split('-').every((part) => listed(groups, part)) ? token.lower : '');
    if (!stem || (token.shape === 'lower' && capitalGroups.has(stem))) continue;
    // A capital at the start of a sentence does not prove that the word is a group.
    if (
      token.opens &&
      capitalGroups.has(stem) &&
      !token.lower.endsWith('s') &&
      next?.gap === ' ' &&
      /^(?:the|a|your|my|it|this)$/.test(next.lower)
    )
      continue;
    spans.push({
      entity: 'NRP',
      start: token.start,
      end: (two ? (next as Token) : token).end,
      score: token.shape === 'lower' ? 0.6 : 0.75,
    });
    if (two) index++;
  }
  return spans;
}
