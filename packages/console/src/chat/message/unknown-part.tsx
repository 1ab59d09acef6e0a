import { t } from '../../text/en.ts';
import type { PartProps } from '../slots.ts';

/** A part that has no card: its content as it came, folded. */
export function UnknownPart({ part }: PartProps) {
  return (
    <details className="my-3 rounded-3 border border-line px-3 py-2 text-dense text-text-2">
      <summary>{t.chat.thread.unknown(part.type)}</summary>
      <pre className="mt-2 max-h-80 overflow-auto font-mono text-code whitespace-pre-wrap">
        {JSON.stringify(part, null, 2)}
      </pre>
    </details>
  );
}
