import { type BoxKey, open } from '../../lib/sealed-box.ts';
import type { Masters } from './masters.ts';

/** A master key that nobody replaces. */
export const soleMaster = (key: BoxKey): Masters => ({
  current: () => key,
  unwrap: async (context, box) => open(key, context, box),
  reload: async () => {},
});
