/** How figures are written, each by its type, as people of the chosen language write them. */

/** The person's language, with the region of the device where that has one: "en" on a device in India is "en-IN". */
function localeOf(language: string): string {
  const { languages = [] } = globalThis.navigator ?? {};
  for (const tag of [languages.find((one) => one === language || one.startsWith(`${language}-`)), language])
    try {
      const [supported] = tag ? Intl.NumberFormat.supportedLocalesOf(tag) : [];
      if (supported) return supported;
    } catch {
      // Some devices name languages in a way that is not valid.
    }
  return 'en';
}

let locale: string | undefined;
const formats = new Map<string, Intl.NumberFormat>();

/** Sets the language in which figures are written. */
export function setLanguage(language: string): void {
  const next = localeOf(language);
  if (next === locale) return;
  locale = next;
  formats.clear();
}

function write(value: number, options: Intl.NumberFormatOptions = {}): string {
  locale ??= localeOf('en');
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format.format(value);
}

/** A count, of tokens too: "12,300". */
export const sayNumber = (value: number) => write(value);

/** A score or an average with so many digits after the point: "4.3". */
export const sayDecimal = (value: number, digits: number) =>
  write(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A value of any size, without noise: "8.41", "0.0333", "123". */
export const sayScore = (value: number) => write(value, { maximumSignificantDigits: 3, useGrouping: false });

/** A share of one, as a whole percent: "45%". */
export const sayPercent = (share: number) => write(share, { style: 'percent' });

/** How much a value differs from one before, with a real minus: "+12%". */
export const sayChange = (value: number, before: number) =>
  write((value - before) / before, { style: 'percent', signDisplay: 'exceptZero' }).replace('-', '−');

const units = ['KB', 'MB', 'GB', 'TB'];

/** "82 KB", "1.2 MB". */
export function sayBytes(bytes: number): string {
  if (bytes < 1000) return `${write(bytes)} B`;
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${write(value, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[power - 1]}`;
}

/** US dollars: cents, and as many digits as small costs need: "$12.50", "$0.041", "$0.00012". */
export function sayCost(dollars: number): string {
  const size = Math.abs(dollars);
  const digits =
    size === 0
      ? { maximumFractionDigits: 0 }
      : size < 0.01
        ? { maximumSignificantDigits: 2 }
        : { minimumFractionDigits: 2, maximumFractionDigits: size < 1 ? 3 : 2 };
  return write(dollars, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...digits });
}

const minute = 60_000;
const hour = 60 * minute;

/** "0.7 ms", "60 ms", "0.4 s", "9 s", "3 min", "5 h", "4 days". */
export function sayDuration(ms: number): string {
  if (ms > 0 && ms < 10 && !Number.isInteger(ms)) return `${sayDecimal(ms, 1)} ms`;
  if (ms < 100) return `${write(Math.round(ms))} ms`;
  if (ms < 10_000) return `${sayDecimal(ms / 1000, 1)} s`;
  if (ms < 2 * minute) return `${write(Math.round(ms / 1000))} s`;
  if (ms < 2 * hour) return `${write(Math.round(ms / minute))} min`;
  return ms < 48 * hour ? `${write(Math.round(ms / hour))} h` : `${write(Math.round(ms / (24 * hour)))} days`;
}
