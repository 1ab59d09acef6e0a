import { TriangleAlert } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { Dot } from '../../ui/chip.tsx';
import type { KbDocument } from '../queries.ts';
import { sayStage } from '../uploads/stage-bar.tsx';
import { useBulk } from './use-bulk.ts';

/** Ready, how far the training is, or why it failed with the way to try again. */
export function DocumentState({ item }: { item: KbDocument }) {
  const { id, name, status, stage, progress, error } = item;
  const mayEdit = useMay()('kbs_edit');
  const { train } = useBulk();
  if (status === 'folder') return null;
  if (status === 'training')
    return (
      <div>
        <p className="text-caption text-text-2">{sayStage(stage)}</p>
        <div className="flex items-center gap-2">
          <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line-2">
            <span className="block h-full rounded-full bg-accent" style={{ width: `${progress}%` }} />
          </span>
          <span className="num text-caption text-text-3">{progress} %</span>
        </div>
      </div>
    );
  if (status === 'error')
    return (
      <div className="flex items-center gap-2">
        <p className="flex min-w-0 flex-1 items-start gap-1.5 text-caption text-bad">
          <TriangleAlert size={13} aria-hidden className="mt-0.5 flex-none" />
          <span className="line-clamp-2" title={error?.message}>
            {error?.message ?? documentTexts.statuses.error}
          </span>
        </p>
        <Button
          size="small"
          className="relative z-10"
          aria-label={documentTexts.tryAgainOf(name)}
          refused={!mayEdit && baseTexts.needsEdit}
          onClick={() => void train([id])}
        >
          {documentTexts.tryAgain}
        </Button>
      </div>
    );
  return (
    <p className="flex items-center gap-1.5 text-dense">
      <Dot tone={status === 'trained' ? 'ok' : 'plain'} />
      {documentTexts.statuses[status]}
    </p>
  );
}
