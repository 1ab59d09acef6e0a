import { useId } from 'react';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';

/** In the place of a layer's buttons: whether what was typed may go. */
export function UnsavedQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const id = useId();
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-warn-line bg-warn-soft px-5 py-3 phone:rounded-b-4">
      <p id={id} role="alert" className="flex-1 basis-48 max-phone:basis-full text-label font-medium">
        {t.ui.unsaved.question}
      </p>
      <Button ref={(button) => button?.focus()} aria-describedby={id} onClick={onKeep}>
        {t.ui.unsaved.keep}
      </Button>
      <Button look="destroy" onClick={onDiscard}>
        {t.ui.unsaved.discard}
      </Button>
    </footer>
  );
}
