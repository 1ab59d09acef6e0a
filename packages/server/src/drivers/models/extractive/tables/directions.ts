import { type QuestionWords, wordTerms } from './question-words.ts';
import type { KnownColumn } from './read-tables.ts';
import type { TableNames } from './table-names.ts';

const from = /^(?:from|left|leave|leaves|leaving|departed|aus|von|vom|ab|depuis|de|desde)$/;
const to = /^(?:to|into|towards?|reached|nach|zum|zur|vers|hacia|hasta)$/;
const articles = /^(?:the|der|die|das|dem|den|le|la|les|el|los|las)$/;
const columnsOfOrigin = new Set(
  wordTerms(
    'origin from source departure start sender pickup herkunft abfahrt abgang start von absender depart origine origen salida',
  ),
);
const columnsOfTarget = new Set(
  wordTerms(
    'destination to target arrival receiver recipient ziel zielort ankunft nach empfaenger arrivee destino llegada',
  ),
);
/** Verbs that say no more than "to" or "from" beside them does. */
const motion =
  /^(?:went|go|goes|going|gone|sent|send|sends|shipped|travel|travell?ed|driven|drove|flew|fly|came|come|comes|gingen|ging|gehen|geht|gegangen|geschickt|verschickt|versandt|versendet|gesendet|fuhren|fahren|gefahren|parti|partis|allees?)$/;
const compared = /^(?:after|before|since|until|than|vor|seit|avant|apres|antes|despues|like|wie)$/;

/** The place of the word before a cell, without its article. */
function placeBefore(words: QuestionWords, at: number): number {
  return articles.test(words.all[at - 1]?.plain ?? '') ? at - 2 : at - 1;
}

/** "To Lyon" is the destination, "left Graz" the origin. */
export function isDirectedAt(words: QuestionWords, at: number, names: TableNames, column: KnownColumn): boolean {
  const before = words.all[placeBefore(words, at)]?.plain ?? '';
  if (from.test(before)) return names.hasTermOf(column, columnsOfOrigin);
  return to.test(before) && names.hasTermOf(column, columnsOfTarget);
}

/** Whether a row is compared with another one: "joined after Ann". */
export const isComparedWith = (words: QuestionWords, at: number): boolean =>
  compared.test(words.all[placeBefore(words, at)]?.plain ?? '');

/** Uses the verb of a movement to or from a cell: it says no condition of its own. */
export function takeMotion(words: QuestionWords, at: number, names: TableNames, column: KnownColumn): void {
  const place = placeBefore(words, at);
  const before = words.all[place];
  if (!before || (!from.test(before.plain) && !to.test(before.plain))) return;
  const isDirected = isDirectedAt(words, at, names, column);
  // Who left Graz is no longer there; what left Graz began its way there.
  if (isDirected) words.use(place);
  if (!isDirected && names.isOfPeople) return;
  for (const [index, { plain }] of words.all.entries()) if (motion.test(plain)) words.use(index);
}
