import type { Health } from '@atrium/contract/health.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { Chip, type Tone } from '../ui/chip.tsx';

const tones: Record<Health, Tone> = { off: 'plain', paused: 'warn', failing: 'bad', unused: 'info', working: 'ok' };

/** How a trigger or a channel does, in a word. */
export const HealthChip = ({ health }: { health: Health }) => (
  <Chip tone={tones[health]} dot>
    {agentTabTexts.health[health]}
  </Chip>
);
