import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { modelTexts } from '../../text/admin/models.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/text-field.tsx';

const words = modelTexts.prices;
const amounts = ['input', 'output', 'cached_input'] as const;
type Amount = (typeof amounts)[number];
const labels: Record<Amount, string> = { input: words.input, output: words.output, cached_input: words.cached };
/** What stands in the fields of one price; the first one may be for all models. */
type Row = Record<'model' | Amount, string>;

const emptyRow: Row = { model: '', input: '', output: '', cached_input: '' };
const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value));

const rowsOf = (value: unknown): Row[] => {
  const rows = (Array.isArray(value) ? value : []).map(
    (price): Row => ({
      ...{ model: textOf(price.model), input: textOf(price.input), output: textOf(price.output) },
      cached_input: textOf(price.cached_input),
    }),
  );
  return rows.length > 0 ? rows : [emptyRow];
};

/** As a number where it is one, else as it was typed, for the server to refuse; what is empty is left out. */
const amountOf = (text: string) => {
  const trimmed = text.trim().replace(',', '.');
  return trimmed === '' ? undefined : Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
};
const pricesOf = (rows: readonly Row[]) =>
  rows
    .filter((row) => amounts.some((amount) => row[amount].trim()))
    .map((row) => ({
      ...(row.model.trim() && { model: row.model.trim() }),
      ...Object.fromEntries(amounts.map((amount) => [amount, amountOf(row[amount])])),
    }));

interface PriceFieldsProps {
  value: unknown;
  /** The models that the provider offers, as suggestions. */
  models: readonly string[];
  onChange: (prices: unknown[]) => void;
}

/** What the models of a provider cost: one price for all of them, and others for some. */
export function PriceFields({ value, models, onChange }: PriceFieldsProps) {
  const id = useId();
  const [rows, setRows] = useState(() => rowsOf(value));
  const set = (next: Row[]) => {
    setRows(next.length > 0 ? next : [emptyRow]);
    onChange(pricesOf(next));
  };
  const write = (index: number, key: keyof Row, text: string) =>
    set(rows.map((row, other) => (other === index ? { ...row, [key]: text } : row)));
  return (
    <div className="flex max-w-180 flex-col gap-2">
      <datalist id={id}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {rows.map((row, index) => {
        const model = row.model.trim() || words.allModels;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a price keeps its place while it is edited.
            key={index}
            className="grid grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))_32px] items-end gap-2 max-phone:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
          >
            <PriceField
              isFirst={index === 0}
              label={words.model}
              name={words.modelOf(index + 1)}
              className="max-phone:col-span-4"
            >
              {(name) => (
                <TextInput
                  mono
                  aria-label={name}
                  list={id}
                  maxLength={300}
                  value={row.model}
                  placeholder={words.allModels}
                  onChange={({ target }) => write(index, 'model', target.value)}
                />
              )}
            </PriceField>
            {amounts.map((amount) => (
              <PriceField
                key={amount}
                isFirst={index === 0}
                label={labels[amount]}
                name={words.of(labels[amount], model)}
              >
                {(name) => (
                  <span className="relative block">
                    <span aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-dense text-text-3">
                      $
                    </span>
                    <TextInput
                      className="num pl-6"
                      inputMode="decimal"
                      aria-label={name}
                      value={row[amount]}
                      placeholder={amount === 'cached_input' ? words.asInput : ''}
                      onChange={({ target }) => write(index, amount, target.value)}
                    />
                  </span>
                )}
              </PriceField>
            ))}
            {rows.length > 1 && (
              <IconButton
                label={words.remove(model)}
                icon={<X size={15} />}
                onClick={() => set(rows.filter((_, other) => other !== index))}
              />
            )}
          </div>
        );
      })}
      <Button
        size="small"
        className="self-start"
        icon={<Plus size={14} />}
        onClick={() => setRows([...rows, emptyRow])}
      >
        {words.add}
      </Button>
    </div>
  );
}

interface PriceFieldProps {
  label: string;
  name: string;
  /** In a wide window the labels of the first price stand for all. */
  isFirst: boolean;
  className?: string;
  children: (name: string) => ReactNode;
}

/** The label that is seen is short; the one that is read out names the model too. */
function PriceField({ label, name, isFirst, className, children }: PriceFieldProps) {
  return (
    <span className={className}>
      <span aria-hidden className={cx('mb-1 block text-caption text-text-2', !isFirst && 'phone:hidden')}>
        {label}
      </span>
      {children(name)}
    </span>
  );
}
