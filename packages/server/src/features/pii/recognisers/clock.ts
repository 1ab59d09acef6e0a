const zones =
  '(?:UTC|GMT|CES?T|E[SD]T|C[SD]T|M[SD]T|P[SD]T|WES?T|EES?T|IST|JST|BST|AES?T|MSK|Z)(?:[+-]\\d{1,2}(?::?\\d{2})?)?';
const half = '[ap](?:\\.\\s?m\\.?|m)(?![\\p{L}\\p{N}])';
const meridiem = `(?:\\s?${half})?`;

/** A time of day with a colon, optionally with seconds, am or pm, and a time zone. */
export const colonClock =
  `(?<hour>[01]?\\d|2[0-4]):(?<minute>[0-5]\\d)(?::[0-5]\\d(?:[.,]\\d{1,9})?)?${meridiem}` +
  `(?:\\s?(?:uhr|hrs|hours)(?!\\p{L}))?(?:\\s?${zones}(?![\\p{L}\\p{N}])|\\s?[+-](?:0\\d|1[0-4]):?\\d{2})?`;

/** Without a colon, a word must mark the number as a time. */
const wordClock =
  `(?:0?\\d|1[0-2])(?:\\.[0-5]\\d)?\\s?${half}|(?:[01]?\\d|2[0-4])(?:\\.[0-5]\\d)?\\s?uhr(?!\\p{L})(?:\\s[0-5]\\d(?!\\d))?|` +
  `(?:[01]?\\d|2[0-4])\\s?h\\s?[0-5]\\d(?:\\s?min)?(?![\\p{L}\\p{N}])|(?:[1-9]|1[0-2])\\s?o'clock(?!\\p{L})|` +
  '(?:[上下]午|[午前後]{2}|오[전후]\\s?)?(?:[01]?\\d|2[0-4])\\s?[時时点시](?:\\s?[0-5]?\\d\\s?[分분])?';

export const clocks = new RegExp(
  `(?<![\\p{N}_\\p{Script=Latin}]|[:.,/]|\\d{3}-)(?:${colonClock}|${wordClock})(?![\\p{N}_:]|[.,]\\d|-\\d{3})`,
  'giu',
);

const scripture =
  'john|matthew|mark|luke|genesis|exodus|leviticus|deuteronomy|psalms?|romans|corinthians|acts|proverbs|isaiah|jeremiah|hebrews|james|revelation|surah?|quran';
/** Verses, scores and ratios are written with a colon as well. */
export const noClockBefore = new RegExp(
  `\\b(?:${scripture}|ratio|score|scored|aspect|odds|scale|won|lost|verse|mix)(?: of| is| was|:)?\\s$`,
  'i',
);
