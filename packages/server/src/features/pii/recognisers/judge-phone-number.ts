import type { CountryCode } from 'libphonenumber-js/core';
import { alone, near } from '../surroundings.ts';
import { mayBeValid, parseNumber } from './numbering-plans.ts';

/** Countries whose national number formats are understood. */
const regions: readonly CountryCode[] = [
  'US',
  'GB',
  'DE',
  'FR',
  'IN',
  'BR',
  'IL',
  'ES',
  'IT',
  'AU',
  'NL',
  'CH',
  'AT',
  'BE',
  'PL',
  'RU',
  'JP',
  'CN',
  'MX',
  'ZA',
];

/** The countries of the list where national numbers begin with 0. */
const trunkRegions: readonly CountryCode[] = [
  'GB',
  'DE',
  'FR',
  'IN',
  'IL',
  'AU',
  'NL',
  'CH',
  'AT',
  'BE',
  'JP',
  'ZA',
  'IT',
  'BR',
];

const saysPhone =
  /phone|\b(?:my|his|her|their|our) (?:\w{2,12} )?number\b|\btel\b|t[eé]l[eé]?[fph.:]|\bmob(?:ile?)?\b|\bmovil|móvil|celular|\bcell|\bcall|\bfax\b|\bdial|\bring\b|whatsapp|\bsms\b|contact n|hotline|rufen|anruf|handy|appel|llám|llama|ligue|телефон|тел\.|звон|电话|電話|手机|携帯|전화|هاتف|☎|📞|📱/iu;
const saysOther =
  /\b(?:order|invoice|account|acct|id|ssn|isbn|issn|serial|part|ref|reference|article|artikel|ticket|case|imei|vat|tax|zip|sku|tracking|population|amount|price|item|code|nr|no)\b[\s\w.:#-]{0,12}$/i;

const separated = /[ ().\-/]/;
const americanShape = /^(?:\+?1[-. ])?(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}$/;

/** The answers about the number that was asked for last, since one number is asked for several times in a row. */
const answers = { value: '', known: new Map<CountryCode | undefined, boolean>() };

function isValid(value: string, region?: CountryCode): boolean {
  if (answers.value !== value) {
    answers.value = value;
    answers.known.clear();
  }
  const known = answers.known.get(region);
  if (known !== undefined) return known;
  const valid = mayBeValid(value, region) && (parseNumber(value, region)?.isValid() ?? false);
  answers.known.set(region, valid);
  return valid;
}

/** The confidence that a number with a country code is a phone number. */
function international(value: string, context: boolean): number | undefined {
  if (isValid(value)) return 0.95;
  return context && parseNumber(value)?.isPossible() ? 0.6 : undefined;
}

/** The countries that write numbers like this; all of them when a word marks the number. */
function regionsFor(value: string, digits: string, context: boolean): readonly CountryCode[] {
  if (context || value.includes('(')) return regions;
  if (digits.startsWith('0') && digits.length >= 9 && separated.test(value) && !/^0\d?\./.test(value))
    return trunkRegions;
  return /^(?:1 )?\d{3} \d{3} \d{4}$/.test(value) ? ['US'] : [];
}

/** Without a country code, the number must have a national format, or a word must mark it. */
function national(value: string, context: boolean): number | undefined {
  const digits = value.replace(/\D/g, '');
  if (digits.length > 12 || /^\d+\.\d+$/.test(value) || /^\d{3}-\d{2}-\d{4}$|^\d{5}-\d{4}$/.test(value))
    return undefined;
  if (/^(\d)\1+$/.test(digits)) return undefined;
  // Fictional numbers and numbers that are not assigned yet are written like real ones.
  if (americanShape.test(value)) return context ? 0.8 : 0.7;
  for (const region of regionsFor(value, digits, context)) if (isValid(value, region)) return context ? 0.8 : 0.7;
  return context && digits.length >= 7 ? 0.5 : undefined;
}

/** A country code without a plus: `44 20 7946 0958`. Groups of three digits alone are thousands. */
function withoutPlus(value: string, context: boolean): number | undefined {
  const digits = value.replace(/\D/g, '');
  if (digits.length < 11 || digits.length > 15 || !isValid(`+${digits}`)) return undefined;
  if (context) return 0.8;
  return /^\d{1,3}[ -]/.test(value) && !/^\d{1,3}(?:[ .]\d{3})+$/.test(value) ? 0.7 : undefined;
}

const usual: readonly CountryCode[] = ['US', 'IN', 'BR'];

/** About ten digits that are valid in a large country and not grouped like thousands. */
const isNumberOf = (value: string) =>
  value.replace(/\D/g, '').length >= 9 &&
  !/^\d{1,3}(?:[ .]\d{3}){2,3}$/.test(value) &&
  (value.startsWith('0') ? trunkRegions : usual).some((region) => isValid(value, region));

/** Judges the numbers of one text, and looks up a repeated number once. */
export function makeJudge(text: string) {
  const known = new Map<string, number | undefined>();
  return (written: string, start: number, end: number): number | undefined => {
    const value = written.replace(/\s+/g, ' ');
    const other = saysOther.test(text.slice(Math.max(0, start - 24), start));
    // A number on a line of its own was probably asked for.
    const context =
      !other && (near(text, start, end, saysPhone, 40, 24) || (alone(text, start, end) && isNumberOf(value)));
    const exit = /^\(?(?:00|011)[ .-]?(?=[1-9])/.exec(value)?.[0];
    const key = `${context}${other}${value}`;
    if (known.has(key)) return known.get(key);
    const sure = value.includes('+')
      ? international(value.slice(value.indexOf('+')).replace('+ ', '+'), context)
      : exit && value.replace(/\D/g, '').length >= 10 && isValid(`+${value.slice(exit.length)}`)
        ? 0.9
        : other
          ? undefined
          : (national(value, context) ?? withoutPlus(value, context));
    known.set(key, sure);
    return sure;
  };
}
