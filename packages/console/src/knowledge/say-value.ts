import { formTexts } from '../text/forms.ts';

/** The value of a setting in words. */
export function sayValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? formTexts.yes : formTexts.no;
  if (value === null || value === undefined) return formTexts.none;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
