import { type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes, useLayoutEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { useFieldIds } from './field.tsx';

export const controlLook =
  'w-full rounded-2 border border-control bg-surface px-2.5 text-base text-text aria-invalid:border-bad disabled:bg-sunken disabled:text-text-2 [&[readonly]]:bg-sunken';

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
      className={cx(controlLook, 'h-8.5 pointer-coarse:h-11', mono && 'font-mono text-code', className)}
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
