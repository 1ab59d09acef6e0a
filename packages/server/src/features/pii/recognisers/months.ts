/** Names and abbreviations of the months in the most common languages, month by month. */
const names = [
  'january januar janvier enero gennaio janeiro januari января stycznia ocak januari tammikuuta jan janv ene gen янв',
  'february februar février fevrier febrero febbraio fevereiro februari февраля lutego şubat helmikuuta feb févr fév fev фев',
  'march märz maerz mars marzo março marco maart марта marca mart maaliskuuta mar mrz mär mrt мар',
  'april avril abril aprile апреля kwietnia nisan huhtikuuta apr avr abr апр',
  'may mai mayo maggio maio mei мая maja mayıs maj toukokuuta mag',
  'june juni juin junio giugno junho июня czerwca haziran kesäkuuta jun giu июн',
  'july juli juillet julio luglio julho июля lipca temmuz heinäkuuta jul juil lug июл',
  'august août aout agosto augustus августа sierpnia ağustos augusti elokuuta aug ago авг',
  'september septembre septiembre setiembre settembre setembro сентября września eylül syyskuuta sep sept set сен сент',
  'october oktober octobre octubre ottobre outubro октября października ekim lokakuuta oct okt ott out окт',
  'november novembre noviembre novembro ноября listopada kasım marraskuuta nov ноя нояб',
  'december dezember décembre decembre diciembre dicembre dezembro декабря grudnia aralık joulukuuta dec dez déc dic дек',
];

export const months: ReadonlyMap<string, number> = new Map(
  names.flatMap((list, index) => list.split(' ').map((name) => [name, index + 1] as const)),
);

/** Months that are also ordinary words: they count only with a year, or in English spelling. */
export const ordinaryMonths: ReadonlySet<string> = new Set(
  'may march mar mart mars set out ago mag gen ene dic jun maja marca mei'.split(' '),
);

const weekdays =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|' +
  'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|' +
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|' +
  'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|' +
  'maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag';

/** A weekday right before a date belongs to it. */
export const weekdayBefore = new RegExp(`(?<!\\p{L})(?:${weekdays})\\.?,? $`, 'iu');
