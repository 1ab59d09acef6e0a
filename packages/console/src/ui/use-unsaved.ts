import { type FormEvent, type MouseEvent, useRef, useState } from 'react';

const isText = (target: HTMLElement): boolean =>
  target instanceof HTMLTextAreaElement ||
  target.isContentEditable ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'range', 'color'].includes(target.type));

const textOf = (target: HTMLElement): string =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    ? target.value
    : (target.textContent ?? '');

/**
 * Whether a person has changed something in a layer, for forms that don't say so themselves. A text that is typed back to
 * what it was counts as unchanged; what is picked or switched counts as changed.
 */
function useTouched() {
  const startTexts = useRef(new WeakMap<HTMLElement, string>());
  const changed = useRef(new Set<HTMLElement>());
  const onFocusCapture = ({ target }: { target: EventTarget }) => {
    const field = target as HTMLElement;
    if (isText(field) && !startTexts.current.has(field)) startTexts.current.set(field, textOf(field));
  };
  const onInputCapture = ({ target }: FormEvent) => {
    const field = target as HTMLElement;
    if (isText(field) && textOf(field) === startTexts.current.get(field)) changed.current.delete(field);
    else changed.current.add(field);
  };
  const onClickCapture = ({ target }: MouseEvent) => {
    const control = (target as HTMLElement).closest<HTMLElement>('[role="switch"], [role="radio"], [role="option"]');
    if (control && !control.matches(':disabled, [aria-disabled="true"]')) changed.current.add(control);
  };
  return { isTouched: () => changed.current.size > 0, watch: { onFocusCapture, onInputCapture, onClickCapture } };
}

/**
 * Asks before a layer closes by a press outside of it, by Escape or by its cross while it holds changes. `changed`: what the
 * form knows itself; without it what was typed, picked or switched in the layer counts.
 */
export function useUnsaved(onClose: () => void, changed: boolean | undefined) {
  const { isTouched, watch } = useTouched();
  const [asking, setAsking] = useState(false);
  const lastField = useRef<Element>(null);
  const tryClose = () => {
    if (!(changed ?? isTouched())) return onClose();
    if (!asking) lastField.current = document.activeElement;
    setAsking(true);
  };
  const keep = () => {
    setAsking(false);
    // After the question is gone: it holds the focus until then.
    requestAnimationFrame(() => {
      if (lastField.current instanceof HTMLElement && lastField.current.isConnected) lastField.current.focus();
    });
  };
  return { asking, tryClose, keep, watch };
}
