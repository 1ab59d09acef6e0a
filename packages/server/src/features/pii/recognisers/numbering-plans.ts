import { createRequire } from 'node:module';
import type * as PhoneLibrary from 'libphonenumber-js/core';
import type { CountryCode, MetadataJson } from 'libphonenumber-js/core';

/** Loaded with the first number: its tables would take part of every start. */
const require = createRequire(import.meta.url);
let loaded: { library: typeof PhoneLibrary; all: MetadataJson } | undefined;
function load() {
  loaded ??= {
    library: require('libphonenumber-js/core') as typeof PhoneLibrary,
    all: require('libphonenumber-js/max/metadata') as MetadataJson,
  };
  return loaded;
}

/** The number as the library reads it. */
export function parseNumber(value: string, region?: CountryCode) {
  const { library, all } = load();
  return library.parsePhoneNumberFromString(value, { extract: false, ...(region && { defaultCountry: region }) }, all);
}

/** The part of the library's tables that its types leave out. */
interface Tables {
  selectNumberingPlan(countryOrCode: string): void;
  hasCallingCode(code: string): boolean;
  getCountryCodesForCallingCode(code: string): string[] | undefined;
  type(name: string): { pattern(): string | undefined } | undefined;
  numberingPlan: {
    callingCode(): string;
    IDDPrefix(): string | undefined;
    nationalPrefixForParsing(): string | undefined;
    nationalPrefixTransformRule(): string | undefined;
    nationalNumberPattern(): string;
  };
}

interface Plan {
  code: string;
  /** Every number that some country with this calling code has given out. */
  numbers: RegExp;
  /** Digits that are dialled before a national number, and before an international one. */
  prefix: RegExp | undefined;
  transform: string | undefined;
  exit: RegExp | undefined;
}

const types = 'FIXED_LINE MOBILE PREMIUM_RATE TOLL_FREE SHARED_COST VOIP PERSONAL_NUMBER PAGER UAN VOICEMAIL'.split(
  ' ',
);
const startingWith = (pattern: string | undefined) => (pattern ? new RegExp(`^(?:${pattern})`) : undefined);

let tables: Tables | undefined;
const plans = new Map<string, Plan>();

function patternsOf(from: Tables, countryOrCode: string): string[] {
  from.selectNumberingPlan(countryOrCode);
  const patterns = types.flatMap((name) => from.type(name)?.pattern() || []);
  return patterns.length ? patterns : [from.numberingPlan.nationalNumberPattern()];
}

function planOf(countryOrCode: string): Plan {
  const known = plans.get(countryOrCode);
  if (known) return known;
  const { library, all } = load();
  tables ??= new library.Metadata(all) as unknown as Tables;
  tables.selectNumberingPlan(countryOrCode);
  const { numberingPlan } = tables;
  const code = numberingPlan.callingCode();
  const [prefix, exit] = [numberingPlan.nationalPrefixForParsing(), numberingPlan.IDDPrefix()];
  const transform = numberingPlan.nationalPrefixTransformRule();
  // "001" stands for no country.
  const countries = (tables.getCountryCodesForCallingCode(code) ?? []).filter((country) => country !== '001');
  const patterns = new Set([countryOrCode, code, ...countries].flatMap((each) => patternsOf(tables as Tables, each)));
  const numbers = new RegExp(`^(?:${[...patterns].join('|')})$`);
  const plan = { code, numbers, prefix: startingWith(prefix), transform, exit: startingWith(exit) };
  plans.set(countryOrCode, plan);
  return plan;
}

/** Whether the digits are a number of the plan, with or without the prefix of national calls. */
function fits({ numbers, prefix, transform }: Plan, digits: string): boolean {
  if (numbers.test(digits)) return true;
  if (!prefix?.test(digits)) return false;
  return numbers.test(digits.replace(prefix, '')) || (!!transform && numbers.test(digits.replace(prefix, transform)));
}

const longestCode = 3;

function fitsInternational(digits: string): boolean {
  if (digits.startsWith('0')) return false;
  planOf('1');
  for (let length = 1; length <= longestCode; length++) {
    const code = digits.slice(0, length);
    if (tables?.hasCallingCode(code)) return fits(planOf(code), digits.slice(length));
  }
  return false;
}

/**
 * Whether a number can be valid, by the numbering plans alone. The library takes twenty times as long to reject a number,
 * and a text of numbers is looked up in twenty countries. `false` is sure; `true` leaves the decision to the library.
 */
export function mayBeValid(value: string, region?: CountryCode): boolean {
  const digits = value.replace(/\D/g, '');
  if (/^\D*\+/.test(value) || !region) return fitsInternational(digits);
  const plan = planOf(region);
  if (fits(plan, digits)) return true;
  if (digits.startsWith(plan.code) && fits(plan, digits.slice(plan.code.length))) return true;
  return plan.exit?.test(digits) === true && fitsInternational(digits.replace(plan.exit, ''));
}
