import type { TaggedSpan } from '../driver.ts';

const capital = "\\p{Lu}[\\p{Ll}\\p{M}'.-][\\p{L}\\p{M}'.-]{0,23}";
const words = (most: number) =>
  `${capital}(?: (?:de |la |le |du |des |del |della |da |do |dos |van |der |of |the )?${capital}){0,${most}}`;
const unit = '(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|#)\\.? ?[\\w-]{1,6})?';
const state = '(?:[A-Z]{2}|[A-Z]{2,3})(?: \\d{5}(?:-\\d{4})?)?';
const british = '[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}';
const american = `(?:, ${words(2)}(?:,? (?:${british}|${state}|\\d{4,6}(?![\\p{N}])))?(?:, ${state})?(?:, ${words(2)})?)?`;
const continental = `(?:,? (?:[A-Z]{1,2}-)?\\d{4,5}(?: ?[A-Z]{2})? ${words(2)}|, ${words(1)})?`;
const kinds =
  'Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Close|Crescent|Cres|Parkway|Pkwy|Highway|Hwy|Row|Hill|Gardens|Grove|Mews|Walk|Quay|Circle|Cir|Trail|Broadway';
const number = '\\d{1,5}[A-Za-z]?(?:[-/]\\d{1,4}[A-Za-z]?)?';

/** Each form begins with something rare, and every part is bounded, so the time is linear. */
const forms = [
  // 221B Baker Street, London NW1 6XE; 1600 Pennsylvania Avenue NW, Washington, DC 20500
  `${number} (?:(?:North|South|East|West|[NSEW])\\.? )?(?:\\d{1,3}(?:st|nd|rd|th) |${words(3)} )(?:${kinds})(?![\\p{L}])\\.?(?: (?:NW|NE|SW|SE|[NSEW])(?!\\p{L}))?${unit}${american}`,
  // Hauptstraße 5, 10115 Berlin; Am Markt is left out
  `\\p{Lu}[\\p{L}-]{1,30}(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|gracht|plein|gatan|vägen|vej|gade) ${number}${continental}`,
  `${words(1)} (?:Straße|Strasse|Allee|Platz|Weg|Ring|Damm) ${number}${continental}`,
  // 10 Rue de Rivoli, 75001 Paris
  `${number}(?: ?(?:bis|ter))?,? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Bb]d|[Pp]lace|[Cc]hemin|[Aa]llée|[Qq]uai|[Ii]mpasse|[Cc]ours) (?:de la |de l'|du |des |de |d')?${words(3)}${continental}`,
  // Calle Mayor 12, 28013 Madrid; Via Roma 10, 00184 Roma
  `(?:Calle|C/|Avenida|Avda\\.?|Av\\.|Plaza|Paseo|Carrer|Via|Viale|Piazza|Corso|Rua|Travessa|Largo|Praça|ul\\.|ulica|улица|ул\\.) (?:de la |de los |del |della |de |da |do |dos )?${words(3)},? (?:n[ºo°]\\.? ?)?${number}${continental}`,
  'P\\.? ?O\\.? Box \\d{1,6}',
  // Abbreviations of countries, which a list of words can't tell from words.
  'U\\. ?S\\.(?: ?A\\.)?|U\\. ?K\\.|USA?(?!\\p{L})|UK(?!\\p{L})',
];
/** Made when it is first used, which takes milliseconds. */
let known: RegExp | undefined;
function address(): RegExp {
  known ??= new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{N}])`, 'gu');
  return known;
}

/** Finds postal addresses as one place, from the street to the town. */
export function findAddresses(text: string): TaggedSpan[] {
  return [...text.matchAll(address())].map(({ 0: value, index }) => ({
    entity: 'LOCATION',
    start: index,
    end: index + value.replace(/(?<!\.\p{Lu})[.,\s]+$/u, '').length,
    score: 0.85,
  }));
}
