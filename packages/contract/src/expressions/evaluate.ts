import { isSameJson } from '../same-json.ts';
import { type Budget, chargeJsonSize, functions, isDict, listFunctions, text, written } from './functions.ts';
import { type Expression, parseExpression } from './parse.ts';
import { ExpressionError, UnknownName } from './tokens.ts';

/** The values that an expression can name. */
export type Names = Readonly<Record<string, unknown>>;

const mostSteps = 200_000;
/** A value that is passed on unchanged may be larger than values that an expression computes with. */
const largest = 1_000_000;

function makeBudget(most: number, trouble: string): Budget {
  let left = most;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new ExpressionError(trouble);
    },
  };
}

/** Whether a condition holds: 0, false, null and the empty text, list and dict do not. */
export const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isDict(value) ? Object.keys(value).length > 0 : Boolean(value);

/** The number that a text spells; undefined for other texts. */
const numeric = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value);

/**
 * Whether two values are equal; lists and dicts are compared by content. A text that spells a number equals that
 * number, since inputs of workflows are often text; two texts are compared as text.
 */
function same(a: unknown, b: unknown, budget: Budget): boolean {
  if (a === b || ((a ?? null) === null && (b ?? null) === null)) return true;
  if (typeof a === 'number' || typeof b === 'number') return numeric(a) === numeric(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  chargeJsonSize(a, budget);
  chargeJsonSize(b, budget);
  return isSameJson(a, b);
}

function ordered(a: unknown, b: unknown, sign: '<' | '<=' | '>' | '>=', budget: Budget): boolean {
  const numbers = [a, b].map(numeric);
  const both = numbers.every((value) => typeof value === 'number' && Number.isFinite(value));
  const [left, right] = (both ? numbers : [written(a, budget), written(b, budget)]) as [number, number];
  if (sign === '<') return left < right;
  if (sign === '<=') return left <= right;
  return sign === '>' ? left > right : left >= right;
}

const signs: Record<'-' | '*' | '/' | '%', (left: number, right: number) => number> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

function counted(left: unknown, right: unknown, sign: keyof typeof signs): number {
  const [a, b] = [functions['number']?.([left], free), functions['number']?.([right], free)] as [number, number];
  const result = signs[sign](a, b);
  if (!Number.isFinite(result)) throw new ExpressionError(`${a} ${sign} ${b} is no number`);
  return result;
}
const free: Budget = { spend() {} };

function added(left: unknown, right: unknown, budget: Budget): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (Array.isArray(left) && Array.isArray(right)) {
    budget.spend(left.length + right.length);
    return [...left, ...right];
  }
  return text(written(left, budget) + written(right, budget), budget);
}

function memberOf(of: unknown, key: unknown, budget: Budget): unknown {
  if (Array.isArray(of) || typeof of === 'string') {
    if (key === 'length') return of.length;
    return typeof key === 'number' ? (of.at(key) ?? null) : null;
  }
  // Own keys only, so that expressions cannot reach JavaScript's prototypes.
  const name = written(key, budget);
  return isDict(of) && Object.hasOwn(of, name) ? (of[name] ?? null) : null;
}

/** `item` and `index` of the innermost list function; they win over other names. */
type Round = Names | undefined;

/** Evaluates an expression. It can use the given names and nothing else, and fails when it takes too many steps. */
export function evaluate(expression: Expression, names: Names): unknown {
  const budget = makeBudget(mostSteps, `An expression takes at most ${mostSteps} steps`);

  function overList(name: string, args: readonly Expression[], round: Round): unknown {
    const [listed, each] = args;
    if (!listed || !each || args.length !== 2) throw new ExpressionError(`${name} needs a list and an expression`);
    const list = value(listed, round);
    if (!Array.isArray(list)) throw new ExpressionError(`${name} needs a list`);
    const of = (item: unknown, index: number) => value(each, { item, index });
    if (name === 'map') return list.map(of);
    if (name === 'filter') return list.filter((item, index) => isTrue(of(item, index)));
    if (name === 'any') return list.some((item, index) => isTrue(of(item, index)));
    if (name === 'all') return list.every((item, index) => isTrue(of(item, index)));
    return list.find((item, index) => isTrue(of(item, index))) ?? null;
  }

  function value(part: Expression, round: Round): unknown {
    budget.spend(1);
    switch (part.kind) {
      case 'value':
        return part.value;
      case 'name':
        if (round && Object.hasOwn(round, part.name)) return round[part.name] ?? null;
        if (!Object.hasOwn(names, part.name)) throw new UnknownName(`There is nothing named ${part.name}`);
        return names[part.name] ?? null;
      case 'member':
        return memberOf(value(part.of, round), value(part.key, round), budget);
      case 'call': {
        if (listFunctions.has(part.name)) return overList(part.name, part.args, round);
        const call = Object.hasOwn(functions, part.name) ? functions[part.name] : undefined;
        if (!call) throw new ExpressionError(`There is no function ${part.name}`, part.at);
        const args = part.args.map((arg) => value(arg, round));
        return call(args, budget) ?? null;
      }
      case 'list':
        return part.items.map((item) => value(item, round));
      case 'dict':
        return Object.fromEntries(part.entries.map(([key, item]) => [key, value(item, round)]));
      case 'not':
        return !isTrue(value(part.of, round));
      case 'minus':
        return counted(0, value(part.of, round), '-');
      case 'logic': {
        const left = value(part.left, round);
        if (part.sign === '??') return left === null ? value(part.right, round) : left;
        return isTrue(left) === (part.sign === '||') ? left : value(part.right, round);
      }
      case 'choice':
        return value(isTrue(value(part.if, round)) ? part.then : part.else, round);
      case 'binary': {
        const [left, right] = [value(part.left, round), value(part.right, round)];
        if (part.sign === '+') return added(left, right, budget);
        if (part.sign === '==') return same(left, right, budget);
        if (part.sign === '!=') return !same(left, right, budget);
        if (part.sign === 'in') return functions['contains']?.([right, left], budget);
        if (part.sign === '-' || part.sign === '*' || part.sign === '/' || part.sign === '%')
          return counted(left, right, part.sign);
        return ordered(left, right, part.sign, budget);
      }
    }
  }

  const result = value(expression, undefined);
  // A value that refers to another one many times is small in memory but large as JSON.
  chargeJsonSize(result, makeBudget(largest, 'What the expression gives is too large'));
  return result;
}

/** Parses and evaluates an expression. */
export const evaluateText = (source: string, names: Names): unknown => evaluate(parseExpression(source), names);

/** The functions that an expression calls and that do not exist. */
export function unknownFunctions(part: Expression): string[] {
  switch (part.kind) {
    case 'call': {
      const unknown = Object.hasOwn(functions, part.name) || listFunctions.has(part.name) ? [] : [part.name];
      return [...unknown, ...part.args.flatMap(unknownFunctions)];
    }
    case 'member':
      return [...unknownFunctions(part.of), ...unknownFunctions(part.key)];
    case 'list':
      return part.items.flatMap(unknownFunctions);
    case 'dict':
      return part.entries.flatMap(([, item]) => unknownFunctions(item));
    case 'not':
    case 'minus':
      return unknownFunctions(part.of);
    case 'binary':
    case 'logic':
      return [...unknownFunctions(part.left), ...unknownFunctions(part.right)];
    case 'choice':
      return [part.if, part.then, part.else].flatMap(unknownFunctions);
    default:
      return [];
  }
}
