/** What kind of thing a question asks for, as far as its words tell, and the texts that have such a thing. */
export type AnswerKind = 'span' | 'duration' | 'money' | 'count' | 'time' | 'person' | 'weight' | 'steps' | 'place';

const asks: [AnswerKind, RegExp][] = [
  [
    'span',
    /\bhow many (?:working |business )?(?:seconds|minutes|hours|days|weeks|months|years)\b|\bwie ?viele (?:sekunden|minuten|stunden|(?:werk|arbeits)?tage|wochen|monate|jahre)\b|\bcombien d[e'] ?(?:secondes|minutes|heures|jours|semaines|mois|ans|annees)\b|\bcuant[oa]s (?:segundos|minutos|horas|dias|semanas|meses|anos)\b/,
  ],
  ['duration', /\bhow long\b|\bwie lang|\bcombien de temps\b|\bcuanto tiempo\b|\bduration\b|\bdauer/],
  ['weight', /\bhow heavy\b|\bweigh|\bwie schwer\b|\bwiegt\b|\bgewicht\b|\bpoids\b|\bpese\b|\bpeso\b|\bpesa\b/],
  [
    'money',
    /\bcosts?\b|\bprices?\b|\bfees?\b|\bhow (?:much|expensive)\b|\bkost|\bpreis|\bgebuhr|\bteuer\b|\bcoute|\bprix\b|\btarif|\bcuesta|\bprecio|\bhow high is the rent\b/,
  ],
  [
    'count',
    /\bhow many\b|\b(?:which|what|welche|quelle|que) version\b|\bwie ?viele?\b|\bcombien d|\bcuant[oa]s\b|(?<!phone |mobile |serial |account |order |extension |fax )\bnumber of\b/,
  ],
  [
    'time',
    /^(?:\W*|.{0,40}\b(?:and|until|since|from|by|but|or|know|me|exactly) )when\b|\b(?:what|which) (?:time|date|day)\b|\bwann\b|\bum wie ?viel uhr\b|^(?:.{0,20}\b(?:depuis|jusqu a|jusqu'a|et|de|a) )?quand\b|\bquelle (?:heure|date)\b|^\W*(?:.{0,20}\b(?:desde|hasta|y|de|a) )?cuando\b|\bque (?:hora|dia|fecha)\b/,
  ],
  ['person', /\bwho\b|\bwhom\b|\bwer\b|\bwem\b|\bwen\b|\bqui\b(?! ?est ce)|\bquien(?:es)?\b/],
  ['place', /\bwhere\b|\bwo\b|\bwohin\b|\bou (?:est|se|sont|puis|peut)\b|\bdonde\b/],
  [
    'steps',
    /^how (?:do|can|to|should|does|must)\b|\bsteps?\b|\bwie (?:kann|mache|muss|soll|geht|richte|gehe)\b|\bschritte\b|^comment\b|\betapes\b|^como\b|\bpasos\b/,
  ],
];

const numbers =
  '(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|ein(?:e[nmrs]?)?|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|zwolf|un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)';
const spans =
  '(?:seconds?|minutes?|hours?|(?:working |business )?days?|nights?|weeks?|months?|years?|quarters?|sekunden?|minuten?|stunden?|(?:werk|arbeits)?tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois|ans?|annees?|segundos?|minutos?|horas?|dias?|semanas?|mes(?:es)?|anos?)';
/** "How long" asks for a time or for a length. */
const lengths =
  '(?:[mck]?m|(?:kilo|centi|milli|zenti)?met(?:re|er|ro)s?n?|mil(?:e|le)s?|yards?|feet|foot|inch(?:es)?|pages?|characters?|letters?|words?|lines?|seiten?|zeichen|buchstaben|wort(?:e|er)?n?|zeilen?|caracteres?|mots?|lignes?|paginas?|palabras?|lineas?)';
const days =
  'mon|tues?|wednes|thurs?|fri|satur|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo';
const months =
  'januar|februar|march|marz|april|may|mai|june|juni|july|juli|august|september|october|oktober|november|december|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre';

/** "30 days", "a week", "two to three hours", `session_days: 7`; not the beginning of "auth/second". */
const amountOf = (units: string) =>
  new RegExp(
    `\\ban? (?!second[ -]\\w)(?:\\S{1,12} )?${units}\\b|\\b${numbers}(?: to | bis | a |-|–)?(?:${numbers})?(?: (?:\\S{1,12} )?|-)?${units}\\b|_(?:days|hours|minutes|seconds)\\b.{0,6}\\d`,
  );

const has: Record<Exclude<AnswerKind, 'person' | 'steps' | 'place'>, RegExp> = {
  span: amountOf(spans),
  duration: amountOf(`(?:${spans}|${lengths})`),
  weight: /\d ?(?:kg|g|t|mg|lbs?|oz|kilogram\w*|gramm?e?s?|kilos?|tonn\w*)\b/,
  money:
    /[€$£¥]|\b(?:eur|usd|chf|gbp|sek|nok|dkk)\b|\beuros?\b|\bdollars?\b|\bpounds?\b|\bfree\b|\bkostenlos|\bkostenfrei|\bgratuit|\bgratis|\bcents?\b|\bcentim[eo]s?\b|\brappen\b|\bpence\b|\bkron(?:or|er)\b/,
  // "One" counts seldom: "exactly one run".
  count: new RegExp(
    `(?<!\\b(?:rfc|iso|din|http) )\\b(?!(?:one|half|ein(?:e[nmrs]?)?|un[aeo]?)\\b)${numbers}\\b(?! ?${spans}\\b)`,
  ),
  time: new RegExp(
    `\\d{1,2}[:.h]\\d{2}|\\d ?(?:am|pm|uhr|h)\\b|o'clock|\\b\\d{4}\\b|\\b(?:${days})|\\b(?:${months})|\\b(?:a las?|at|um) ${numbers}\\b|\\b(?:before|until|within|after|every|noon|midnight|bis|vor|nach|innerhalb|spatestens|jeden|avant|apres|jusqu|dans|chaque|antes|despues|hasta|cada|dentro|day|week|month|year|tag|woche|monat|jahr|jour|semaine|mois|dia|semana|mes)`,
  ),
};

const counted =
  /\b(?:how many|(?<!phone |mobile |serial |account |order |extension |fax )number of|wie ?viele?|combien d[e']? ?|cuant[oa]s) (?:\w+ly )?([\p{L}-]{3,})/u;

/** The word of the things that a folded question counts: "channels" in "How many channels are there?" */
export const countedWord = (question: string): string | undefined => counted.exec(question)?.[1];

/** What a folded question asks for; undefined where its words do not tell. */
export const kindAsked = (question: string): AnswerKind | undefined =>
  asks.find(([, pattern]) => pattern.test(question))?.[0];

const roles = new RegExp(
  `\\b(?:${[
    'administrators? admins? managers? owners? persons? people users? members? customers? clients? employees? staff teams? departments? directors? officers? everyone everybody nobody anyone callers? visitors? guests? drivers? operators? authors? leads? heads? supervisors? colleagues? board office desk you we he she they mr mrs ms dr tenants? landlords? teachers? parents? doctors? roles? keys? suppliers? providers?',
    'administrator(?:en|in)? leiter(?:in)? leitung inhaber(?:in)? personen leute mitglieder kunden? kundin mitarbeiter(?:in|innen|n)? mitarbeitende[nr]? abteilung(?:en)? chef(?:in)? fahrer(?:in|n)? disponent(?:in|en)? herr frau sie er wir jeder alle niemand vermieter(?:in)? mieter(?:in)? hausmeister(?:in)? lehrer(?:in)? eltern arzt beauftragte[nr]? vorstand verwaltung personal',
    'responsables? directeur directrice chef clients? employes? personnes equipe gerant[e]? madame monsieur proprietaire vous nous',
    'encargad[oa]s? director[a]? jef[ea]s? clientes? emplead[oa]s? personas? equipo usted senor[a]?',
  ]
    .join(' ')
    .replaceAll(' ', '|')})\\b|\\w+_\\w+`,
);

/** Whether a text can say who: it has a name of two words, or a role. */
export const namesSomeone = (text: string, foldedText: string): boolean =>
  hasKind('person', text, foldedText) || roles.test(foldedText);

/** Whether a text has what is asked for. A person is known by two words with capitals. */
export function hasKind(kind: AnswerKind, text: string, foldedText: string): boolean {
  if (kind === 'steps' || kind === 'place') return false;
  if (kind === 'person') return /\p{Lu}[\p{L}'’-]+ (?:\p{Lu}\. ?|von |van |de )?\p{Lu}\p{L}+/u.test(text);
  return has[kind].test(foldedText);
}
