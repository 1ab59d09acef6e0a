import { useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { TextInput } from '../../ui/text-field.tsx';
import { asText, type ControlProps } from './control-props.ts';

/** A slider helps where both ends are known and near enough to be hit. */
const isSlidable = (min: number | undefined, max: number | undefined): max is number =>
  min !== undefined && max !== undefined && max - min <= 1000;

/** What was typed as a number; other texts as they are, for the server to refuse in its words. */
function parseNumber(text: string): number | string | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const parsed = Number(trimmed);
  return Number.isFinite(parsed) ? parsed : trimmed;
}

export function NumberControl({ field, value, onChange, disabled }: ControlProps) {
  const { bounds, type, unit } = field;
  const [typed, setTyped] = useState<string>();
  const [min, max] = [bounds.min ?? bounds.above, bounds.max];
  const shown = typed ?? asText(value);
  const step = type === 'integer' ? 1 : 0.01;
  return (
    <div className="flex max-w-110 items-center gap-3">
      <span className="relative w-36 flex-none">
        <TextInput
          inputMode={type === 'integer' ? 'numeric' : 'decimal'}
          value={shown}
          placeholder={asText(field.default) || formTexts.notSet}
          disabled={disabled}
          className="num"
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(parseNumber(target.value));
          }}
          onBlur={() => setTyped(undefined)}
        />
        {unit && (
          <span className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-caption text-text-3">
            {unit}
          </span>
        )}
      </span>
      {isSlidable(min, max) && (
        <input
          type="range"
          aria-label={formTexts.slider(field.label)}
          min={min}
          max={max}
          step={step}
          value={Number(value ?? field.default ?? min) || 0}
          disabled={disabled}
          onChange={({ target }) => onChange(Number(target.value))}
          className="h-6 min-w-0 flex-1 accent-accent disabled:opacity-50"
        />
      )}
    </div>
  );
}
