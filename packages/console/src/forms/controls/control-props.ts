import type { ValueField } from '../form-types.ts';

/** What every control gets. It names itself by the field's label where the form has no label for it. */
export interface ControlProps {
  field: ValueField;
  value: unknown;
  onChange: (value: unknown) => void;
  disabled?: boolean | undefined;
}

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asBox = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
