import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { mayBeValid, parseNumber } from './numbering-plans.ts';

const countries = getCountries();
const digits = fc.stringMatching(/^\d{4,15}$/);
/** Numbers of ordinary lengths, with the prefixes of national and international calls. */
const numbers = fc
  .tuple(
    fc.constantFrom(...countries),
    fc.constantFrom('', '0', '1', '8', '00', '011', '0015', '+', '+c', '00c', 'c', 'c0'),
    digits,
  )
  .map(([country, prefix, rest]) => prefix.replace('c', getCountryCallingCode(country)) + rest);

test('never rejects a telephone number that the library takes for valid', () => {
  let valid = 0;
  const holds = (value: string, region?: CountryCode) => {
    if (!parseNumber(value, region)?.isValid()) return;
    valid++;
    assert.ok(mayBeValid(value, region), `${value} in ${region}`);
  };
  fc.assert(
    fc.property(numbers, fc.constantFrom(...countries, undefined), (value, region) => holds(value, region)),
    { numRuns: 20_000 },
  );
  assert.ok(valid > 500, `${valid} valid numbers were tried`);
});

test('rejects numbers that no country has given out', () => {
  for (const value of ['0000000000', '+49 0', '+999 1234567', '1111111'])
    assert.equal(mayBeValid(value, 'US'), false, value);
});
