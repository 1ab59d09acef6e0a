const asked =
  /\b(?:what(?:['’]s)?|which|tell me the|current|today'?s)\s(?:is\s)?(?:the\s)?(?:current\s)?(?:time|date|day|year|month|weekday)\b(?= (?:is (?:it|today|now)|today|now|right now|do we have|have we|in \p{Lu}|of the week)\b|\W*$)|\btime is it\b|\bwie sp[äa]t\b|\bwelche[rsn]? (?:tag|datum) (?:ist|haben)\b|\bquelle heure (?:est|il est)|\best quelle heure\b|\bquel jour (?:est|sommes|on est)|\bqu[eé] (?:hora|d[ií]a) es\b|\bche (?:ore|ora) [eè]|\bque horas s[aã]o|который час|какое сегодня|сколько времени|几点|今天几号|今天星期|何時ですか|今日の日付|何曜日|몇 시/iu;

/** Whether a text asks the clock, and not when something happens. */
export const asksTime = (text: string) => text.length < 200 && asked.test(text);

let zones: Map<string, string> | undefined;

/** The time zone a question names, by its own name or a city's. */
export function timeZoneIn(text: string): string | undefined {
  zones ??= new Map(
    Intl.supportedValuesOf('timeZone').flatMap((zone) => [
      [zone.toLowerCase(), zone],
      [
        zone
          .slice(zone.lastIndexOf('/') + 1)
          .replaceAll('_', ' ')
          .toLowerCase(),
        zone,
      ],
    ]),
  );
  const words = text.toLowerCase().match(/[\p{L}/_+-]+/gu) ?? [];
  for (let at = 0; at < words.length; at++)
    for (const length of [3, 2, 1]) {
      const zone = zones.get(words.slice(at, at + length).join(' '));
      if (zone) return zone;
    }
  return undefined;
}
