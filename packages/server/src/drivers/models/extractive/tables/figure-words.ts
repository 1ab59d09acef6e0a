/** The words by which a question asks for a figure, in folded letters. */
export type Figure = 'count' | 'sum' | 'average' | 'least' | 'most';

export const figureWords: [Figure, RegExp][] = [
  [
    'average',
    /\b(?:average|mean|on average|im durchschnitt|durchschnitt(?:lich(?:e[rsn]?)?)?|mittelwert|schnitt|moyennes?|en moyenne|media|promedio|en promedio)\b/g,
  ],
  [
    'sum',
    /\b(?:totals?|sum|in total|altogether|add up|summe|gesamt\w*|insgesamt|zusammen|somme|totale?s?|au total|en tout|suma|en total)\b/g,
  ],
  [
    'least',
    /\b(?:lowest|smallest|least|minimum|cheapest|earliest|oldest|shortest|fewest|niedrigste[rsn]?|kleinste[rsn]?|billigste[rsn]?|gunstigste[rsn]?|wenigsten|alteste[rsn]?|fruheste[rsn]?|minimal\w*|moins (?:cher|chere|eleve|elevee)|plus (?:bas|basse|petite?|ancien|ancienne)|minimale?|mas (?:bajo|baja|barato|barata|pequeno|pequena|antiguo|antigua)|menor|minimo)\b/g,
  ],
  [
    'most',
    /\b(?:highest|largest|biggest|greatest|most expensive|most recent|latest|newest|longest|maximum|most|top|hochste[rsn]?|grosste[rsn]?|teuerste[rsn]?|neueste[rsn]?|letzte[rsn]?|meisten?|maximal\w*|plus (?:haut|haute|grand|grande|cher|chere|eleve|elevee|recent|recente)|le plus|la plus|maximale?|mas (?:alto|alta|grande|caro|cara|reciente)|mayor|maximo)\b/g,
  ],
  [
    'count',
    /\b(?:how many|number of|count(?: of)?|wie ?viele?|anzahl(?: der)?|combien d[e']?|nombre d[e']?|cuant[oa]s|numero de)\b/g,
  ],
];

/** What stands behind these words is a column to group by. */
export const groupWords =
  /\b(?:per|by|for each|for every|in each|pro|je|nach|fur jede[nrs]?|par|pour chaque|por|para cada|por cada|each|every)\s+(?:the |der |die |das |den |le |la |les |el |los |las )?([\p{L}\p{N}_]+)/gu;

export const comparisons: [operator: '>' | '>=' | '<' | '<=', RegExp][] = [
  ['>=', /\b(?:at least|mindestens|au moins|al menos|from)\s+([\d.,]+)/],
  ['<=', /\b(?:at most|up to|hochstens|maximal|au plus|como maximo)\s+([\d.,]+)/],
  [
    '>',
    /\b(?:more than|over|above|greater than|mehr als|uber|plus de|superieure?s? a|mas de|mayor(?:es)? (?:que|a))\s+([\d.,]+)/,
  ],
  [
    '<',
    /\b(?:less than|under|below|fewer than|weniger als|unter|moins de|inferieure?s? a|menos de|menor(?:es)? (?:que|a))\s+([\d.,]+)/,
  ],
];

const monthNames = [
  'january januar janvier enero jan',
  'february februar fevrier febrero feb',
  'march marz mars marzo',
  'april avril abril apr',
  'may mai mayo',
  'june juni juin junio jun',
  'july juli juillet julio jul',
  'august aout agosto aug',
  'september septembre septiembre sep',
  'october oktober octobre octubre oct',
  'november novembre noviembre nov',
  'december dezember decembre diciembre dec',
].map((names) => names.split(' '));

/** The month that a word names, from 1; undefined for other words. */
export const monthOf = (word: string): number | undefined => {
  const at = monthNames.findIndex((names) => names.includes(word));
  return at < 0 ? undefined : at + 1;
};
