import { strictness } from './strictness.ts';

/** Entities can be added, and none can be removed. */
export const whenMoreEntities = <E extends { value: string }>() =>
  strictness<E[]>(
    'more entities',
    (before, after) => before.every(({ value }) => after.some((entry) => entry.value === value)),
    (own, bound) => [...own, ...bound.filter(({ value }) => !own.some((entry) => entry.value === value))],
  );

/** Entries can be removed, and none can be added. */
export const whenFewerAllowed = strictness<string[]>(
  'fewer entries',
  (before, after) => after.every((entry) => before.includes(entry)),
  (own, bound) => own.filter((entry) => bound.includes(entry)),
);

const grades = ['Off', 'Low', 'Medium', 'High'];

/** A grade can rise. Its context must stay: other words could talk the guardrail out of objecting. */
export const whenGradeIsHigher = <G extends { value: string; context: string }>() =>
  strictness<G>(
    'a higher grade with the same context',
    (before, after) => grades.indexOf(after.value) >= grades.indexOf(before.value) && after.context === before.context,
    (own, bound) => {
      const stricter = grades.indexOf(own.value) >= grades.indexOf(bound.value) ? own : bound;
      return { ...stricter, context: (bound.value === 'Off' ? own : bound).context };
    },
  );

const egressModes = ['never', 'untrusted_only', 'always'];

/** A mode can ask people more often. With the same mode the reason must stay: it is what an administrator wrote down. */
export const whenAskedMoreOften = <E extends { mode: string }>() =>
  strictness<E>(
    'from never to untrusted_only to always',
    (before, after) => egressModes.indexOf(after.mode) > egressModes.indexOf(before.mode),
    (own, bound) => (egressModes.indexOf(own.mode) >= egressModes.indexOf(bound.mode) ? own : bound),
  );

/**
 * Every action except `warn` withholds the reply. None of these is stricter than another: an agent that hands over to a
 * person must not be made to fail instead.
 */
export const whenNotOnlyWarned = <A extends { value: string }>() =>
  strictness<A>(
    'from warn to any other action',
    (before, after) => before.value === after.value || before.value === 'warn',
    (own, bound) => (own.value === 'warn' ? bound : own),
  );
