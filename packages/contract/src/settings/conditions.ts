import type { Condition, ShownWhen } from './key.ts';

type Values = Readonly<Record<string, unknown>>;

function isHeld(settings: Values, condition: Condition): boolean {
  const value = settings[condition.key];
  const own = condition.field ? (value as Values)[condition.field] : value;
  return condition.is.some((accepted) => accepted === own);
}

/** The conditions under which a setting has an effect and that settings do not meet. */
export function unmetConditions(shownWhen: ShownWhen | undefined, settings: Values): readonly Condition[] {
  if (!shownWhen) return [];
  if ('all' in shownWhen) return shownWhen.all.filter((condition) => !isHeld(settings, condition));
  return shownWhen.any.some((condition) => isHeld(settings, condition)) ? [] : shownWhen.any;
}

const describe = ({ key, field, is }: Condition) =>
  `\`${field ? `${key}.${field}` : key}\` is not ${is.map((value) => `\`${value}\``).join(' or ')}`;

/** Says what the conditions ask for. */
export const describeConditions = (conditions: readonly Condition[]) => conditions.map(describe).join(' and ');
