import { wordTerms } from './question-words.ts';

/** The words by which questions about tables say what they ask for, in folded letters. */
export const countWords =
  /\b(?:how many|number of|count(?: of)?|wie ?viele?|anzahl(?: der| von)?|combien(?: d[e']?)?|nombre d[e']?|cuant[oa]s|numero de)(?= |$)/;
export const averageWords =
  /\b(?:on average|average|mean|im durchschnitt|im schnitt|durchschnitt(?:lich(?:e[rsnm]?)?)?|mittelwert|en moyenne|moyennes?|en promedio|promedio|media)\b/;
export const sumWords =
  /\b(?:in total|totals?|sum|altogether|add up|overall|summe|gesamt\w*|insgesamt|zusammen|au total|en tout|somme|totale?s?|suma)\b/;
export const distinctWords =
  /\b(?:different|distinct|unique|verschiedene[nrs]?|unterschiedliche[nrs]?|differente?s?|distint[oa]s)\b/;

/** What an adjective such as "heavier" or "oldest" compares. */
export type Compared = 'weight' | 'age' | 'length' | 'height' | 'speed' | 'money';

export interface SuperlativeWords {
  words: RegExp;
  order: 'asc' | 'desc';
  /** What it compares: how many rows, what came when, or a column. */
  compared: Compared | 'any' | 'rows' | 'time' | 'newest';
}

const superlative = (
  order: 'asc' | 'desc',
  compared: SuperlativeWords['compared'],
  words: string,
): SuperlativeWords => ({
  words: new RegExp(`\\b(?:${words})\\b`),
  order,
  compared,
});

/** Longer phrases stand before the words in them. */
export const superlatives: readonly SuperlativeWords[] = [
  superlative(
    'desc',
    'time',
    'most recent(?:ly)?|latest|last|letzte[rsnm]?|zuletzt|(?:la |le |les )?plus recente?s?|dernier(?:e|s|es)?|mas recientes?|ultim[oa]s?',
  ),
  superlative('asc', 'time', 'earliest|first|fruheste[rsnm]?|erste[rsnm]?|zuerst|premier(?:e|s|es)?|primer[oa]?s?'),
  superlative(
    'desc',
    'age',
    'oldest|alteste[rsnm]?|(?:la |le |les )?plus (?:ancien|vieux|vieille)(?:ne|s|nes)?|mas antigu[oa]s?',
  ),
  superlative('asc', 'age', 'youngest|jungste[rsnm]?|(?:la |le |les )?plus jeunes?|mas jov(?:en|enes)'),
  superlative('asc', 'newest', 'newest|neueste[rsnm]?'),
  superlative('desc', 'weight', 'heaviest|schwerste[rsnm]?|(?:la |le |les )?plus lourd(?:e|s|es)?|mas pesad[oa]s?'),
  superlative('asc', 'weight', 'lightest|leichteste[rsnm]?|(?:la |le |les )?plus leger(?:e|s|es)?|mas liger[oa]s?'),
  superlative(
    'desc',
    'length',
    'longest|langste[rsnm]?|am langsten|(?:la |le |les )?plus long(?:ue|s|ues)?|mas larg[oa]s?',
  ),
  superlative('asc', 'length', 'shortest|kurzeste[rsnm]?|(?:la |le |les )?plus court(?:e|s|es)?|mas cort[oa]s?'),
  superlative('desc', 'height', 'tallest'),
  superlative('desc', 'speed', 'fastest|schnellste[rsnm]?'),
  superlative('asc', 'speed', 'slowest|langsamste[rsnm]?'),
  superlative(
    'desc',
    'money',
    'most expensive|dearest|teuerste[rsnm]?|(?:la |le |les )?plus cher(?:e|s|es)?|mas car[oa]s?',
  ),
  superlative(
    'asc',
    'money',
    'cheapest|least expensive|billigste[rsnm]?|gunstigste[rsnm]?|(?:la |le |les )?moins cher(?:e|s|es)?|mas barat[oa]s?',
  ),
  superlative(
    'desc',
    'any',
    'highest|largest|biggest|greatest|maximum|max|best|top|hochste[rsnm]?|grosste[rsnm]?|beste[rsnm]?|maximal\\w*|(?:la |le |les )?plus (?:haut|grand|eleve)(?:e|s|es)?|maximale?|mas (?:alt[oa]|grande)s?|mayor(?:es)?|maxim[oa]',
  ),
  superlative(
    'asc',
    'any',
    'lowest|smallest|minimum|min|worst|niedrigste[rsnm]?|kleinste[rsnm]?|geringste[rsnm]?|minimal\\w*|(?:la |le |les )?(?:moins eleve|plus bas|plus petit)(?:e|s|es|se|ses)?|minimale?|mas (?:baj[oa]|pequen[oa])s?|menor(?:es)?|minim[oa]',
  ),
  superlative('desc', 'rows', 'most often|most frequent(?:ly)?|am haufigsten|haufigste[rsnm]?|le plus souvent'),
  superlative('asc', 'rows', 'least often|am seltensten|seltenste[rsnm]?'),
  superlative('asc', 'rows', 'fewest|least|am wenigsten|wenigsten|le moins|menos'),
  superlative('desc', 'rows', 'most|am meisten|meisten|le plus|la plus|mas'),
];

const smallNumbers: Record<string, number> = {};
for (const names of [
  'one two three four five six seven eight nine ten eleven twelve',
  'eine zwei drei vier funf sechs sieben acht neun zehn elf zwolf',
  'une deux trois quatre cinq six sept huit neuf dix onze douze',
  'una dos tres cuatro cinco seis siete ocho nueve diez',
])
  for (const [at, name] of names.split(' ').entries()) smallNumbers[name] = at + 1;

/** A whole number from 1 to 99 in digits, or up to twelve in words. */
export const countIn = (word: string): number | undefined =>
  /^[1-9]\d?$/.test(word) ? Number(word) : smallNumbers[word];

export const countNames = Object.keys(smallNumbers).join('|');
const number = `(?:[\\d.,]*\\d|${countNames})(?= |$)`;
export const comparisons: readonly [operator: '>' | '>=' | '<' | '<=' | '=', RegExp, compared?: Compared][] = [
  ['>', new RegExp(`\\b(?:older than|alter als|plus agee?s? d[e']|mayor(?:es)? de) (${number})`), 'age'],
  ['<', new RegExp(`\\b(?:younger than|junger als|plus jeunes? que|menor(?:es)? de) (${number})`), 'age'],
  ['>', new RegExp(`\\b(?:heavier than|schwerer als|plus lourde?s? que) (${number})`), 'weight'],
  ['<', new RegExp(`\\b(?:lighter than|leichter als|plus legere?s? que) (${number})`), 'weight'],
  ['>', new RegExp(`\\b(?:more expensive than|dearer than|teurer als|plus chere?s? que) (${number})`), 'money'],
  [
    '<',
    new RegExp(`\\b(?:cheaper than|less expensive than|billiger als|gunstiger als|moins chere?s? que) (${number})`),
    'money',
  ],
  ['>', new RegExp(`\\b(?:longer than|langer als|plus longue?s? que) (${number})`), 'length'],
  ['<', new RegExp(`\\b(?:shorter than|kurzer als|plus courte?s? que) (${number})`), 'length'],
  ['>', new RegExp(`\\b(?:taller than) (${number})`), 'height'],
  ['>', new RegExp(`\\b(?:faster than|schneller als) (${number})`), 'speed'],
  ['<', new RegExp(`\\b(?:slower than|langsamer als) (${number})`), 'speed'],
  ['>=', new RegExp(`\\b(?:at least|no less than|mindestens|wenigstens|au moins|al menos) (${number})`)],
  ['>=', new RegExp(`(${number}) or more\\b|(${number}) oder mehr\\b|(${number}) ou plus\\b|(${number}) o mas\\b`)],
  ['<=', new RegExp(`\\b(?:at most|no more than|up to|hochstens|maximal|bis zu|au plus|como maximo) (${number})`)],
  ['<=', new RegExp(`(${number}) or (?:less|fewer)\\b|(${number}) oder weniger\\b`)],
  [
    '>',
    new RegExp(
      `\\b(?:more than|over|above|greater than|higher than|larger than|bigger than|exceed(?:s|ing)?|mehr als|uber|hoher als|grosser als|plus d[e']|superieure?s? a|mas de|mayor(?:es)? (?:que|a)) (${number})`,
    ),
  ],
  [
    '<',
    new RegExp(
      `\\b(?:less than|under|below|fewer than|lower than|smaller than|weniger als|unter|niedriger als|kleiner als|moins d[e']|inferieure?s? a|menos de|menor(?:es)? (?:que|a)) (${number})`,
    ),
  ],
  ['=', new RegExp(`\\b(?:exactly|genau|exactement|exactamente) (${number})`)],
];
export const betweenNumbers = new RegExp(
  `\\b(?:between|zwischen|entre|from|von|de) (${number}) (?:and|und|et|y|to|bis|a) (${number})`,
);

/** What stands behind these words is a column to group by. */
export const groupWords =
  /\b(?:per|by|for each|for every|in each|pro|je|nach|fur jede[nrs]?|par|pour chaque|por|para cada|por cada|each|every) (?:the |der |die |das |den |le |la |les |el |los |las )?([\p{L}\p{N}_]+)/gu;

export const negation =
  /^(?:not|never|no|without|except|excluding|nicht|nie|kein(?:e[nrms]?)?|ohne|ausser|pas|jamais|sans|sauf|sin|excepto|nunca|(?:is|are|was|were|has|have|had|do|does|did|ca|wo|could)n?'?n't|can't|won't)$/;
export const isWithout = /^(?:no|without|ohne|kein(?:e[nrms]?)?|sans|sin)$/;

/** Words for people name a table of people, and "who" asks for a column with a name. */
export const peopleWords =
  /^(?:who|whom|people|persons?|everyone|anyone|someone|wer|wen|wem|leute|personen|qui|quien(?:es)?)$/;
export const tablesOfPeople = new Set(
  wordTerms(
    'employees staff people persons members colleagues team personnel workers mitarbeiter personal personen kollegen employes salaries empleados personas',
  ),
);
export const columnsOfPeople = new Set(
  wordTerms(
    'name customer client employee assignee person owner seller agent member contact borrower renter tenant patient student guest visitor reporter requester approver organiser teacher trainer instructor lecturer driver author host manager kunde mitarbeiter ansprechpartner dozent dozentin lehrer lehrerin referent leiter fahrer bearbeiter verkaeufer nom cliente empleado nombre',
  ),
);
export const columnsOfAmounts = new Set(
  wordTerms('quantity qty amount units pieces menge anzahl stueck quantite cantidad'),
);
export const columnsOfMoney = new Set(
  wordTerms(
    'price cost amount fee salary wage pay total value revenue turnover betrag preis kosten gehalt lohn summe umsatz gebuehr fee tarif honorar miete beitrag budget prix cout montant salaire precio coste importe salario',
  ),
);
export const currencies = /^(?:eur|euros?|usd|dollars?|chf|francs?|gbp|pounds?|sek|nok|dkk|kronor|kroner)$/;

/** Words that say nothing about which rows are meant. */
export const lightTerms: ReadonlySet<string> = new Set(
  wordTerms(
    'do done doing have having been being need want like get got go make made take took taken use used put keep show tell list give say find see know let there here please really just only still yet already ever actually any anything something someone anyone everyone people person one ones come came coming place placed record recorded entry entries row rows data table item thing work worked working based located stand live lives living happen lasted lasts altogether units pieces stueck listed found exist else much long far each every kind name named called company firm ' +
      'gibt wurde wurden worden war waren hatte hatten alle allen noch schon bereits bitte zeig zeige nenne liste sag mal denn eigentlich liegen liegt kamen kam kommt kommen aufgegeben eingegangen gemacht erfasst heissen heisst stehen steht standen stehend befinden befindet befinden sitzen sitzt wohnen wohnt finden findet fanden statt dauert dauerte arbeiten arbeitet hoch gross viel viele firma ' +
      'ete sont avons ont liste montre donne faire fait encore deja ligne lignes tous toutes sido fueron hubo lista muestra dame hecho todavia fila filas todos todas',
  ),
);

/** A question that names rows by their conditions begins with one of these. */
export const rowsWords =
  /^(?:and |und |et |y )?(?:please |bitte )?(?:(?:can|could) you )?(?:which|what|who|whose|whom|when|where|list|show(?: me)?|give me|name|tell me|find|are there|is there|welche[rsnm]?|wer|wem|wen|wann|wo|was|zeige?|liste|nenne|gibt es|quel(?:le)?s?|qui|quand|liste[rz]?|montre[rz]?|cual(?:es)?|quien(?:es)?|que|lista|muestra)(?= |$)/;
export const questionWords =
  /\b(?:which|what|whose|welche[rsnm]?|was fur ein(?:e[nrms]?)?|quel(?:le)?s?|cual(?:es)?|que)(?= |$)/;
export const havingWords =
  /\b(?:have|has|having|had|with|haben|hat|mit|ont|avec|tienen?|con)(?: (?:a|an|any|some|eine?n?|une?|des|una?))? ([\p{L}\p{N}_]+)/u;
/** "Last month" is no superlative. */
export const timeUnits =
  /^(?:seconds?|minutes?|days?|weeks?|months?|quarters?|years?|tage?n?|wochen?|monate?n?|quartale?|jahre?n?s?|semaines?|mois|annees?|ans?|dias?|semanas?|mes(?:es)?|anos?)$/;
