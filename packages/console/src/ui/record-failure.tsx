import { AtriumError } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { FileX2 } from 'lucide-react';
import { t } from '../text/en.ts';
import { ui } from '../text/ui.ts';
import { EmptyState, ErrorState } from './states.tsx';

interface RecordFailureProps {
  error: unknown;
  onRetry: () => void;
  /** The list that the record belongs to. */
  list: { label: string; to: string };
}

/** In place of a record that could not be read. One that is gone is no error: there is nothing to try again, but a way back. */
export function RecordFailure({ error, onRetry, list }: RecordFailureProps) {
  if (!(error instanceof AtriumError) || error.status !== 404)
    return (
      <div className="flex-1">
        <ErrorState error={error} onRetry={onRetry} />
      </div>
    );
  return (
    <EmptyState className="flex-1" icon={<FileX2 size={20} aria-hidden />} {...t.failures.gone}>
      <Link to={list.to} className="font-medium">
        {ui.backTo(list.label)}
      </Link>
    </EmptyState>
  );
}
