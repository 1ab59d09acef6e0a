import { useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { asText, type ControlProps } from './control-props.ts';

export const TextControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <TextInput
    value={asText(value)}
    placeholder={asText(field.default) || undefined}
    disabled={disabled}
    dir="auto"
    autoComplete="off"
    mono={field.control === 'cron' || field.control === 'expression'}
    onChange={({ target }) => onChange(target.value)}
  />
);

export const LongTextControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <TextArea
    value={asText(value)}
    placeholder={asText(field.default) || undefined}
    disabled={disabled}
    dir="auto"
    onChange={({ target }) => onChange(target.value)}
  />
);

/** Written and never shown again: what is stored is a mask. */
export function SecretControl({ value, onChange, disabled }: ControlProps) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      type="password"
      autoComplete="new-password"
      value={typed}
      placeholder={asText(value) && !typed ? formTexts.showsMask : undefined}
      disabled={disabled}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.value || null);
      }}
    />
  );
}

export const ColorControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <div className="flex max-w-60 items-center gap-2">
    <input
      type="color"
      aria-label={field.label}
      value={/^#[0-9a-f]{6}/i.test(asText(value)) ? asText(value).slice(0, 7) : '#000000'}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value)}
      className="h-8.5 w-10 flex-none rounded-2 border border-control bg-surface"
    />
    <TextInput
      mono
      value={asText(value)}
      placeholder={asText(field.default) || '#rrggbb'}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value || null)}
    />
  </div>
);

const zones = () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone }));

export const TimeZoneControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <Select
    value={asText(value) || asText(field.default)}
    options={zones()}
    disabled={disabled}
    onChange={onChange}
    className="max-w-80"
  />
);
