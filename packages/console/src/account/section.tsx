import { type ReactNode, useId } from 'react';

/** A part of the account page with its name on the left on wide windows. */
export function Section({ title, help, children }: { title: string; help?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-3 border-b border-line py-6 last:border-0 narrow:grid-cols-[220px_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="text-section">
          {title}
        </h2>
        {help && <p className="mt-1 text-dense text-text-2">{help}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}
