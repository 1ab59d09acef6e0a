import type * as z from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { refuse, scalar } from './scalar.ts';

interface Range {
  ge?: number;
  gt?: number;
  le?: number;
  lt?: number;
}

function outOfRange(value: number, { ge, gt, le, lt }: Range) {
  if (ge !== undefined && value < ge)
    return refuse('greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge });
  if (gt !== undefined && value <= gt) return refuse('greater_than', `Input should be greater than ${gt}`, { gt });
  if (le !== undefined && value > le)
    return refuse('less_than_equal', `Input should be less than or equal to ${le}`, { le });
  if (lt !== undefined && value >= lt) return refuse('less_than', `Input should be less than ${lt}`, { lt });
  return undefined;
}

function rangeJson({ ge, gt, le, lt }: Range): JsonSchema {
  return {
    ...(ge !== undefined && { minimum: ge }),
    ...(gt !== undefined && { exclusiveMinimum: gt }),
    ...(le !== undefined && { maximum: le }),
    ...(lt !== undefined && { exclusiveMaximum: lt }),
  };
}

const integerText = /^[+-]?\d+(_\d+)*(\.0*)?$/;

/** A whole number: 5, 5.0, "5" and true are; 1.5 and "five" are not. */
export function int(range: Range = {}): z.ZodType<number, number> {
  return scalar({ type: 'integer', ...rangeJson(range) }, (input) => {
    let value: number;
    if (typeof input === 'number') {
      if (!Number.isInteger(input))
        return refuse('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
      value = input;
    } else if (typeof input === 'boolean') {
      value = Number(input);
    } else if (typeof input === 'string') {
      const text = input.trim();
      if (!integerText.test(text))
        return refuse('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
      value = Number(text.replaceAll('_', ''));
    } else {
      return refuse('int_type', 'Input should be a valid integer');
    }
    // Beyond 2^53 a JavaScript number is no longer the number that was sent.
    if (!Number.isSafeInteger(value))
      return refuse('int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size');
    return outOfRange(value, range) ?? (Object.is(value, -0) ? 0 : value);
  });
}

// Only a dot parts the two runs of digits: were it optional, a long text could be cut at any place, and would be.
const floatText = /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+)?$/i;
const notFiniteText = /^[+-]?(inf|infinity|nan)$/i;

/** A number; infinities and NaN are refused, since JSON could not carry them back. */
export function number(range: Range = {}): z.ZodType<number, number> {
  const notFinite = refuse('finite_number', 'Input should be a finite number');
  return scalar({ type: 'number', ...rangeJson(range) }, (input) => {
    let value: number;
    if (typeof input === 'number') {
      value = input;
    } else if (typeof input === 'boolean') {
      value = Number(input);
    } else if (typeof input === 'string') {
      const text = input.trim();
      if (notFiniteText.test(text)) return notFinite;
      if (!floatText.test(text))
        return refuse('float_parsing', 'Input should be a valid number, unable to parse string as a number');
      value = Number(text.replaceAll('_', ''));
    } else {
      return refuse('float_type', 'Input should be a valid number');
    }
    if (!Number.isFinite(value)) return notFinite;
    return outOfRange(value, range) ?? value;
  });
}

const truths = new Set(['1', 'on', 't', 'true', 'y', 'yes']);
const falsehoods = new Set(['0', 'off', 'f', 'false', 'n', 'no']);

/** true, 1, "on", "True" …; clients send all of these. */
export function bool(): z.ZodType<boolean, boolean> {
  const unclear = refuse('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
  return scalar({ type: 'boolean' }, (input) => {
    if (typeof input === 'boolean') return input;
    if (input === 1 || input === 0) return input === 1;
    if (typeof input === 'string') {
      const word = input.toLowerCase();
      if (truths.has(word)) return true;
      return falsehoods.has(word) ? false : unclear;
    }
    return typeof input === 'number' ? unclear : refuse('bool_type', 'Input should be a valid boolean');
  });
}
