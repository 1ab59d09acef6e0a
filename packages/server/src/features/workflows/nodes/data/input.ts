import { shown } from '@atrium/contract/expressions/functions.ts';
import { inputNodeType } from '@atrium/contract/workflows/node-types/data/input.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

const isMissing = (value: unknown) => value === undefined || value === null;

const wrongInput = (label: string, type: string) =>
  new NodeFailure('wrong_input', `The value for ${label || 'an input'} is no ${type}`, { passing: false });

/** Converts a value to the type of the input; text is parsed. */
function asType(value: unknown, type: string, label: string): unknown {
  if (type === 'str') return shown(value);
  if (type === 'int' || type === 'float') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw wrongInput(label, type);
    if (type === 'int' && !Number.isInteger(number)) throw wrongInput(label, type);
    return number;
  }
  if (type !== 'bool' && type !== 'dict' && type !== 'list') return value;
  let read = value;
  if (typeof value === 'string')
    try {
      read = JSON.parse(value);
    } catch {
      throw wrongInput(label, type);
    }
  const is = Array.isArray(read) ? 'list' : typeof read === 'object' ? 'dict' : typeof read === 'boolean' ? 'bool' : '';
  if (is !== type) throw wrongInput(label, type);
  return read;
}

/** The value of the run wins over the fixed value. */
export const inputNode = defineNode(inputNodeType, async (context, { input }, { label, fixed_value, value, type }) => {
  if (!isMissing(input)) return { output: asType(input, type, label) };
  if (fixed_value || !isMissing(value)) return { output: asType(value ?? '', type, label) };
  context.log(`The run brought: ${Object.keys(context.input).join(', ') || 'nothing'}`);
  throw new NodeFailure('missing_input', `The run was started without a value for ${label || 'an input'}`, {
    passing: false,
  });
});
