import { type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes, useLayoutEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { useFieldIds } from './field.tsx';

export const controlLook =
  'w-full rounded-2 border border-control bg-surface px-2.5 text-base text-text aria-invalid:border-bad disabled:bg-sunken disabled:text-text-2 [&[readonly]]:bg-sunken';

/** A file is chosen by a button inside of the field. */
const fileLook =
  'h-auto! py-1! pl-1! text-dense! text-text-2 file:mr-3 file:h-7 file:cursor-pointer file:rounded-2 file:border file:border-solid file:border-line-2 file:bg-surface file:px-3 file:text-dense file:font-medium file:text-text hover:file:bg-sunken pointer-coarse:file:h-10';

export function TextInput({
  mono,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { mono?: boolean; ref?: Ref<HTMLInputElement> }) {
  return (
    <input
      type="text"
      {...useFieldIds()}
      {...rest}
      className={cx(
        ...[controlLook, 'h-8.5 pointer-coarse:h-11', mono && 'font-mono text-code'],
        ...[rest.type === 'file' && fileLook, className],
      )}
    />
  );
}

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  mono?: boolean;
  /** The most lines before it scrolls. */
  maxRows?: number;
}

/** Grows with its text. */
export function TextArea({ mono, maxRows = 14, className, ...rest }: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight + 2, maxRows * 21 + 20)}px`;
  }, [rest.value, maxRows]);
  return (
    <textarea
      ref={area}
      rows={2}
      {...useFieldIds()}
      {...rest}
      className={cx(controlLook, 'resize-none py-2 leading-[21px]', mono && 'font-mono text-code', className)}
    />
  );
}
