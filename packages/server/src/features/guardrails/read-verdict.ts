import { type Severity, severities } from '@atrium/contract/safety/categories.ts';

/** The grade that a model gave a text. */
export interface Grade {
  severity: Severity;
  reason: string;
}

/** The end of the object that begins here; undefined when it is not closed. Braces in strings do not count. */
function endOfObject(text: string, from: number): number | undefined {
  let [depth, quoted] = [0, false];
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The objects in a text, in order, without the prose or code fences around them. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  for (let from = text.indexOf('{'); from !== -1; ) {
    const end = endOfObject(text, from);
    // An object that is never closed includes everything behind it.
    if (end === undefined) break;
    try {
      found.push(JSON.parse(text.slice(from, end)));
      from = text.indexOf('{', end);
    } catch {
      from = text.indexOf('{', from + 1);
    }
  }
  return found;
}

/** Words that models use for grades instead of the requested ones. */
const otherWords = new Map<string, Severity>([
  ['safe', 'none'],
  ['mild', 'low'],
  ['minor', 'low'],
  ['medium', 'moderate'],
  ['high', 'severe'],
  ['critical', 'severe'],
  ['extreme', 'severe'],
]);

function severityOf(value: unknown): Severity | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return severities.find((known) => known === word) ?? otherWords.get(word);
}

/**
 * Reads the verdict in an answer; undefined when there is no reliable one, which is never a pass. The severity decides:
 * a grave one counts despite `flagged: false`, a low one does not. A flag with an unknown severity counts as the worst;
 * a flag with severity `none` contradicts itself and is no verdict. Two objects are no verdict either, since one may
 * come from the text.
 */
export function readVerdict(answer: string): Grade | undefined {
  const [verdict, ...more] = objectsIn(answer) as [Record<string, unknown> | undefined, ...unknown[]];
  if (verdict === undefined || more.length > 0) return undefined;
  const { flagged, reason } = verdict;
  const severity = severityOf(verdict['severity']);
  if (typeof flagged !== 'boolean' || typeof reason !== 'string') return undefined;
  if (severity === undefined) return flagged ? { severity: 'severe', reason } : undefined;
  if (flagged && severity === 'none') return undefined;
  return { severity: !flagged && severity === 'low' ? 'none' : severity, reason };
}
