import { type Severity, severities } from './categories.ts';

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

/**
 * The verdict in an answer; undefined when there is none to rely on, which is never a pass. The severity decides: one
 * given together with `flagged: false` still counts. The reverse, flagged and of no severity, can't be graded and is
 * no verdict; neither are two objects, of which one may be the text's own.
 */
export function readVerdict(answer: string): Grade | undefined {
  const [verdict, ...more] = objectsIn(answer) as [Record<string, unknown> | undefined, ...unknown[]];
  if (verdict === undefined || more.length > 0) return undefined;
  const { flagged, reason } = verdict;
  const severity = severities.find((known) => known === verdict['severity']);
  if (typeof flagged !== 'boolean' || typeof reason !== 'string' || severity === undefined) return undefined;
  return flagged && severity === 'none' ? undefined : { severity, reason };
}
