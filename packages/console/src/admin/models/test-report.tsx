import { Check, CircleAlert } from 'lucide-react';
import { modelTexts as words } from '../../text/admin/models.ts';
import { cx } from '../../ui/cx.ts';
import type { ProviderTest } from './provider-list.tsx';

/** How each address of a provider answered. It is read out when it appears. */
export function TestReport({ name, test, className }: { name: string; test: ProviderTest; className?: string }) {
  return (
    <section
      aria-label={words.result(name)}
      role="status"
      className={cx('border-t border-line bg-bg px-4 py-3', className)}
    >
      <p className="mb-1.5 text-label font-medium">{words.result(name)}</p>
      <ul className="flex flex-col gap-1.5 text-dense">
        {test.addresses.map(({ base_url, ok, ms, message, models }) => (
          <li key={base_url ?? ''} className="flex items-start gap-2">
            {ok ? (
              <Check size={15} aria-hidden className="mt-0.5 flex-none text-ok" />
            ) : (
              <CircleAlert size={15} aria-hidden className="mt-0.5 flex-none text-bad" />
            )}
            <span className="min-w-0">
              <span className="font-mono text-code wrap-anywhere">{base_url ?? words.ownAddress}</span>
              <span className="num text-text-3"> {ms} ms</span>
              <span className="block wrap-anywhere">
                {message}
                {models.length > 0 && ` ${words.found(models.length)}.`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
