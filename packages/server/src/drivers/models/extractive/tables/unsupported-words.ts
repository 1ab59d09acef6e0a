import type { QuestionWords } from './question-words.ts';

const units =
  '(?:days?|weeks?|weekends?|months?|quarters?|years?|tage?n?|wochen?|wochenende|monate?n?s?|quartale?n?s?|jahre?n?s?|semaines?|mois|trimestres?|annees?|ans?|dias?|semanas?|mes(?:es)?|anos?)';
const relative =
  '(?:this|last|next|previous|past|current|coming|recent|dies(?:e[rsnm]?)?|letzte[rsnm]?|nachste[rsnm]?|vorige[rsnm]?|vergangene[rsnm]?|kommende[rsnm]?|laufende[rsnm]?|aktuelle[rsnm]?|cett?e?|ce|dernier(?:e|s|es)?|prochaine?|este|esta|ultim[oa]s?|proxim[oa]|pasad[oa])';
/** Times that depend on the day of the question, and comparisons of rows with each other. */
const patterns: readonly RegExp[] = [
  new RegExp(`\\b${relative} (?:\\S{1,6} )?${units}(?! (?:of |des jahres |von )?\\d{4})(?= |$)`),
  new RegExp(`\\b\\S{1,6} ${units} ago(?= |$)|\\bvor \\S{1,6} ${units}(?= |$)|\\bil y a \\S{1,6} ${units}(?= |$)`),
  /\b(?:today|yesterday|tomorrow|nowadays|heute|gestern|aujourd'hui|hoy|ayer)(?= |$)/,
  /\b(?:same|identical|both|twice|once|times|several|multiple|gleiche[rsnm]?|dieselben?|denselben|beide[rsnm]?|sowohl|zweimal|einmal|mehrmals|mehrfach|memes?|mism[oa]s?|amb[oa]s)(?= |$)/,
];

/** Marks words that set a condition which no lookup of cells can hold. */
export function refuseUnsupported(words: QuestionWords): void {
  for (const pattern of patterns)
    for (let found = words.find(pattern); found; found = words.find(pattern)) words.refuse(found.from, found.to);
}

const isComparative = (plain: string | undefined) =>
  plain !== undefined && /^(?:mehr|weniger|anders)$|^\p{L}{3,}er(?:e[nrms]?)?$/u.test(plain);

/** Marks the words of a comparison that no reader has understood: "more than the average", "more than Ann". */
export function refuseComparisons(words: QuestionWords): void {
  for (const [at, { plain, isUsed }] of words.all.entries()) {
    if (isUsed) continue;
    if (/^(?:than|more|fewer|mehr)$/.test(plain) || (plain === 'als' && isComparative(words.all[at - 1]?.plain)))
      words.refuse(at);
  }
}
