import { Sparkles } from 'lucide-react';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { useNewVersion } from './use-new-version.ts';

/** Reloading is left to the person: nothing that is being written is lost. */
export function NewVersionBar() {
  if (!useNewVersion()) return null;
  return (
    <div role="status" className="flex items-center gap-2 bg-info-soft px-4 py-1.5 text-dense text-info">
      <Sparkles size={14} aria-hidden />
      <span className="flex-1">{t.shell.newVersion}</span>
      <Button size="small" onClick={() => location.reload()}>
        {t.shell.reload}
      </Button>
    </div>
  );
}
