import { testConfig } from '../../../test/support/test-config.ts';
import type { SandboxConfig } from '../../config/sandboxes.ts';
import { hasBubblewrap } from '../../drivers/sandboxes/testing.ts';

/** The engines that work on this machine. */
export const enginesHere = [...(hasBubblewrap ? (['bubblewrap'] as const) : []), 'just-bash'] as const;

export const sandboxConfig = (changes: Partial<SandboxConfig>) => ({
  sandboxes: { ...testConfig('').sandboxes, ...changes },
});

/** The events of a stream that has ended. */
export const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      return { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) };
    });
