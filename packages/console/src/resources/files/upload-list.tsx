import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useWorkspace } from '../../api/session.ts';
import { resourceTexts } from '../../text/resources.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { removeUpload, type Upload, useUploads } from './uploads.ts';

const words = resourceTexts.files;
const none: readonly Upload[] = [];

/** Files that are being sent. What failed stays until it is taken away. */
export function UploadList() {
  const { id: w } = useWorkspace();
  const uploads = useUploads((all) => all[w] ?? none);
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={words.uploads} aria-live="polite" className="divide-y divide-line rounded-3 border border-line">
      {uploads.map(({ key, name, share, state, fault }) => (
        <li key={key} className="relative flex items-center gap-3 overflow-hidden px-3.5 py-2 text-dense">
          {state === 'sending' && (
            <span
              aria-hidden
              className="absolute bottom-0 left-0 h-0.5 bg-accent transition-[width]"
              style={{ width: `${share * 100}%` }}
            />
          )}
          {state === 'sending' && <Spinner />}
          {state === 'done' && <CircleCheck size={15} aria-hidden className="flex-none text-ok" />}
          {state === 'failed' && <CircleAlert size={15} aria-hidden className="flex-none text-bad" />}
          <span className="min-w-0 flex-1">
            <span className="block truncate">
              {state === 'sending'
                ? words.sending(name, Math.round(share * 100))
                : words[state === 'done' ? 'sent' : 'failed'](name)}
            </span>
            {fault && <span className="block text-bad">{fault}</span>}
          </span>
          <IconButton
            label={state === 'sending' ? words.cancelOf(name) : words.clear(name)}
            icon={<X size={14} />}
            onClick={() => removeUpload(w, key)}
          />
        </li>
      ))}
    </ul>
  );
}
