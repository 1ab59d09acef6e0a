import type { Choice } from '@atrium/contract/tables/schema.ts';

/** Choices as people write them: one in each line, "value" or "value = label". */
export const writeChoices = (choices: readonly Choice[] | null): string =>
  (choices ?? []).map(({ value, label }) => (label === null ? value : `${value} = ${label}`)).join('\n');

export const readChoices = (text: string): { value: string; label?: string }[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [value = '', label] = line.split(/\s+=\s+/, 2);
      return { value, ...(label && { label }) };
    });
