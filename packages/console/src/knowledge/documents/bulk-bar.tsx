import { FolderInput, RefreshCw, Trash2 } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import type { KbDocument } from '../queries.ts';
import type { BulkAction } from './bulk-dialogs.tsx';
import { useBulk } from './use-bulk.ts';

const words = documentTexts.bulk;

interface BulkBarProps {
  picked: readonly KbDocument[];
  onClear: () => void;
  onAsk: (action: BulkAction) => void;
}

/** What can be done with the picked documents. */
export function BulkBar({ picked, onClear, onAsk }: BulkBarProps) {
  const may = useMay();
  const { train } = useBulk();
  const refusedEdit = !may('kbs_edit') && baseTexts.needsEdit;
  const documents = picked.filter(({ status }) => status !== 'folder').map(({ id }) => id);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-4 py-1.5">
      <span role="status" className="num text-dense font-medium">
        {words.picked(picked.length)}
      </span>
      <Button size="small" look="ghost" onClick={onClear}>
        {words.clear}
      </Button>
      <span className="ml-auto flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<RefreshCw size={13} aria-hidden />}
          refused={refusedEdit}
          disabled={documents.length === 0}
          onClick={() => void train(documents)}
        >
          {words.train}
        </Button>
        <Button
          size="small"
          icon={<FolderInput size={13} aria-hidden />}
          refused={refusedEdit}
          onClick={() => onAsk('move')}
        >
          {words.move}
        </Button>
        <Button
          size="small"
          look="danger"
          icon={<Trash2 size={13} aria-hidden />}
          refused={!may('kbs_delete') && baseTexts.needsDelete}
          onClick={() => onAsk('delete')}
        >
          {words.remove}
        </Button>
      </span>
    </div>
  );
}
