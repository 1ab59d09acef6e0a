import { baseTexts } from '../../text/knowledge/bases.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import type { Base } from '../queries.ts';

const tones: Record<Base['status'], Tone> = { created: 'plain', training: 'info', ready: 'ok', error: 'bad' };

/** Whether a knowledge base can be searched, and how well. */
export function BaseStatus({ base }: { base: Pick<Base, 'status' | 'training_documents' | 'health'> }) {
  const { status, training_documents: training, health } = base;
  const tone =
    health.status === 'error' ? 'bad' : status === 'ready' && health.action !== 'none' ? 'warn' : tones[status];
  return (
    <Chip tone={tone} dot>
      {status === 'training' && training > 0 ? baseTexts.training(training) : baseTexts.statuses[status]}
    </Chip>
  );
}
