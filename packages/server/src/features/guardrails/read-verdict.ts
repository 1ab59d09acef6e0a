import { type Severity, severities } from '@atrium/contract/safety/categories.ts';

/** How a model graded a text. */
export interface Grade {
  severity: Severity;
  reason: string;
}

/** Where the object that begins here ends; undefined when it does not. Braces in texts do not count. */
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

/** The objects in a text, one after the other, however much prose or fence stands around them. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  for (let from = text.indexOf('{'); from !== -1; ) {
    const end = endOfObject(text, from);
    // An object that never ends takes everything behind it along.
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

/** Models have their own words for grades, whatever they were told. */
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
 * The verdict in an answer; undefined when there is none to rely on, which is never a pass. The severity decides: a
 * grave one given together with `flagged: false` still counts, a low one does not. Flagged and of no known severity is
 * taken for the worst; flagged and of no severity at all says two things and is no verdict. Neither are two objects, of
 * which one may be the text's own.
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
