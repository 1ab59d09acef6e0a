import { shown } from '@atrium/contract/expressions/functions.ts';
import { inputNodeType } from '@atrium/contract/workflows/node-types/data/input.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';
import { type InputFault, isGiven, type RunInput } from '../run-input.ts';

type Reading = { value: unknown } | { fault: InputFault };

const wrong = (type: string, expected: string): Reading => ({
  fault: { type, msg: `Input should be a valid ${expected}` },
});

function readNumber(value: unknown, type: 'int' | 'float'): Reading {
  const noun = type === 'int' ? 'integer' : 'number';
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number) && (type === 'float' || Number.isInteger(number)))
    return { value: number };
  if (typeof value === 'string')
    return wrong(`${type}_parsing`, `${noun}, unable to parse string as ${type === 'int' ? 'an' : 'a'} ${noun}`);
  if (type === 'int' && typeof value === 'number')
    return wrong('int_from_float', 'integer, got a number with a fractional part');
  return wrong(`${type}_type`, noun);
}

const kindOf = (value: unknown) => {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' && value !== null ? 'dict' : typeof value === 'boolean' ? 'bool' : '';
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Converts a value to the type of the input; text is parsed. */
function readAs(value: unknown, type: string): Reading {
  if (type === 'str') return { value: shown(value) };
  if (type === 'int' || type === 'float') return readNumber(value, type);
  if (type !== 'bool' && type !== 'dict' && type !== 'list') return { value };
  const read = typeof value === 'string' ? parsed(value) : value;
  if (kindOf(read) === type) return { value: read };
  if (type === 'dict') return wrong('dict_type', 'dictionary');
  if (type === 'list') return wrong('list_type', 'list');
  return typeof value === 'string' || typeof value === 'number'
    ? wrong('bool_parsing', 'boolean, unable to interpret input')
    : wrong('bool_type', 'boolean');
}

function asType(value: unknown, type: string, label: string): unknown {
  const reading = readAs(value, type);
  if ('value' in reading) return reading.value;
  throw new NodeFailure('wrong_input', `The value for ${label || 'an input'} is no ${type}`, { passing: false });
}

const runInput: RunInput = {
  hasFallback: ({ fixed_value, value }) => Boolean(fixed_value) || isGiven(value),
  findFault(value, { type }) {
    const reading = readAs(value, String(type));
    return 'fault' in reading ? reading.fault : undefined;
  },
};

/** The value of the run wins over the fixed value. */
export const inputNode = defineNode(
  inputNodeType,
  async (context, { input }, { label, fixed_value, value, type }) => {
    if (isGiven(input)) return { output: asType(input, type, label) };
    if (fixed_value || isGiven(value)) return { output: asType(value ?? '', type, label) };
    context.log(`The run brought: ${Object.keys(context.input).join(', ') || 'nothing'}`);
    throw new NodeFailure('missing_input', `The run was started without a value for ${label || 'an input'}`, {
      passing: false,
    });
  },
  { runInput },
);
