import { CircleAlert } from 'lucide-react';
import type { Failure } from '../api/failures.ts';

/** Why a form was not taken. It is read out when it appears. */
export function FailureNote({ failure }: { failure: Failure | undefined }) {
  return (
    <div role="alert" className="empty:absolute">
      {failure && (
        <div className="flex items-start gap-2.5 rounded-3 bg-bad-soft px-3.5 py-2.5 text-dense">
          <CircleAlert size={16} aria-hidden className="mt-px flex-none text-bad" />
          <div className="min-w-0">
            <p className="font-medium">{failure.title}</p>
            {failure.help && <p className="text-text-2">{failure.help}</p>}
            {failure.requestId && <p className="font-mono text-caption text-text-2">{failure.requestId}</p>}
          </div>
        </div>
      )}
    </div>
  );
}
