import type { ReactNode } from 'react';

/** Scrolls what is wider or longer than its place, also with the keyboard. */
export function ScrollFrame({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields.
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard.
      tabIndex={0}
      className={className}
    >
      {children}
    </div>
  );
}
