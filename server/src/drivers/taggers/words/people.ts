import type { TaggedSpan } from '../driver.ts';
import { closings, cues, greetings, weakCues } from './cues.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

const titles = new Set(
  (
    'mr mrs ms miss mx dr prof professor sir dame lord lady rev reverend father sister brother captain capt lt sgt major colonel ' +
    'judge justice senator sen rep governor president chancellor minister queen king prince princess imam rabbi sheikh ' +
    'herr herrn frau fräulein monsieur madame mme mlle mademoiselle maître señor señora señorita sr sra srta don doña ' +
    'signor signora signorina dott dottor avv senhor senhora meneer mevrouw dhr mevr pan pani hr fru uncle aunt'
  ).split(' '),
);
const particles = new Set(
  'van von de der den da di du del della dos das la le el al bin ibn ben bint abu ter ten zu y e af'.split(' '),
);
/** Words with a capital that end a name, or say that it was none. */
const never = new Set(
  (
    'i the a an and or but if this that these those my your his her our their it he she we they you is are was were be been ' +
    'am do does did will would can could shall should may might must have has had not no yes please thanks thank dear hi hello ' +
    'hey best kind regards sincerely cheers good morning evening afternoon monday tuesday wednesday thursday friday saturday ' +
    'sunday january february march april june july august september october november december new north south east west who ' +
    'what when where why how all any some for from with about into of on in at to by as so then than there here also just'
  ).split(' '),
);
const organizationWord = new Set(
  (
    'inc ltd llc llp plc gmbh ag kg sa bv nv oy ab corp corporation company co bank university college school institute hospital ' +
    'church group holdings partners foundation association society committee council ministry department agency team club fc ' +
    'street road avenue lane drive boulevard square river lake mountain island airport station bridge park hotel restaurant ' +
    'museum theatre theater stadium cup league award prize law act treaty theorem syndrome disease algorithm'
  ).split(' '),
);

/** What people do and programs do not, right after a name that no list has. */
const humanVerb =
  /^ (?:said|says|asked|told|wants|wrote|lives|lived|thinks|replied|agreed|signed|joined|works|worked|married|died|retired|smiled|laughed|phoned)(?!\p{L})/u;

export function findPeople(text: string, tokens: readonly Token[], lexicon: Lexicon): TaggedSpan[] {
  const { firstNames, lastNames, places, groups, organizations, ordinary } = lexicon;
  const spans: TaggedSpan[] = [];
  const at = (index: number) => tokens[index];
  const isPart = (name: string) => name.includes('-') && name.split('-').every((part) => firstNames.has(part));
  const isFirst = ({ lower }: Token) => firstNames.has(lower) || isPart(lower);
  const isWord = ({ lower }: Token) => ordinary.has(lower) || never.has(lower) || /'(?:m|re|ve|ll|d|t)$/.test(lower);
  const endsName = ({ lower }: Token) => organizationWord.has(lower) && !lastNames.has(lower);
  const isInitial = (token: Token) => token.text.length === 1 && (!/[IA]/.test(token.text) || text[token.end] === '.');
  const capital = ({ shape }: Token) => shape !== 'lower';
  const joined = (token: Token, before: Token) =>
    token.gap === ' ' || (token.gap === '. ' && (before.text.length === 1 || titles.has(before.lower)));

  /** The last token of the name that begins here; `loose` takes words of any kind that have a capital. */
  const nameEnd = (from: number, loose: boolean): number => {
    let end = from;
    const upper = at(from)?.shape === 'upper';
    for (let index = from + 1; index < tokens.length && index - from < 6; index++) {
      const token = tokens[index] as Token;
      if (!joined(token, tokens[index - 1] as Token)) break;
      if (particles.has(token.lower) && !(capital(token) && !upper)) {
        const next = at(index + 1);
        if (next && capital(next) && next.gap === ' ' && !never.has(next.lower)) continue;
        if (next && particles.has(next.lower) && next.gap === ' ') continue;
        break;
      }
      const fits = capital(token) && (isInitial(token) || !never.has(token.lower)) && !endsName(token);
      if (!fits || ((token.shape === 'upper') !== upper && !isInitial(token))) break;
      if (isInitial(token) && !(at(index + 1)?.gap ?? '').startsWith(' ') && at(index + 1)?.gap !== '. ') break;
      const particle = particles.has((tokens[index - 1] as Token).lower);
      if ((upper || !loose) && !particle && ordinary.has(token.lower) && !lastNames.has(token.lower) && !isFirst(token))
        break;
      if (groups.has(token.lower) && !lastNames.has(token.lower)) break;
      end = index;
    }
    while (end > from && isInitial(tokens[end] as Token)) end--;
    return end;
  };
  const add = (from: number, to: number, score: number) => {
    const next = at(to + 1);
    if (next && next.gap === ' ' && capital(next) && endsName(next) && score < 0.8) return;
    spans.push({ entity: 'PERSON', start: (tokens[from] as Token).start, end: (tokens[to] as Token).end, score });
  };

  /** What follows a title or a phrase that announces a name. */
  const announced = (index: number, weak: boolean): void => {
    const token = at(index);
    if (!token || never.has(token.lower) || titles.has(token.lower)) return;
    if (!capital(token)) {
      if (!isFirst(token) || ordinary.has(token.lower)) return;
      const next = at(index + 1);
      return add(
        index,
        next && next.gap === ' ' && !isWord(next) && lastNames.has(next.lower) ? index + 1 : index,
        0.7,
      );
    }
    const known = isFirst(token) || lastNames.has(token.lower);
    const following = at(index + 1);
    const particle =
      particles.has(token.lower) && following?.gap === ' ' && (capital(following) || particles.has(following.lower));
    if (!known && !particle && (isWord(token) || organizationWord.has(token.lower))) return;
    if (!known && weak && (groups.has(token.lower) || places.has(token.lower) || organizations.has(token.lower)))
      return;
    add(index, nameEnd(index, true), weak ? 0.7 : 0.85);
  };

  const startingAt = new Map(tokens.map((token, index) => [token.start, index]));
  for (const [cue, weak] of [
    [cues, false],
    [greetings, true],
    [closings, true],
    [weakCues, true],
  ] as const)
    for (const { 0: phrase, index } of text.matchAll(cue)) {
      const next = startingAt.get(index + phrase.length);
      if (next !== undefined) announced(titles.has((tokens[next] as Token).lower) ? next + 1 : next, weak);
    }

  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const next = at(index + 1);
    if (titles.has(token.lower) && next && (next.gap === ' ' || next.gap === '. ')) {
      if (capital(next) ? capital(token) || token.lower.length < 4 : isFirst(next) || lastNames.has(next.lower))
        announced(index + 1, false);
    }
    if (never.has(token.lower) || /'(?:m|re|ve|ll|d|t)$/.test(token.lower)) continue;
    const second = next && next.gap === ' ' && next.shape === token.shape ? next : undefined;
    const surname =
      second && (lastNames.has(second.lower) || !isWord(second)) && !groups.has(second.lower) && !endsName(second);
    if (isFirst(token)) {
      const ambiguous = ordinary.has(token.lower) || places.has(token.lower) || groups.has(token.lower);
      if (!capital(token)) {
        if (!ambiguous && token.text.length > 3)
          add(index, surname && lastNames.has((second as Token).lower) ? index + 1 : index, 0.5);
        continue;
      }
      const follows = nameEnd(index, token.shape === 'title');
      if (ambiguous) {
        const place = second && places.has(second.lower);
        if (surname && !place && (!places.has(token.lower) || lastNames.has((second as Token).lower) || !token.opens))
          add(index, follows, 0.7);
      } else if (follows > index || token.shape === 'title' || token.text.length > 3)
        add(index, follows, follows > index ? 0.8 : 0.6);
      continue;
    }
    if (!capital(token)) continue;
    const strange = (one: Token) =>
      one.text.length > 1 &&
      !isWord(one) &&
      !places.has(one.lower) &&
      !groups.has(one.lower) &&
      !organizations.has(one.lower) &&
      !organizationWord.has(one.lower) &&
      !titles.has(one.lower);
    if (lastNames.has(token.lower) && !ordinary.has(token.lower) && !places.has(token.lower) && token.shape === 'title')
      add(index, nameEnd(index, false), 0.5);
    else if (
      token.shape === 'title' &&
      second &&
      second.shape === 'title' &&
      strange(token) &&
      (strange(second) || lastNames.has(second.lower))
    )
      add(index, nameEnd(index, false), lastNames.has(second.lower) ? 0.7 : 0.4);
    else if (token.shape === 'title' && strange(token) && humanVerb.test(text.slice(token.end, token.end + 12)))
      add(index, index, 0.45);
    else if (isInitial(token) && next && next.gap === '. ' && next.shape === 'title' && strange(next))
      add(index, nameEnd(index, false), 0.6);
  }
  return spans;
}
